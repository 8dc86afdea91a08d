/** The flags that several commands share, described once. */
import { EMITS } from "@effx/compiler"
import { Option } from "effect"
import { type Command, Flag, GlobalFlag } from "effect/cli"
import { textFlag } from "./given.ts"
import { FORMATS } from "./reporters/index.ts"

const optional = <A>(flag: Flag.Flag<A>): Flag.Flag<A | undefined> =>
  flag.pipe(Flag.optional, Flag.map(Option.getOrUndefined))

/** Which project a command works on and with what settings; paths resolve from the working directory. */
export const selectionFlags = {
  project: textFlag("project", "PATH").pipe(Flag.withDescription("The tsconfig to work on, or its folder"), optional),
  config: textFlag("config", "PATH").pipe(
    Flag.withDescription("The effx.config file, instead of the one beside the tsconfig"),
    optional
  ),
  outDir: textFlag("out-dir", "PATH").pipe(Flag.withDescription("Where generated code goes"), optional),
  emit: Flag.Literals("emit", EMITS).pipe(Flag.withDescription("What is generated"), optional),
  target: textFlag("target", "VERSION").pipe(
    Flag.withDescription("The Effect version that generated code is for, instead of the installed one"),
    optional
  ),
  strictAccess: Flag.Boolean("strict-access").pipe(
    Flag.withDescription("Make missing access declarations errors"),
    optional
  )
} as const

const COVERED = "Ask for a restart when it changes"

/**
 * What a command that stays observes of the code that its config runs, besides what it knows itself; repeatable. Paths resolve from
 * the working directory.
 */
export const coverageFlags = {
  execFile: textFlag("exec-file", "PATH").pipe(
    Flag.withDescription(
      `${COVERED}: a file that the config depends on, by the path that leads to it. Only you know whether all are declared`
    ),
    Flag.atLeast(0)
  ),
  execDir: textFlag("exec-dir", "PATH").pipe(
    Flag.withDescription(`${COVERED}: a folder that the config depends on, with all that lies below it`),
    Flag.atLeast(0)
  )
} as const

/** How findings are reported. */
export const reportingFlags = {
  denyWarnings: Flag.Boolean("deny-warnings").pipe(
    Flag.withDescription("Fail on warnings too"),
    Flag.withDefault(false)
  ),
  format: Flag.Literals("format", FORMATS).pipe(
    Flag.withDescription("The form of the findings: pretty on a terminal, else plain"),
    optional
  )
} as const

/** `--color`, for every command and for help. */
export const Color = GlobalFlag.Setting("color")({
  flag: Flag.Literals("color", ["auto", "always", "never"]).pipe(
    Flag.withDescription("Colours: on a terminal unless NO_COLOR is set, always or never"),
    Flag.withDefault("auto" as const)
  )
})

export type SelectionFlags = Command.Command.Config.Infer<typeof selectionFlags>
export type CoverageFlags = Command.Command.Config.Infer<typeof coverageFlags>
