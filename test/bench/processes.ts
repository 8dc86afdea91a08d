/** What a process and its children use, by /proc. */
import { readFileSync } from "node:fs"
import { childrenOf } from "../children.ts"

/** The process and everything below it. */
const treeOf = (pid: number): ReadonlyArray<number> => [pid, ...childrenOf(pid).flatMap(treeOf)]

/** Resident memory in MiB of a process and its children. */
export const resident = (pid: number): number =>
  treeOf(pid).reduce(
    (sum, each) => sum + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${each}/status`, "utf8"))?.[1] ?? 0) / 1024,
    0
  )

/** How long a tick of the kernel's accounting is, in milliseconds. */
const TICK_MS = 10

/** Time on a processor so far, in milliseconds, of a process and its children. */
export const busy = (pid: number): number =>
  treeOf(pid).reduce((sum, each) => {
    const fields = readFileSync(`/proc/${each}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
    return sum + TICK_MS * (Number(fields[11]) + Number(fields[12]))
  }, 0)
