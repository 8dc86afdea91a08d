/** Identities and module specifiers (Spec 0002, "Module specifier" and "StableIds"), and EFFX1106. */
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type Files, ROOT, siteOf, TSCONFIG, Workbench, withImports } from "./workbench.ts"

const MAIN = "src/main.ts"
const uses = (imports: string, name: string): string => `${withImports(imports)}
export class C {
  @Query({ name: "C.m", success: Text })
  @Errors(/*<*/${name}/*>*/)
  static m() { return Effect.fail(new ${name}({})) }
}`
const error = (name: string): string => `import { Schema } from "effect"
export class ${name} extends Schema.TaggedError<${name}>()("${name}", {}) {}`
const manifest = (name: string, rest: object): string =>
  JSON.stringify({ name, version: "1.0.0", type: "module", ...rest })

layer(Workbench.layer)("references", (it) => {
  const refers = (
    title: string,
    imports: string,
    name: string,
    files: Files,
    expected: { readonly module: string; readonly export: string; readonly id: string; readonly specifier: string }
  ) =>
    it.effect(title, () =>
      Effect.gen(function* () {
        const { run } = yield* Workbench
        const { annotation, collected, declaration, findings } = yield* run({ ...files, [MAIN]: uses(imports, name) })
        expect(findings).toEqual([])
        const ref = { module: expected.module, export: expected.export, symbolId: expected.id }
        expect(annotation("C.m", "Errors").args).toEqual([{ _tag: "Schema", ref }])
        expect(declaration("C.m").signature?.errors).toMatchObject({
          _tag: "Known",
          members: [{ _tag: "Schema", ref }]
        })
        expect(collected.modules[expected.module]).toBe(expected.specifier)
      })
    )

  refers(
    "a namespace inside a namespace that a package exports",
    `import { Outer } from "deep"`,
    "Outer.Inner.Lost",
    {
      "node_modules/deep/package.json": manifest("deep", { exports: { ".": "./index.ts" } }),
      "node_modules/deep/index.ts": `export * as Outer from "./outer.ts"`,
      "node_modules/deep/outer.ts": `export * as Inner from "./inner.ts"`,
      "node_modules/deep/inner.ts": error("Lost")
    },
    {
      module: "deep",
      export: "Outer.Inner.Lost",
      id: "schema:deep/Outer.Inner.Lost",
      specifier: "deep"
    }
  )

  refers(
    "a file of the project",
    `import { Lost } from "./deep/lost.ts"`,
    "Lost",
    { "src/deep/lost.ts": error("Lost") },
    {
      module: "../../src/deep/lost",
      export: "Lost",
      id: "schema:src/deep/lost/Lost",
      specifier: "../../src/deep/lost.ts"
    }
  )
  refers(
    "a barrel changes nothing",
    `import { Gone } from "./index.ts"`,
    "Gone",
    {
      "src/index.ts": `export { Lost as Gone } from "./deep/index.ts"`,
      "src/deep/index.ts": `export * from "./lost.ts"`,
      "src/deep/lost.ts": error("Lost")
    },
    {
      module: "../../src/deep/lost",
      export: "Lost",
      id: "schema:src/deep/lost/Lost",
      specifier: "../../src/deep/lost.ts"
    }
  )
  refers(
    "an .mts file",
    `import { Lost } from "./lost.mts"`,
    "Lost",
    { "src/lost.mts": error("Lost") },
    {
      module: "../../src/lost",
      export: "Lost",
      id: "schema:src/lost/Lost",
      specifier: "../../src/lost.mts"
    }
  )
  refers(
    "a package by its name",
    `import { Lost } from "lost-errors"`,
    "Lost",
    {
      "node_modules/lost-errors/package.json": manifest("lost-errors", {
        exports: { ".": "./src/index.ts", "./deep": "./src/lost.ts" }
      }),
      "node_modules/lost-errors/src/index.ts": `export * from "./lost.ts"`,
      "node_modules/lost-errors/src/lost.ts": error("Lost")
    },
    { module: "lost-errors", export: "Lost", id: "schema:lost-errors/Lost", specifier: "lost-errors" }
  )
  refers(
    "a package by the subpath that the author wrote",
    `import { Lost } from "lost-errors/deep"`,
    "Lost",
    {
      "node_modules/lost-errors/package.json": manifest("lost-errors", {
        exports: { ".": "./src/index.ts", "./deep": "./src/lost.ts" }
      }),
      "node_modules/lost-errors/src/index.ts": `export * from "./lost.ts"`,
      "node_modules/lost-errors/src/lost.ts": error("Lost")
    },
    { module: "lost-errors/deep", export: "Lost", id: "schema:lost-errors/deep/Lost", specifier: "lost-errors/deep" }
  )
  refers(
    "a package of the workspace inside the project by its name",
    `import { Lost } from "lost-errors"`,
    "Lost",
    {
      "tsconfig.json": JSON.stringify({
        ...TSCONFIG,
        compilerOptions: { ...TSCONFIG.compilerOptions, paths: { "lost-errors": ["./packages/lost-errors/lost.ts"] } }
      }),
      "packages/lost-errors/package.json": manifest("lost-errors", { exports: "./lost.ts" }),
      "packages/lost-errors/lost.ts": error("Lost")
    },
    { module: "lost-errors", export: "Lost", id: "schema:lost-errors/Lost", specifier: "lost-errors" }
  )
  refers(
    "a namespace of a package",
    `import { Errors as E } from "lost-errors"`,
    "E.Lost",
    {
      "node_modules/lost-errors/package.json": manifest("lost-errors", { exports: "./index.ts" }),
      "node_modules/lost-errors/index.ts": `export * as Errors from "./lost.ts"`,
      "node_modules/lost-errors/lost.ts": error("Lost")
    },
    { module: "lost-errors", export: "Errors.Lost", id: "schema:lost-errors/Errors.Lost", specifier: "lost-errors" }
  )
  refers(
    "a path alias into the project",
    `import { Lost } from "#errors"`,
    "Lost",
    {
      "package.json": manifest("virtual", { imports: { "#errors": "./src/lost.ts" } }),
      "src/lost.ts": error("Lost")
    },
    { module: "../../src/lost", export: "Lost", id: "schema:src/lost/Lost", specifier: "../../src/lost.ts" }
  )
  refers(
    "non-ASCII names",
    `import { Größe } from "./größe.ts"`,
    "Größe",
    { "src/größe.ts": error("Größe") },
    {
      module: "../../src/größe",
      export: "Größe",
      id: "schema:src/größe/Größe",
      specifier: "../../src/größe.ts"
    }
  )
  refers(
    "a default export",
    `import Lost from "./lost.ts"`,
    "Lost",
    { "src/lost.ts": error("Lost").replace("export class", "export default class") },
    {
      module: "../../src/lost",
      export: "default",
      id: "schema:src/lost/default",
      specifier: "../../src/lost.ts"
    }
  )

  it.effect("an inferred error of a package that no source imports is named by the manifest's exports", () =>
    Effect.gen(function* () {
      const { run } = yield* Workbench
      const { collected, declaration } = yield* run({
        "node_modules/repo/package.json": manifest("repo", { exports: "./index.ts" }),
        "node_modules/repo/index.ts": `import { Effect } from "effect"
import { Lost } from "lost-errors/sub/lost"
export const find = Effect.fail(new Lost({}))`,
        "node_modules/lost-errors/package.json": manifest("lost-errors", { exports: { "./sub/*": "./src/*.ts" } }),
        "node_modules/lost-errors/src/lost.ts": error("Lost"),
        [MAIN]: withImports(`import { find } from "repo"
export class C {
  @Query({ name: "C.m", success: Text })
  static m() { return find }
}`)
      })
      expect(declaration("C.m").signature?.errors).toMatchObject({
        members: [
          { ref: { module: "lost-errors/sub/lost", export: "Lost", symbolId: "schema:lost-errors/sub/lost/Lost" } }
        ]
      })
      expect(collected.modules["lost-errors/sub/lost"]).toBe("lost-errors/sub/lost")
    })
  )

  it.effect("a file outside of the project that no package exports is EFFX1106", () =>
    Effect.gen(function* () {
      const { run } = yield* Workbench
      const { findings, marks } = yield* run({
        "../shared/lost.ts": error("Lost"),
        [MAIN]: uses(`import { Lost } from "../../shared/lost.ts"`, "Lost")
      })
      expect(findings.map(({ code, message, severity }) => ({ code, message, severity }))).toEqual([
        {
          code: "EFFX1106",
          severity: "warning",
          message:
            "Lost is declared in ../shared/lost.ts, which is neither in the project nor exported by a package, so its identity is not portable"
        }
      ])
      expect(findings.map(siteOf)).toEqual(marks(MAIN))
    })
  )

  it.effect("no outDir changes a reference; it changes what is written in imports", () =>
    Effect.gen(function* () {
      const { run } = yield* Workbench
      const files = { "src/lost.ts": error("Lost"), [MAIN]: uses(`import { Lost } from "./lost.ts"`, "Lost") }
      const one = yield* run(files)
      const other = yield* run(files, { outDir: "src/generated" })
      expect(other.collected.declarations).toEqual(one.collected.declarations)
      expect(other.collected.modules["../../src/lost"]).toBe("../lost.ts")
    })
  )

  const EXTENSIONS: ReadonlyArray<readonly [string, object, string, string]> = [
    ["Node resolution with .js", {}, "./lost.js", "../../src/lost.js"],
    ["Node resolution with .ts", { allowImportingTsExtensions: true }, "./lost.ts", "../../src/lost.ts"],
    ["a bundler's without extension", { module: "esnext", moduleResolution: "bundler" }, "./lost", "../../src/lost"],
    ["a bundler's with .js", { module: "esnext", moduleResolution: "bundler" }, "./lost.js", "../../src/lost.js"]
  ]
  for (const [title, options, specifier, expected] of EXTENSIONS) {
    it.effect(`imports as the sources do: ${title}`, () =>
      Effect.gen(function* () {
        const { run } = yield* Workbench
        const { collected, project } = yield* run({
          "tsconfig.json": JSON.stringify({
            compilerOptions: {
              module: "nodenext",
              lib: ["esnext"],
              types: [],
              strict: true,
              noEmit: true,
              skipLibCheck: true,
              ...options
            },
            include: ["src"]
          }),
          "src/lost.ts": error("Lost"),
          "src/domain.ts": "export {}",
          [MAIN]: `import { Query } from "@effx/runtime"
import { Effect } from "effect"
import { Lost } from "${specifier}"
export class C {
  @Query({ success: Lost })
  static m() { return Effect.succeed(new Lost({})) }
}`
        })
        expect(collected.modules["../../src/lost"]).toBe(expected)
        expect(project.facts.importExtension).toBe(expected.replace("../../src/lost", ""))
      })
    )
  }

  it.effect("the project's root is the tsconfig's folder", () =>
    Effect.gen(function* () {
      const { run } = yield* Workbench
      const { project } = yield* run({})
      expect(project.facts.root).toBe(ROOT)
    })
  )
})
