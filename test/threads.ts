import { readdirSync, readFileSync } from "node:fs"

/** The folder in which the kernel describes a process's thread of this name. */
export const threadOf = (pid: number, name: string): string => {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`)
  const found = threads.find((thread) => readFileSync(`${thread}/comm`, "utf8").trim() === name)
  if (found === undefined) throw new Error(`there is no thread ${name}`)
  return found
}

/** How often a thread has gone to sleep. */
const sleeps = (thread: string): number =>
  Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(readFileSync(`${thread}/status`, "utf8"))?.[1])

const WINDOW_MS = 2_000

/** How often a thread wakes up in two seconds, at the least: one that polls or spins never has so long without waking up. */
export const fewestWakings = async (thread: string): Promise<number> => {
  let fewest = Number.POSITIVE_INFINITY
  for (let window = 0; window < 10 && fewest > 0; window++) {
    const before = sleeps(thread)
    await new Promise((resolve) => setTimeout(resolve, WINDOW_MS))
    fewest = Math.min(fewest, sleeps(thread) - before)
  }
  return fewest
}
