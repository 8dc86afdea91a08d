/** What holds between processes: kills, competing builders, refusing disks. Every builder here is a process of its own. */
import { join } from "node:path"
import { expect, layer } from "@effect/vitest"
import { Duration, Effect, FileSystem, Random } from "effect"
import { contents, platform, project } from "../project.ts"
import { version, versionOf } from "./versions.ts"

const BUILDER = join(import.meta.dirname, "builder.ts")

interface Builder {
  readonly pid: number
  readonly kill: () => void
  /** Everything that it printed, when it has ended. */
  readonly output: Effect.Effect<string>
  /** The first line, as soon as it is there. */
  readonly firstLine: Effect.Effect<string>
  readonly end: () => void
}

/** Starts a builder, with an optional command in front of it that sets limits or the user. */
const start = (args: ReadonlyArray<string>, prefix: ReadonlyArray<string> = []) =>
  Effect.acquireRelease(
    Effect.sync((): Builder => {
      const child = Bun.spawn([...prefix, process.execPath, BUILDER, ...args], { stdin: "pipe", stderr: "inherit" })
      let text = ""
      let seen: (line: string) => void = () => undefined
      const line = new Promise<string>((resolve) => {
        seen = resolve
      })
      const all = (async () => {
        const decoder = new TextDecoder()
        for await (const chunk of child.stdout) {
          text += decoder.decode(chunk, { stream: true })
          if (text.includes("\n")) seen(text.slice(0, text.indexOf("\n")))
        }
        await child.exited
        seen(text)
        return text.trimEnd()
      })()
      return {
        pid: child.pid,
        kill: () => child.kill("SIGKILL"),
        output: Effect.promise(() => all),
        firstLine: Effect.promise(() => line),
        end: () => void child.stdin.end()
      }
    }),
    (builder) => Effect.andThen(Effect.sync(builder.kill), builder.output)
  )

const runBuilder = (args: ReadonlyArray<string>, prefix: ReadonlyArray<string> = []) =>
  Effect.scoped(Effect.flatMap(start(args, prefix), ({ output }) => output))

const expected = (n: number) => Object.fromEntries(version(n).map(({ path, text }) => [path, text]))

layer(platform, { excludeTestServices: true })((it) => {
  it.effect(
    "a kill at any moment leaves every file whole, old or new, and the next build repairs everything",
    () =>
      Effect.gen(function* () {
        const folder = yield* project({ "generated/sentinel.txt": "mine" })
        const owned = new Set([...version(0), ...version(1)].map(({ path }) => path))
        let next = 0
        for (let round = 0; round < 12; round++) {
          const moment = yield* Random.nextBetween(0, 250)
          yield* Effect.scoped(
            Effect.gen(function* () {
              const builder = yield* start(["forever", folder, String(next)])
              expect(yield* builder.firstLine).toBe("ready")
              // The moment of the kill is the input of this test.
              yield* Effect.sleep(Duration.millis(moment))
              builder.kill()
              yield* builder.output
            })
          )
          const left = yield* contents(folder)
          const seen = Object.entries(left).flatMap(([path, text]) => {
            if (!owned.has(path) || path.endsWith("manifest.json") || path.endsWith("constant.ts")) return []
            const whole = versionOf(text)
            expect(whole, `${path} is torn`).toBeDefined()
            return [whole ?? 0]
          })
          expect(left["generated/sentinel.txt"]).toBe("mine")
          next = Math.max(next, ...seen) + 1
          const repaired = yield* runBuilder(["once", folder, String(next)])
          expect(JSON.parse(repaired)).toHaveProperty("written")
          expect(yield* contents(folder)).toEqual({ "generated/sentinel.txt": "mine", ...expected(next) })
          next++
        }
      }),
    120_000
  )

  it.effect("of two builders the second is refused by name, also through a symlink alias, until the first ends", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* project({})
      const parent = yield* project({})
      yield* fs.symlink(folder, `${parent}/alias`)
      const holder = yield* start(["hold", folder])
      expect(yield* holder.firstLine).toBe("held")
      for (const path of [folder, `${parent}/alias`]) {
        expect(yield* runBuilder(["once", path, "0"])).toBe(
          `OutputBusy: another effx (process ${holder.pid}) is writing to ${folder}; wait until it ends or stop it`
        )
      }
      expect(yield* fs.readDirectory(folder)).toEqual([".effx"])
      holder.end()
      yield* holder.output
      yield* runBuilder(["once", `${parent}/alias`, "0"])
      expect(yield* contents(folder)).toEqual(expected(0))
    })
  )

  it.effect("takes the lock of a killed owner over, and of many contenders at most one is in at a time", () =>
    Effect.gen(function* () {
      const folder = yield* project({})
      const holder = yield* start(["hold", folder])
      yield* holder.firstLine
      holder.kill()
      yield* holder.output
      expect(Object.keys(yield* contents(folder))).toEqual([".effx/lock"])
      const contenders = Array.from({ length: 6 }, () => runBuilder(["contend", folder]))
      const results = yield* Effect.all(contenders, { concurrency: "unbounded" })
      expect(results).not.toContain("together")
      expect(results).toContain("alone")
      expect(results.every((result) => result === "alone" || result === "busy")).toBe(true)
      expect(yield* contents(folder)).toEqual({})
    })
  )

  it.effect("a folder that may not be written gives one line and keeps the old state", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* project({})
      const nobody = "65534"
      yield* fs.chmod(folder, 0o755)
      expect(yield* runBuilder(["once", folder, "0", nobody])).toBe(
        `OutputUnwritable: ${folder}/.effx cannot be created: permission denied`
      )
      expect(yield* fs.readDirectory(folder)).toEqual([])
      yield* runBuilder(["once", folder, "0"])
      expect(yield* runBuilder(["once", folder, "1", nobody])).toBe(
        `OutputUnwritable: the lock ${folder}/.effx/lock cannot be written: permission denied`
      )
      yield* fs.chmod(`${folder}/.effx`, 0o777)
      expect(yield* runBuilder(["once", folder, "1", nobody])).toBe(
        `OutputUnwritable: ${folder}/generated/always.ts cannot be written: permission denied`
      )
      expect(yield* contents(folder)).toEqual(expected(0))
    })
  )

  it.effect("a full disk gives one line and keeps the old state", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* project({})
      const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=1m", "effx-test", folder]).exitCode === 0
      yield* Effect.addFinalizer(() => Effect.sync(() => mounted && Bun.spawnSync(["umount", folder])))
      // Without the right to mount, a limit on the size of files refuses the large file just as well.
      const limited = mounted ? [] : ["prlimit", "--fsize=200000"]
      const reason = mounted ? "no space left on the disk" : "the file would be too large"
      yield* runBuilder(["once", folder, "0"])
      const before = yield* contents(folder)
      expect(before).toEqual(expected(0))
      if (mounted) yield* fs.writeFileString(`${folder}/ballast`, "x".repeat(350_000))
      expect(yield* runBuilder(["once", folder, "1"], limited)).toBe(
        `OutputUnwritable: ${folder}/generated/deep/down/large.ts cannot be written: ${reason}`
      )
      if (mounted) yield* fs.remove(`${folder}/ballast`)
      expect(yield* contents(folder)).toEqual(before)
      yield* runBuilder(["once", folder, "1"])
      expect(yield* contents(folder)).toEqual(expected(1))
    })
  )
})
