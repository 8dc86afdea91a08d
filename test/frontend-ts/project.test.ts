/** What a project is: EFFX0002, what it selects, versions and packages. */
import { expect, layer } from "@effect/vitest"
import { ENGINE_VERSION } from "@effx/frontend-ts"
import { Effect } from "effect"
import { marksOf, siteOf, Workbench } from "./workbench.ts"

layer(Workbench.layer)("project facts", (it) => {
  /** `tsconfig` may have one mark, where the finding stands; comments are allowed in it. */
  const invalid = (title: string, tsconfig: string, expected: RegExp, located = true) =>
    it.effect(`EFFX0002: ${title}`, () =>
      Effect.gen(function* () {
        const { run } = yield* Workbench
        const { project } = yield* run({ "tsconfig.json": tsconfig, "src/domain.ts": "export {}" })
        expect(project.facts.diagnostics.map(({ code, severity }) => `${code} ${severity}`)).toEqual(["EFFX0002 error"])
        expect(project.facts.diagnostics[0]?.message).toMatch(expected)
        expect(project.facts.diagnostics.map(siteOf)).toEqual(
          located ? marksOf("tsconfig.json", tsconfig) : [undefined]
        )
      })
    )
  invalid(
    "an option with an unknown value",
    `{ "compilerOptions": { "types": [], "lib": ["esnext"], "target": /*<*/"es2099"/*>*/ }, "include": ["src"] }`,
    /^tsconfig\.json is not valid: Argument for '--target' option must be/
  )
  invalid(
    "an unknown option",
    `{ "compilerOptions": { "types": [], "lib": ["esnext"], /*<*/"strickt"/*>*/: true }, "include": ["src"] }`,
    /Unknown compiler option 'strickt'/
  )
  invalid(
    "a base that is missing",
    `{ "extends": "./base.json", "compilerOptions": { "types": [], "lib": ["esnext"] }, "include": ["src"] }`,
    /base\.json/,
    false
  )

  it.effect("malformed JSON is EFFX0002 at the place", () =>
    Effect.gen(function* () {
      const { run } = yield* Workbench
      const { project } = yield* run({
        "tsconfig.json": `{ "compilerOptions": { "types": [] "strict": true }, "include": ["src"] }`
      })
      const [first] = project.facts.diagnostics
      expect(first?.code).toBe("EFFX0002")
      expect(first?.location).toMatchObject({ file: "tsconfig.json", line: 1 })
    })
  )

  it.effect("a file that is no JSON at all is one finding, and not one for each of its words", () =>
    Effect.gen(function* () {
      const { run } = yield* Workbench
      const { project } = yield* run({ "tsconfig.json": "import { a } from 'b'\nexport const c = [a]\n" })
      expect(project.facts.diagnostics.map(({ location }) => location)).toEqual([
        { file: "tsconfig.json", line: 1, col: 1 }
      ])
    })
  )

  it.effect("selecting nothing is a fact and no finding", () =>
    Effect.gen(function* () {
      const { run } = yield* Workbench
      const { collected, project } = yield* run({
        "tsconfig.json": JSON.stringify({ compilerOptions: { types: [] }, include: ["nowhere"] })
      })
      expect(project.facts.selectsNothing).toBe(true)
      expect(project.facts.diagnostics).toEqual([])
      expect(collected.declarations).toEqual([])
    })
  )

  it.effect("keeps the effx block as written", () =>
    Effect.gen(function* () {
      const { run } = yield* Workbench
      const { project } = yield* run({
        "tsconfig.json": `{ "compilerOptions": { "types": [] }, "include": ["src"], "effx": { "emit": "contract", /* kept */ "unknown": [1,] } }`
      })
      expect(project.facts.diagnostics).toEqual([])
      expect(project.facts.effxBlock).toEqual({ emit: "contract", unknown: [1] })
    })
  )

  it.effect("knows versions, copies of Effect and the package", () =>
    Effect.gen(function* () {
      const { run } = yield* Workbench
      const { project } = yield* run({
        "package.json": JSON.stringify({ name: "shop", version: "3.1.4", description: "A shop", type: "module" }),
        "node_modules/typescript/package.json": JSON.stringify({ name: "typescript", version: "5.9.3" })
      })
      expect(project.facts.versions).toEqual({
        typescript: ENGINE_VERSION,
        projectTypescript: "5.9.3",
        effect: "4.1.0"
      })
      expect(project.facts.effectCopies.map(({ version }) => version)).toEqual(["4.1.0"])
      expect(project.facts.package).toMatchObject({
        name: "shop",
        version: "3.1.4",
        description: "A shop",
        type: "module"
      })
    })
  )

  it.effect("sees a second copy of Effect that the program reaches", () =>
    Effect.gen(function* () {
      const { run } = yield* Workbench
      const { project } = yield* run({
        "src/main.ts": `import "other"\nimport "effect"`,
        "node_modules/other/package.json": JSON.stringify({ name: "other", version: "1.0.0", exports: "./index.ts" }),
        "node_modules/other/index.ts": `export * from "effect"`,
        "node_modules/other/node_modules/effect/package.json": JSON.stringify({
          name: "effect",
          version: "4.0.0",
          exports: "./index.ts"
        }),
        "node_modules/other/node_modules/effect/index.ts": "export const x = 1"
      })
      expect(project.facts.effectCopies.map(({ version }) => version).sort()).toEqual(["4.0.0", "4.1.0"])
    })
  )

  it.effect("positions count a byte-order mark only in spans", () =>
    Effect.gen(function* () {
      const { run } = yield* Workbench
      const source = `\uFEFFimport { Query } from "@effx/runtime"
import { Text } from "./domain.ts"
export class C { @Query({ success: Text }) /*<*/m/*>*/() { return "é" } }`
      const { findings, marks } = yield* run({ "src/main.ts": source })
      expect(findings.map(siteOf)).toEqual(marks("src/main.ts"))
      expect(findings[0]?.span?.start).toBe(Buffer.byteLength(source.slice(0, source.indexOf("m/*>*/"))))
    })
  )

  it.effect("documentation comes from the comment before a declaration", () =>
    Effect.gen(function* () {
      const { run } = yield* Workbench
      const { declaration } = yield* run({
        "src/main.ts": `import { Operation, Query } from "@effx/runtime"
import { Effect } from "effect"
import { Text } from "./domain.ts"
export class C {
  /**
   * Shows a {@link Text}. It is
   * short.
   *
   * - as ever
   *
   * @param input nothing
   */
  @Query({ success: Text })
  static m() { return Effect.succeed("") }
  @Query({ success: Text })
  static bare() { return Effect.succeed("") }
}
/** Reads {@link Text | a text} */
export const v = Operation.query({ success: Text }).handler(() => Effect.succeed(""))`
      })
      expect(declaration("C.m").docs).toEqual({ summary: "Shows a Text.", description: "It is short.\n\n- as ever" })
      expect(declaration("C.bare").docs).toBeUndefined()
      expect(declaration("v").docs).toEqual({ summary: "Reads a text" })
    })
  )
})
