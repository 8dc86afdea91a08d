/**
 * Looks at paths every few seconds where no hint need come, in a thread of its own: what looks leave behind costs next to nothing
 * to collect in a small heap, and in that of a session more than the looks themselves. So a session in which nothing happens does
 * nothing.
 *
 * Guarantees: its word is a hint and never taken for a fact; it gives one whenever something differs from the look before, one after
 * the first look at other paths, since it cannot say what happened until then, and one when the process did not run for a while; its
 * looks take a bounded share of the time; the thread ends with the scope.
 */
import { Deferred, Duration, Effect } from "effect"
import { LIMITS } from "../limits.ts"

/** What may differ: something near, which is looked at often; something far, which is looked at rarely; anything, since time was lost. */
export type SentinelHint = "near" | "far" | "lost"

/** Starts the thread that its argument makes. */
export type StartThread = (make: () => Worker) => Worker

export interface SentinelOptions {
  readonly onHint: (hint: SentinelHint) => void
  /** Where that takes more than making it. */
  readonly startThread?: StartThread | undefined
}

/** What to look at. */
export interface Outlook {
  /** Paths whose content or entries matter: those of the project. */
  readonly whole: ReadonlyArray<string>
  /** Paths of the project of which only matters what they lead to: everybody may write to such a folder. */
  readonly names: ReadonlyArray<string>
  /** All others. */
  readonly far: ReadonlyArray<string>
}

export interface Sentinel {
  /** Looks at exactly these paths from now on. */
  readonly cover: (outlook: Outlook) => void
}

/** What the thread is sent: paths of one distance, the whole ones first, and how often to look. */
interface Order {
  readonly distance: "near" | "far"
  readonly paths: ReadonlyArray<string>
  readonly whole: number
  /** In milliseconds. */
  readonly pause: number
  readonly share: number
}

/** The thread's whole program: it is sent as text, so it names nothing from outside itself. */
const program = (): void => {
  const { lstatSync, statSync } = process.getBuiltinModule("node:fs")
  const NO_ERROR = { throwIfNoEntry: false } as const

  const witness = (path: string, isWhole: boolean): string => {
    try {
      const own = lstatSync(path, NO_ERROR)
      if (own === undefined) return ""
      const end = own.isSymbolicLink() ? statSync(path, NO_ERROR) : own
      if (end === undefined) return `${own.ino}`
      const place = `${own.ino}:${end.dev}:${end.ino}:${end.mode}`
      return isWhole ? `${place}:${end.size}:${end.mtimeMs}:${end.ctimeMs}` : place
    } catch (error) {
      return String(error)
    }
  }
  const looking = () => {
    let timer: Timer | undefined
    return ({ distance, paths, pause, share, whole }: Order): void => {
      let seen: ReadonlyArray<string> | undefined
      const look = (due: number): void => {
        const began = Date.now()
        const now = paths.map((path, at) => witness(path, at < whole))
        if (began > due + pause) postMessage("lost")
        else if (seen === undefined || seen.some((before, at) => before !== now[at])) postMessage(distance)
        seen = now
        const wait = Math.max(pause, (Date.now() - began) * share)
        timer = setTimeout(look, wait, Date.now() + wait)
      }
      clearTimeout(timer)
      if (paths.length > 0) look(Date.now())
    }
  }
  const followers = { near: looking(), far: looking() }
  postMessage("ready")
  addEventListener("message", ({ data }: MessageEvent<Order>) => followers[data.distance](data))
}

/** Starts the thread, which looks at nothing yet. */
export const makeSentinel = ({ onHint, startThread = (make) => make() }: SentinelOptions) =>
  Effect.gen(function* () {
    const url = yield* Effect.acquireRelease(
      Effect.sync(() => URL.createObjectURL(new Blob([`(${program})()`], { type: "text/javascript" }))),
      (url) => Effect.sync(() => URL.revokeObjectURL(url))
    )
    const ended = yield* Deferred.make<void>()
    const thread = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const thread = startThread(() => new Worker(url, { smol: true, name: "sentinel" }))
        thread.addEventListener("close", () => Deferred.doneUnsafe(ended, Effect.void))
        return thread
      }),
      (thread) =>
        Effect.sync(() => thread.terminate()).pipe(
          Effect.andThen(Deferred.await(ended)),
          Effect.timeoutOption(LIMITS.sentinelEnd)
        )
    )
    thread.onmessage = ({ data }: MessageEvent<SentinelHint | "ready">) => {
      if (data !== "ready") onHint(data)
    }
    const sent = new Map<Order["distance"], Order>()
    const send = (order: Order): void => {
      const before = sent.get(order.distance)
      const same = before?.paths.length === order.paths.length && before.whole === order.whole
      if (same && order.paths.every((path, at) => path === before.paths[at])) return
      sent.set(order.distance, order)
      thread.postMessage(order)
    }
    const sentinel: Sentinel = {
      cover: ({ far, names, whole }) => {
        send({
          distance: "near",
          paths: [...whole, ...names],
          whole: whole.length,
          pause: Duration.toMillis(LIMITS.lookAround),
          share: LIMITS.lookAroundPause
        })
        send({
          distance: "far",
          paths: far,
          whole: far.length,
          pause: Duration.toMillis(LIMITS.lookEverywhere),
          share: LIMITS.lookEverywherePause
        })
      }
    }
    return sentinel
  })
