/**
 * A walk: seeded operations on a project while `effx dev` watches it, and at every stop the question whether its last word is what a
 * fresh `effx check` says of the same tree.
 *
 * Nothing waits for time to pass. A stop changes a cookie, which is an input of the project, and awaits the `settled` that covers it.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CALM, HEAVY, type Kind, OPERATIONS, restore } from "./operations.ts"
import { makeProject, TSCONFIGS } from "./project.ts"
import { randomOf } from "./random.ts"

export interface WalkOptions {
  readonly seed: number
  readonly steps: number
  /** How often each heavy operation is done. */
  readonly heavy: number
  /** The program: `EFFX_BIN`. */
  readonly effx: string
  readonly env?: Readonly<Record<string, string>>
  readonly log?: (line: string) => void
}

export interface Walked {
  readonly seed: number
  readonly histogram: Readonly<Record<Kind, number>>
  readonly comparisons: number
  /** Comparisons with a finding, and those in which the project could not be checked at all. */
  readonly withFindings: number
  readonly unusable: number
  /** Every code that some comparison had. */
  readonly codes: ReadonlyArray<string>
  /** Undefined when every comparison was equal. */
  readonly difference: Difference | undefined
}

export interface Difference {
  readonly step: number
  readonly dev: unknown
  readonly check: unknown
  /** What was done since the comparison before, one line each. */
  readonly done: ReadonlyArray<string>
}

/** Steps between two comparisons. */
export const STRIDE = 25

/** The share of strides that begin with the project as it was and leave its files in place. */
const CALM_SHARE = 0.4

/** The share of pauses in a calm stride at which is compared. */
const CALM_COMPARISONS = 0.25

/** At most how many steps the session sees at once. */
const BURST = 8
const CALM_BURST = 3

/** How long a session may take to settle before the walk gives up, in milliseconds. */
const PATIENCE = 120_000

/** How many cycles in a row may name no cookie; the last one began after everything that was done before the first. */
const UNNAMED = 3

/** How many turns of the event loop empty the pipe of a session's records. */
const TURNS = 20

interface DevRecord {
  readonly kind: string
  readonly cycle: number
  readonly files: ReadonlyArray<string>
  readonly diagnostics: ReadonlyArray<unknown>
  readonly message: string
  readonly revision: string | null
}

/** Permissions say nothing to root, so the program runs as nobody there. */
const AS_NOBODY = process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"] : []

const start = (args: ReadonlyArray<string>, { effx, env }: WalkOptions, cwd: string): ChildProcess => {
  const [command = effx, ...rest] = [...AS_NOBODY, effx, ...args]
  return spawn(command, rest, {
    cwd,
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"]
  })
}

const startDev = (options: WalkOptions, cwd: string) => {
  const child = start(["dev", "--format", "json"], options, cwd)
  const records: Array<DevRecord> = []
  let rest = ""
  let stderr = ""
  let ended: string | undefined
  let wake = () => {}
  child.stdout?.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) records.push(JSON.parse(line))
    wake()
  })
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-4_000)
  })
  const closed = new Promise<void>((resolve) => {
    child.on("close", (code, signal) => {
      ended = `it ended with ${code ?? signal}`
      wake()
      resolve()
    })
  })
  /** The first record from `from` on that is wanted. */
  const until = (from: number, wanted: (record: DevRecord) => boolean): Promise<number> =>
    new Promise((resolve, reject) => {
      let at = from
      const give = (why: string) => {
        const last = records.slice(-8).map((record) => JSON.stringify(record).slice(0, 400))
        reject(new Error(`effx dev did not settle: ${why}\n${last.join("\n")}\n${stderr}`))
      }
      const timer = setTimeout(() => give("no record came"), PATIENCE)
      wake = () => {
        for (; at < records.length; at++) {
          const record = records[at]
          if (record === undefined || !wanted(record)) continue
          clearTimeout(timer)
          wake = () => {}
          return resolve(at)
        }
        if (ended === undefined) return
        clearTimeout(timer)
        give(ended)
      }
      wake()
    })
  return {
    records,
    until,
    /** Takes in what was said while an operation held this process up. */
    drained: async () => {
      for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve))
    },
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    end: () => {
      child.kill("SIGKILL")
      return closed
    }
  }
}

