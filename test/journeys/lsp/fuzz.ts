/** Random sessions, those of test/lsp/fuzz.ts, for the packed server. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { sequenceOf } from "../../lsp/fuzz.ts"
import { temporaryFolder } from "../effx.ts"
import { startRaw } from "./raw.ts"

/** How long one session may take before it is taken for a hang. */
const HANG_MS = 60_000

/** A project for random sessions. */
export const fuzzFolder = (): string => {
  const folder = temporaryFolder("effx fuzz")
  writeFileSync(join(folder, "tsconfig.json"), "{}\n")
  writeFileSync(join(folder, "a.ts"), "export {}\n")
  return folder
}

/**
 * Runs the session of a seed.
 *
 * @returns what the server owed and did not give; undefined when it did
 */
export const fuzz = async (seed: number, cwd: string): Promise<string | undefined> => {
  const { chunks, owed } = sequenceOf(seed, encodeURI(cwd))
  const server = startRaw(cwd)
  for (const chunk of chunks) server.write(chunk)
  const count = (wanted: string): number => server.messages.filter(({ id }) => id === wanted).length
  const hang = new Promise<"hang">((resolve) => setTimeout(resolve, HANG_MS, "hang").unref())
  const answered =
    owed.length === 0 ? Promise.resolve() : server.until(() => owed.every((id) => count(id) > 0)).catch(() => undefined)
  if ((await Promise.race([answered, hang])) === "hang") return `seed ${seed}: it hangs; ${server.stderr()}`
  server.child.stdin?.end()
  const code = await Promise.race([server.ended, hang])
  if (code === "hang") return `seed ${seed}: it does not end; ${server.stderr()}`
  if (code !== 0 && code !== 1) return `seed ${seed}: it ends with ${code}; ${server.stderr()}`
  if (/internal fault|in the background failed|\n {4}at /.test(server.stderr()))
    return `seed ${seed}: ${server.stderr()}`
  const wrong = owed.find((id) => count(id) !== 1)
  return wrong === undefined ? undefined : `seed ${seed}: ${wrong} has ${count(wrong)} responses; ${server.stderr()}`
}
