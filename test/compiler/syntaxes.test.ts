/**
 * Both syntaxes mean the same (Spec 0002, "Laws"): a project with decorators and the same project with the builder give
 * one IR, apart from the handlers' own symbols.
 */
import { fileURLToPath } from "node:url"
import { expect, layer } from "@effect/vitest"
import { SourceFrontend } from "@effx/frontend-ts"
import { type ApplicationIR, canonical } from "@effx/ir"
import { Effect } from "effect"
import { audit } from "../../fixtures/extension/packages/effx-audit/index.ts"
import { run, show } from "./run.ts"

/** Projects with the same in the other syntax; `persistence` has both syntaxes, and its twin each where it has the other. */
const PAIRS = [
  ["users", "users-builder"],
  ["persistence", "persistence-swapped"],
  ["extension", "extension/builder"]
] as const

const compiled = Effect.fnUntraced(function* (fixture: string) {
  const folder = fileURLToPath(new URL(`../../fixtures/${fixture}`, import.meta.url))
  const frontend = yield* SourceFrontend
  const project = yield* frontend.open({ tsconfigPath: `${folder}/tsconfig.json` })
  return run(yield* project.collect({ outDir: `${folder}/.effx/generated` }), { and: [audit] })
})

const withoutHandlers = (ir: ApplicationIR): ApplicationIR => ({
  ...ir,
  nodes: ir.nodes.map((node) =>
    node._tag === "Operation" ? { ...node, handler: { module: "handlers", export: node.name } } : node
  )
})

layer(SourceFrontend.layer)("the IR", (it) => {
  for (const [decorators, builder] of PAIRS) {
    it.effect(`of ${decorators} and of ${builder}`, () =>
      Effect.gen(function* () {
        const [a, b] = [yield* compiled(decorators), yield* compiled(builder)]
        for (const { diagnostics } of [a, b]) {
          expect(diagnostics.filter(({ severity }) => severity === "error").map(show)).toEqual([])
        }
        expect(b.diagnostics.map(({ code, message }) => [code, message])).toEqual(
          a.diagnostics.map(({ code, message }) => [code, message])
        )
        expect(a.ir.nodes.filter(({ _tag }) => _tag === "Operation").length).toBeGreaterThan(1)
        expect(JSON.parse(canonical(withoutHandlers(b.ir)))).toEqual(JSON.parse(canonical(withoutHandlers(a.ir))))
        expect(canonical(withoutHandlers(b.ir))).toBe(canonical(withoutHandlers(a.ir)))
      })
    )
  }
})
