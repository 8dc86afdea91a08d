/** EFFX2403 from source: a schema that is not exported and contains itself, where HTTP exposes what it is part of. */
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { siteOf, Workbench, withImports } from "../frontend-ts/workbench.ts"
import { run } from "./run.ts"

const MAIN = "src/main.ts"

const source = (hidden: string, exposure: string) =>
  withImports(`interface Tree { readonly children: ReadonlyArray<Tree> }
${hidden}: Schema.Codec<Tree> = Schema.Struct({ children: Schema.Array(Schema.suspend(() => /*<*/Hidden/*>*/)) })${
    hidden.startsWith("export") ? '.annotate({ identifier: "Tree" })' : ""
  }
export const Forest = Schema.Struct({ trees: Schema.Array(Hidden) })
export const Wood = Schema.Struct({ tree: Hidden, forest: Forest })
export const show = Operation.query({ name: "Forest.Show", success: Wood })
  ${exposure}
  .handler(() => Effect.succeed({ tree: { children: [] }, forest: { trees: [] } }))`)

layer(Workbench.layer)("EFFX2403", (it) => {
  const recursive = (hidden: string, exposure: string) =>
    Effect.gen(function* () {
      const workbench = yield* Workbench
      const { collected, marks } = yield* workbench.run({ [MAIN]: source(hidden, exposure) })
      return { found: run(collected).diagnostics.filter(({ severity }) => severity === "error"), marks: marks(MAIN) }
    })
  const http = '.http.get("/forest").http.access({ exposure: "public" })'

  it.effect("is given once, where the schema refers to itself", () =>
    Effect.gen(function* () {
      const { found, marks } = yield* recursive("const Hidden", http)
      expect(found.map(({ code, message }) => [code, message])).toEqual([
        [
          "EFFX2403",
          "The schema Forest contains a recursive schema that is not exported, so nothing can describe it by name"
        ]
      ])
      expect(found.map(siteOf)).toEqual(marks)
    })
  )

  it.effect("is not given of a schema that is exported with an identifier", () =>
    Effect.map(recursive("export const Hidden", http), ({ found }) => expect(found).toEqual([]))
  )

  it.effect("is not given where nothing is exposed over HTTP", () =>
    Effect.map(recursive("const Hidden", '.rpc("Forest.Show")'), ({ found }) => expect(found).toEqual([]))
  )
})