/** What a fresh check says, in the terms of the records of a session. */
const freshCheck = (options: WalkOptions, cwd: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const child = start(["check", "--format", "json"], options, cwd)
    const [out, err]: [Array<Buffer>, Array<Buffer>] = [[], []]
    child.stdout?.on("data", (chunk) => out.push(chunk))
    child.stderr?.on("data", (chunk) => err.push(chunk))
    child.on("error", reject)
    child.on("close", (code) => {
      if (code !== 0 && code !== 1) {
        const message = Buffer.concat(err)
          .toString()
          .trimEnd()
          .replace(/^effx: /, "")
        return resolve({ fault: message, revision: null })
      }
      const records = Buffer.concat(out)
        .toString()
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
      resolve({
        diagnostics: records.slice(0, -1).map(({ kind: _kind, schema: _schema, ...rest }) => rest),
        revision: records.at(-1).revision
      })
    })
  })

/** Whether the tsconfig as it is selects the cookie. */
const cookieIsInput = (app: string): boolean => {
  try {
    const text = readFileSync(join(app, "tsconfig.json"), "utf8").trimEnd()
    return TSCONFIGS.some((one) => one.cookie && one.text.trimEnd() === text)
  } catch {
    return false
  }
}

/** Changes something on which every state of the project depends, and nothing that it means. */
const changeCookie = (app: string, number: number): string => {
  if (cookieIsInput(app)) {
    writeFileSync(join(app, "cookie.ts"), `export const cookie = ${number}\n`)
    return "cookie.ts"
  }
  const tsconfig = join(app, "tsconfig.json")
  if (lstatSync(tsconfig, { throwIfNoEntry: false })?.isFile()) {
    writeFileSync(tsconfig, `${readFileSync(tsconfig, "utf8").trimEnd()}${"\n".repeat(1 + (number % 100))}`)
    return "tsconfig.json"
  }
  // Without a tsconfig there is no project; a session waits for anything to happen in its folder.
  writeFileSync(join(app, `waiting${number}`), "")
  rmSync(join(app, `waiting${number}`))
  return "tsconfig.json"
}

const shareOfHeavy = (steps: number, heavy: number): ReadonlyMap<number, keyof typeof HEAVY> => {
  const kinds = Object.keys(HEAVY) as Array<keyof typeof HEAVY>
  const times = kinds.flatMap((kind) => Array.from({ length: heavy }, () => kind))
  return new Map(times.map((kind, at) => [Math.floor(((at + 0.5) * steps) / times.length), kind] as const))
}

