/** Spreads in `Http.Problems.codes` (Spec 0002, "Argument lowering"). */
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type Files, siteOf, Workbench, withImports } from "./workbench.ts"

const MAIN = "src/main.ts"
const program = (codes: string, header = ""): string =>
  withImports(`${header}
export const registry = (identifier: string, codes: ReadonlyArray<string>) => [identifier, codes]
export class C {
  @Query({ name: "C.m", success: Text })
  @Http.Problems({ registry, codes: [${codes}] })
  static m() { return Effect.succeed("") }
}`)

layer(Workbench.layer)("spreads of codes", (it) => {
  const expands = (title: string, codes: string, expected: ReadonlyArray<string>, header = "", files: Files = {}) =>
    it.effect(title, () =>
      Effect.gen(function* () {
        const { run } = yield* Workbench
        const { annotation, collected, findings, marks } = yield* run({ ...files, [MAIN]: program(codes, header) })
        expect(findings).toEqual([])
        expect(annotation("C.m", "Http.Problems").args).toMatchObject([{ codes: expected }])
        expect(collected.spreads.map(({ site }) => site)).toEqual(marks(MAIN))
      })
    )
  expands(
    "a constant tuple",
    `"first", /*<*/...MORE/*>*/, "last"`,
    ["first", "a", "b", "last"],
    `const MORE = ["a", "b"] as const`
  )
  expands("an import", `/*<*/...MORE/*>*/`, ["a"], `import { CODES as MORE } from "./codes.ts"`, {
    "src/codes.ts": `export { CODES } from "./inner.ts"`,
    "src/inner.ts": `export const CODES = ["a"] as const`
  })
  expands(
    "nested spreads",
    `/*<*/...ALL/*>*/`,
    ["a", "b", "c"],
    `const A = ["a"] as const\nconst ALL = [...A, "b", ...(["c"] as const)] as const`
  )
  expands("an inline constant", `/*<*/...(["a"] as const)/*>*/`, ["a"])
  expands("an agreeing assertion", `/*<*/...(A as readonly ["a"])/*>*/`, ["a"], `const A = ["a"] as const`)
  expands("a namespace", `/*<*/...K.CODES/*>*/`, ["a"], `import * as K from "./codes.ts"`, {
    "src/codes.ts": `export const CODES = ["a"] as const`
  })
  expands("satisfies", `/*<*/...A/*>*/`, ["a"], `const A = ["a"] as const satisfies ReadonlyArray<string>`)
  expands("two spreads of one array", `/*<*/...A/*>*/, /*<*/...A/*>*/`, ["a", "a"], `const A = ["a"] as const`)

  it.effect("records where values came from, outside of annotations", () =>
    Effect.gen(function* () {
      const { run } = yield* Workbench
      const { annotation, collected, marks } = yield* run({
        [MAIN]: program(`/*<*/...A/*>*/`, `const A = ["a", "b"] as const`)
      })
      const [site] = marks(MAIN)
      expect(collected.spreads).toEqual([{ declaration: "C.m", operand: "A", site, values: ["a", "b"] }])
      expect(annotation("C.m", "Http.Problems").sites["/0/codes/1"]).toEqual(site)
    })
  )

  const refuses = (title: string, operand: string, header: string) =>
    it.effect(`refuses ${title}`, () =>
      Effect.gen(function* () {
        const { run } = yield* Workbench
        const { findings, marks } = yield* run({ [MAIN]: program(`"x", /*<*/...${operand}/*>*/`, header) })
        expect(findings.map(({ code, message }) => `${code} ${message}`)).toEqual([
          `EFFX1102 @Http.Problems cannot use ${operand}, because its value is not known without running the program`
        ])
        expect(findings.map(siteOf)).toEqual(marks(MAIN))
      })
    )
  refuses("a mutable array", "A", `const A = ["a"]`)
  refuses("a variable", "A", `let A = ["a"] as const`)
  refuses("a mutable inline array", `["a"]`, "")
  refuses("an annotated array", "A", `const A: ReadonlyArray<string> = ["a"] as const`)
  refuses("a mutable array that an assertion calls constant", `(A as unknown as readonly ["a"])`, `const A = ["a"]`)
  refuses("an assertion that contradicts", `(A as unknown as readonly ["b"])`, `const A = ["a"] as const`)
  refuses("an assertion that reorders", `(A as unknown as readonly ["b", "a"])`, `const A = ["a", "b"] as const`)
  refuses("a dynamic operand", "make()", `const make = () => ["a"] as const`)
  refuses("a cycle", "A", `const A: readonly ["a"] = B\nconst B: readonly ["a"] = A`)
  refuses("elements that are computed", "A", `const A = [String(1)] as const`)
})
