/**
 * Programs of the machine that effx runs, by absolute path.
 *
 * `PATH` is not asked: it may lead into a folder that somebody else fills. A tool is looked for where only the system's administrator
 * installs programs, in a fixed order.
 */
import { Misuse } from "@effx/session"
import { Effect } from "effect"
import * as host from "./host.ts"

/** Where tools are looked for: the system's folders, then those of NixOS and of Nix's default profile. */
export const TOOL_FOLDERS = [
  "/usr/bin",
  "/bin",
  "/usr/local/bin",
  "/run/current-system/sw/bin",
  "/nix/var/nix/profiles/default/bin"
] as const

/**
 * The absolute path of a tool; `Misuse` where there is none, since only the command line asks for one.
 *
 * @param purpose what needs the tool, as the beginning of a sentence
 */
export const outsideTool = (
  name: "git" | "tar",
  purpose: string,
  folders: ReadonlyArray<string> = TOOL_FOLDERS
): Effect.Effect<string, Misuse> =>
  Effect.suspend(() => {
    const found = folders.map((folder) => `${folder}/${name}`).find(host.isExecutable)
    return found === undefined
      ? Effect.fail(
          new Misuse({
            message: `${purpose} needs ${name}, which is in none of ${folders.join(", ")}; install it there`
          })
        )
      : Effect.succeed(found)
  })
