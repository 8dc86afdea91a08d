import { join } from "node:path"
import { expect, layer } from "@effect/vitest"
import { CONFIG_DEADLINE, loadConfig } from "@effx/session"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { platform, project } from "./project.ts"

const LOADER = join(import.meta.dirname, "config-loader.ts")

/** What the program's own runtime makes of configs, one line each; a stack anywhere would be more lines. */
const loaded = Effect.fnUntraced(function* (...texts: ReadonlyArray<string>) {
  const files = Object.fromEntries(texts.map((text, index) => [`c${index}/effx.config.ts`, text]))
  const folder = yield* project({ "helper.ts": "export const fail = () => { throw new Error('deep') }", ...files })
  const paths = Object.keys(files).map((name) => `${folder}/${name}`)
  const child = Bun.spawnSync([process.execPath, "--no-install", LOADER, ...paths])
  return { lines: child.stdout.toString().trimEnd().split("\n"), errors: child.stderr.toString() }
})

layer(platform)((it) => {
  it.effect("gives one finding for each way to fail, at its place in the config and without a stack", () =>
    Effect.gen(function* () {
      const { errors, lines } = yield* loaded(
        `export default { emit: "contract", project: undefined }`,
        `import { defineConfig } from "@effx/cli/config"\nexport default defineConfig({})`,
        `import { x } from "./gone.ts"\nexport default x`,
        `const a = 1\nexport default { a: ; }`,
        `const é = "😀"; throw new Error("no\\nluck")`,
        `import { fail } from "../helper.ts"\n\nexport default { a: fail() }`,
        `throw "plain"`,
        `export const config = {}`,
        `export default 1`,
        `export default { emit: "some" }`
      )
      expect(errors).toBe("")
      const name = "effx.config.ts is not valid:"
      expect(lines).toEqual([
        `{"emit":"contract"}`,
        `1:31 ${name} it imports @effx/cli/config, which this project does not have; add the package @effx/cli to its devDependencies and install it`,
        `${name} it imports ./gone.ts, which cannot be found`,
        `2:21 ${name} it is not well-formed TypeScript: Unexpected ;`,
        expect.stringMatching(/^1:\d+ effx\.config\.ts is not valid: it throws: no$/),
        `3:21 ${name} it throws: deep`,
        `${name} it throws plain`,
        `${name} it has no default export; export default defineConfig({ … })`,
        `${name} its default export must be a plain object`,
        `1:18 ${name} emit must be one of "contract", "handlers", "all"`
      ])
    })
  )

  it.effect("gives up on a config that never settles", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "effx.config.mjs": "await new Promise(() => {})" })
      const fiber = yield* Effect.forkChild(Effect.flip(loadConfig(`${folder}/effx.config.mjs`, folder)))
      // The evaluation begins in its own time, so the clock moves on until the deadline has been seen.
      const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* Effect.forkChild(Effect.forever(Effect.andThen(TestClock.adjust(CONFIG_DEADLINE), turn)))
      expect(yield* Fiber.join(fiber)).toMatchObject({
        diagnostics: [{ message: "effx.config.mjs is not valid: it does not settle within 30 seconds" }]
      })
    })
  )
})
