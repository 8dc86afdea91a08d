/**
 * What a start pays for its proofs: `bun test/bench/start.ts TOP [ROUNDS]`, with `TOP` an unpacked release. Each round is a process of
 * its own, since a start runs every function for the first time; the table has the least and the median of all rounds.
 */
import { writeSync } from "node:fs"
import { join } from "node:path"
import { spawnSync } from "bun"

const [top = "", rounds = "25"] = process.argv.slice(2)
const samples = new Map<string, Array<number>>()

for (let round = 0; round < Number(rounds); round++) {
  for (const part of ["", "manifest"]) {
    const ended = spawnSync([process.execPath, "--no-env-file", join(import.meta.dir, "start-probe.ts"), top, part])
    if (ended.exitCode !== 0) throw new Error(ended.stderr.toString())
    for (const [name, time] of Object.entries(JSON.parse(ended.stdout.toString()) as Record<string, number>)) {
      samples.set(name, [...(samples.get(name) ?? []), time])
    }
  }
}

for (const [name, times] of samples) {
  const sorted = [...times].sort((a, b) => a - b)
  const [least = 0, median = 0] = [sorted[0], sorted[Math.floor(sorted.length / 2)]]
  writeSync(1, `| ${name} | ${least.toFixed(2)} ms | ${median.toFixed(2)} ms |\n`)
}