/** Walks until the steps are done or a comparison differs. */
export const walk = async (options: WalkOptions): Promise<Walked> => {
  const { heavy, seed, steps } = options
  const log = options.log ?? (() => {})
  const random = randomOf(seed)
  const top = mkdtempSync(join(tmpdir(), "effx-walk-"))
  chmodSync(top, 0o755)
  makeProject(top)
  const app = join(top, "app")
  const dev = startDev(options, app)
  const histogram = Object.fromEntries(
    [...Object.keys(OPERATIONS), ...Object.keys(HEAVY)].map((kind) => [kind, 0])
  ) as Record<Kind, number>
  const kinds = Object.keys(OPERATIONS) as Array<keyof typeof OPERATIONS>
  const rare = shareOfHeavy(steps, heavy)
  let number = 0
  const next = () => ++number
  let cookies = 0

  /**
   * Index of the `settled` that covers everything done before: of a cycle that names the cookie. A cycle can read the cookie without
   * naming it, when it began before, and one that opens the project anew names nothing; then the cookie is changed again.
   */
  const quiet = async (): Promise<number> => {
    await dev.drained()
    for (let unnamed = 1; ; unnamed++) {
      const mark = dev.records.length
      const file = changeCookie(app, ++cookies)
      const names = ({ files, kind }: DevRecord) => kind === "cycle-started" && files.includes(file)
      const found = await dev.until(mark, (record) => record.kind === "settled" || names(record))
      if (dev.records[found]?.kind !== "settled") return dev.until(found, ({ kind }) => kind === "settled")
      if (unnamed === UNNAMED) return found
    }
  }
  const settle = async () => void (await quiet())

  const compare = async () => {
    const settled = await quiet()
    const batch = dev.records.slice(0, settled).findLast(({ kind }) => kind === "diagnostics" || kind === "fault")
    const revision = dev.records[settled]?.revision
    const said =
      batch?.kind === "fault" ? { fault: batch.message, revision } : { diagnostics: batch?.diagnostics, revision }
    return { dev: said, check: (await freshCheck(options, app)) as typeof said }
  }

  let comparisons = 0
  let withFindings = 0
  let unusable = 0
  const codes = new Set<string>()
  let difference: Difference | undefined
  try {
    await dev.until(0, ({ kind }) => kind === "settled")
    let done: Array<string> = []
    let burst = 1 + random.below(BURST)
    let calm = false
    for (let step = 1; step <= steps && difference === undefined; step++) {
      const begins = step % STRIDE === 1
      if (begins) calm = random.chance(CALM_SHARE)
      const kind = rare.get(step) ?? (begins && calm ? "checkout" : random.pick(calm ? CALM : kinds))
      histogram[kind]++
      const operation = begins && calm && kind === "checkout" ? restore : { ...OPERATIONS, ...HEAVY }[kind]
      const what = await operation({ top, random, next, settle, signal: dev.signal })
      done.push(`${step} ${kind}: ${what}`)
      log(`${step} ${kind}: ${what}`)
      const paused = step % STRIDE === 0 || step === steps || --burst <= 0
      if (!paused) continue
      burst = 1 + random.below(calm ? CALM_BURST : BURST)
      // What a session keeps wrongly in a calm stride, the next edit can repair before the stride ends.
      if (step % STRIDE !== 0 && step !== steps && !(calm && random.chance(CALM_COMPARISONS))) {
        await settle()
        done.push("settled")
        continue
      }
      const { check, dev: said } = await compare()
      comparisons++
      const found = codesOf(check.diagnostics)
      for (const code of found) codes.add(code)
      log(`= ${check.fault ?? found.join(" ")}`)
      if (check.fault !== undefined) unusable++
      else if (found.length > 0) withFindings++
      if (JSON.stringify(said) !== JSON.stringify(check)) difference = { step, dev: said, check, done }
      done = []
    }
  } finally {
    await dev.end()
    if (difference === undefined || process.env.EFFX_WALK_KEEP !== "1") rmSync(top, { recursive: true, force: true })
    else log(`the tree is kept at ${top}`)
  }
  return { seed, histogram, comparisons, withFindings, unusable, codes: [...codes].sort(), difference }
}

/** Each code once. */
const codesOf = (diagnostics: ReadonlyArray<unknown> = []): ReadonlyArray<string> => [
  ...new Set((diagnostics as ReadonlyArray<{ readonly code: string }>).map(({ code }) => code))
]

/** A walk in a few lines. */
export const summary = ({ codes, comparisons, difference, histogram, seed, unusable, withFindings }: Walked): string =>
  [
    `seed ${seed}: ${comparisons} comparisons, ${withFindings} with findings, ${unusable} of a project that cannot be checked`,
    codes.join(", "),
    Object.entries(histogram)
      .map(([kind, count]) => `${kind} ${count}`)
      .join(", "),
    ...(difference === undefined
      ? []
      : [
          `differs at step ${difference.step}`,
          ...difference.done,
          `dev:   ${JSON.stringify(difference.dev)}`,
          `check: ${JSON.stringify(difference.check)}`
        ])
  ].join("\n")
