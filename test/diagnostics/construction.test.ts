/**
 * A diagnostic is made only by its entry: no file outside `src/diagnostics` writes one as an object literal or casts
 * something to it. Copying the fields of a diagnostic (`code: finding.code`, destructured shorthands) is a projection and
 * allowed.
 */
import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import ts from "typescript-6.0"

const isDiagnosticName = (type: ts.TypeNode): boolean =>
  ts.isTypeReferenceNode(type) && /(^|\.)Diagnostic$/.test(type.typeName.getText())

const isConstruction = (node: ts.ObjectLiteralExpression): boolean => {
  const named = new Map(
    node.properties.flatMap((property) =>
      property.name !== undefined && (ts.isIdentifier(property.name) || ts.isStringLiteral(property.name))
        ? [[property.name.text, property] as const]
        : []
    )
  )
  const code = named.get("code")
  if (code === undefined || !named.has("severity") || !named.has("message")) return false
  const copies = ts.isPropertyAssignment(code) && ts.isPropertyAccessExpression(code.initializer)
  return !copies && !ts.isShorthandPropertyAssignment(code)
}

/** Lines of `text` on which a diagnostic is made without its entry. */
const constructions = (text: string): ReadonlyArray<number> => {
  const file = ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest, true)
  const lines: Array<number> = []
  const visit = (node: ts.Node): void => {
    const cast = (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) && isDiagnosticName(node.type)
    if (cast || (ts.isObjectLiteralExpression(node) && isConstruction(node))) {
      lines.push(file.getLineAndCharacterOfPosition(node.getStart()).line + 1)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return lines
}

describe("the scan", () => {
  it.each([
    'const d = { code: "EFFX2201", severity: "error", message: "m" }',
    'const d = { "code": c, "severity": s, "message": m, related: [] }',
    "const d = value as Diagnostic",
    "const d = value as unknown as Diagnostics.Diagnostic",
    "const d = <Diagnostic>value"
  ])("finds %s", (text) => expect(constructions(text)).toEqual([1]))

  it.each([
    "const d = EFFX2201.make({ operation, error })",
    "const d = { code: finding.code, severity: finding.severity, message: finding.message }",
    "const d = { code, severity, message }",
    "const d = { code: 1, message: 2 }",
    "const d = values as ReadonlyArray<string>"
  ])("accepts %s", (text) => expect(constructions(text)).toEqual([]))
})

describe("sources", () => {
  const root = fileURLToPath(new URL("../../src/", import.meta.url))
  const files = globSync("**/*.ts", { cwd: root }).filter(
    (file) => !file.startsWith("diagnostics/") && !file.includes("node_modules")
  )

  it("are found", () => expect(files.length).toBeGreaterThan(20))

  it("make diagnostics through their entries only", () => {
    const found = files.flatMap((file) =>
      constructions(readFileSync(`${root}${file}`, "utf8")).map((line) => `${file}:${line}`)
    )
    expect(found).toEqual([])
  })
})
