/**
 * A session without files and threads, for thousands of them: each document whose text has `FAULT` has one finding there, and every now
 * and then the project cannot be analysed.
 */
import { EFFX0002 } from "@effx/diagnostics"
import type { Overlays } from "@effx/frontend-ts"
import type { openSession, RunResult, Session, SessionOptions } from "@effx/session"
import { Effect, Queue } from "effect"
import { findingsOf } from "./fake-frontend.ts"

/** Every so many results is a failure. */
const FAILING = 7

const opened = Effect.fnUntraced(function* ({ cwd, emit }: SessionOptions) {
  const overlays = yield* Queue.sliding<Overlays>(1)
  const selection = { cwd, tsconfig: `${cwd}/tsconfig.json`, folder: cwd }
  let cycle = 0
  const run = Effect.gen(function* () {
    yield* emit({ _tag: "Started", selection, coverage: { declared: 0, loaded: 0, inputs: 0 } })
    while (true) {
      const analysed = yield* Queue.take(overlays)
      cycle++
      yield* emit({ _tag: "CycleStarted", cycle, reason: { _tag: "Asked" } })
      yield* Effect.yieldNow
      const diagnostics = findingsOf(cwd, analysed)
      const result: RunResult = {
        root: cwd,
        selection,
        diagnostics: [...diagnostics, EFFX0002.make({ file: "x", reason: "it has no place" })],
        counts: { error: diagnostics.length + 1, warning: 0, info: 0 },
        revision: ""
      }
      yield* cycle % FAILING === 0
        ? emit({ _tag: "Failed", cycle, message: "it fails" })
        : emit({
            _tag: "Checked",
            cycle,
            result,
            milliseconds: 0,
            textOf: (path) => analysed.get(path),
            overlays: analysed
          })
    }
  }) as Session["run"]
  return {
    prepared: { selection },
    recheck: Effect.void,
    setOverlays: (next) => Effect.asVoid(Queue.offer(overlays, next)),
    run
  } satisfies Session as Session
})

export const fakeSession = opened as unknown as typeof openSession
