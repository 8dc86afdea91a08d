/** The engine process belongs to its scope; its death is a fault for everyone, and questions travel in waves. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { SourceFrontend } from "@effx/frontend-ts"
import { Cause, Effect, Exit, Option } from "effect"
import { startEngine } from "../../src/frontend-ts/engine.ts"
import { takeSnapshot } from "../../src/frontend-ts/snapshot.ts"
import { overlaysOf, ROOT, withImports } from "./workbench.ts"

const TSCONFIG_PATH = `${ROOT}/tsconfig.json`

/** Whether a process still runs; one that only waits to be reaped does not. */
const runs = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))
  } catch {
    return false
  }
}

const faultOf = (exit: Exit.Exit<unknown, unknown>): unknown =>
  Exit.isFailure(exit) ? Option.getOrUndefined(Cause.findErrorOption(exit.cause)) : undefined

describe("the engine", () => {
  it.live("ends with its scope", () =>
    Effect.gen(function* () {
      const pid = yield* Effect.scoped(
        Effect.gen(function* () {
          const engine = yield* startEngine({ cwd: "/" })
          expect(runs(engine.pid ?? 0)).toBe(true)
          return engine.pid ?? 0
        })
      )
      expect(runs(pid)).toBe(false)
    })
  )

  // The clock of this test stands still, so that no bound on the time of an end can help.
  it.effect("ends at once, whatever it holds and is asked", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const engine = yield* startEngine({ cwd: "/" })
        const world = yield* engine.load(takeSnapshot(overlaysOf({})), TSCONFIG_PATH)
        yield* Effect.forkScoped(world?.program.fileNames ?? Effect.die("not loaded"))
        yield* Effect.forkScoped(engine.load(takeSnapshot(overlaysOf({})), TSCONFIG_PATH))
        yield* Effect.yieldNow
      })
    )
  )

  it.live("fails what is pending and what comes later when it dies", () =>
    Effect.gen(function* () {
      const engine = yield* startEngine({ cwd: "/" })
      const world = yield* engine.load(takeSnapshot(overlaysOf({})), TSCONFIG_PATH)
      const questions = Effect.all(
        Array.from({ length: 20 }, () => world?.program.fileNames ?? Effect.die("not loaded")),
        { concurrency: "unbounded" }
      )
      process.kill(engine.pid ?? 0, "SIGKILL")
      const pending = yield* Effect.exit(questions)
      expect(faultOf(pending)).toMatchObject({ _tag: "CompilerFault", stage: "engine" })
      const later = yield* Effect.exit(engine.load(takeSnapshot(overlaysOf({})), TSCONFIG_PATH))
      expect(faultOf(later)).toMatchObject({ _tag: "CompilerFault", stage: "engine" })
    }).pipe(Effect.scoped)
  )

  it.live("is a fault when it cannot be started", () =>
    Effect.gen(function* () {
      const missing = yield* Effect.exit(Effect.scoped(startEngine({ cwd: "/", executable: "/nonexistent" })))
      expect(faultOf(missing)).toMatchObject({ _tag: "CompilerFault", stage: "engine" })
      const folder = mkdtempSync(join(tmpdir(), "effx-engine-"))
      const script = join(folder, "tsc")
      writeFileSync(script, "#!/bin/sh\nexit 0\n")
      chmodSync(script, 0o755)
      const silent = yield* Effect.exit(Effect.scoped(startEngine({ cwd: "/", executable: script })))
      rmSync(folder, { recursive: true })
      expect(faultOf(silent)).toMatchObject({ _tag: "CompilerFault", stage: "engine" })
    })
  )

  it.live("survives texts that would kill it", () =>
    Effect.gen(function* () {
      const engine = yield* startEngine({ cwd: "/" })
      const text = `export const a = "\uD800"\n${"(".repeat(2000)}\u0000`
      const world = yield* engine.load(takeSnapshot(overlaysOf({ "src/a.ts": text })), TSCONFIG_PATH)
      const file = yield* world?.program.sourceFile(`${ROOT}/src/a.ts`) ?? Effect.undefined
      expect(file?.text).toBe(text.toWellFormed())
    }).pipe(Effect.scoped)
  )

  it.live("answers 1,000 handlers with as many messages as one", () =>
    Effect.gen(function* () {
      const count = (operations: number) =>
        Effect.gen(function* () {
          const frontend = yield* SourceFrontend
          const methods = Array.from(
            { length: operations },
            (
              _,
              index
            ) => `@Query({ name: "M${index}", input: Get, success: User }) @Errors(NotFound) @Requirements(Users)
  @Http.Get("/m${index}/:id") static m${index}(input: typeof Get.Type) { return Users.use((users) => users.get(input.id)) }`
          )
          const source = withImports(`export class C {\n${methods.join("\n")}\n}`)
          const project = yield* frontend.open({
            tsconfigPath: TSCONFIG_PATH,
            overlays: overlaysOf({ "src/main.ts": source }),
            engine: { timing: true }
          })
          const collected = yield* project.collect({ outDir: `${ROOT}/.effx/generated` })
          expect(collected.declarations).toHaveLength(operations)
          return (yield* project.messages).count
        }).pipe(Effect.scoped)
      const one = yield* count(1)
      const thousand = yield* count(1000)
      expect(thousand).toBeLessThanOrEqual(one + 2)
      expect(one).toBeLessThanOrEqual(40)
    }).pipe(Effect.provide(SourceFrontend.layer))
  )
})
