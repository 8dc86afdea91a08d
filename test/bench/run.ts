/** Runs commands in turn, A B C A B C …, and keeps the median of each, so that a drifting machine changes no ratio. */
import { spawnSync } from "bun"

export interface Contestant {
  readonly name: string
  readonly command: ReadonlyArray<string>
  readonly cwd?: string
}

export interface Measured {
  readonly name: string
  /** Wall time in milliseconds. */
  readonly median: number
  readonly p95: number
  /** The largest resident set of a single process, in MiB. */
  readonly peak: number
}

export const at = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/** Measures `rounds` interleaved runs after one warm-up; a command that fails stops the bench with its output. */
export const race = (contestants: ReadonlyArray<Contestant>, rounds: number): ReadonlyArray<Measured> => {
  const samples = contestants.map(() => [] as Array<{ readonly time: number; readonly peak: number }>)
  for (let round = -1; round < rounds; round++) {
    contestants.forEach(({ name, command, cwd }, index) => {
      const began = performance.now()
      const result = spawnSync({ cmd: [...command], ...(cwd !== undefined && { cwd }), stdin: "ignore" })
      const time = performance.now() - began
      if (result.exitCode !== 0) throw new Error(`${name} failed: ${result.stdout}${result.stderr}`)
      if (round >= 0) samples[index]?.push({ time, peak: (result.resourceUsage?.maxRSS ?? 0) / 1024 })
    })
  }
  return contestants.map(({ name }, index) => {
    const times = (samples[index] ?? []).map(({ time }) => time).sort((a, b) => a - b)
    const peaks = (samples[index] ?? []).map(({ peak }) => peak).sort((a, b) => a - b)
    return { name, median: at(times, 0.5), p95: at(times, 0.95), peak: at(peaks, 0.5) }
  })
}
