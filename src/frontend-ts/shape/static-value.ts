/**
 * Values that source states without running: literals, templates without holes, negative numbers, regular expressions, and
 * objects and arrays of them, also behind `as const`, `satisfies`, parentheses and constants.
 */
import { type Expression, type Node, SyntaxKind } from "typescript/ast"
import * as Is from "typescript/ast/is"

/** A regular expression literal, as written. */
export interface StaticRegExp {
  readonly _tag: "RegExp"
  readonly source: string
  readonly flags: string
}

export type StaticValue =
  | string
  | number
  | boolean
  | null
  | StaticRegExp
  | ReadonlyArray<StaticValue | undefined>
  | { readonly [key: string]: StaticValue | undefined }

/** Removes what does not change a value: parentheses, `as`, `satisfies`, `!`, type assertions. */
export const peel = (node: Node): Node => {
  let current = node
  while (
    Is.isParenthesizedExpression(current) ||
    Is.isAsExpression(current) ||
    Is.isSatisfiesExpression(current) ||
    Is.isNonNullExpression(current) ||
    Is.isTypeAssertion(current)
  )
    current = current.expression
  return current
}

/** The static name of a property; computed names have none. */
export const propertyName = (name: Node): string | undefined =>
  Is.isIdentifier(name) ||
  Is.isStringLiteral(name) ||
  Is.isNumericLiteral(name) ||
  Is.isNoSubstitutionTemplateLiteral(name)
    ? name.text
    : undefined

const regExp = (text: string): StaticRegExp => {
  const end = text.lastIndexOf("/")
  return { _tag: "RegExp", source: text.slice(1, end), flags: text.slice(end + 1) }
}

const DEPTH = 32

/** JSON has no other numbers. */
const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined)

/**
 * @param follow the initializer behind a reference to a constant, where there is one
 * @returns `undefined` where the value is not static, or a number too large to be finite
 */
export const staticValue = (
  node: Node,
  follow: (reference: Node) => Expression | undefined,
  depth = 0
): StaticValue | undefined => {
  if (depth > DEPTH) return undefined
  const value = peel(node)
  const inner = (child: Node) => staticValue(child, follow, depth + 1)
  if (Is.isStringLiteral(value) || Is.isNoSubstitutionTemplateLiteral(value)) return value.text
  if (Is.isNumericLiteral(value)) return finite(Number(value.text))
  if (value.kind === SyntaxKind.TrueKeyword) return true
  if (value.kind === SyntaxKind.FalseKeyword) return false
  if (value.kind === SyntaxKind.NullKeyword) return null
  if (Is.isRegularExpressionLiteral(value)) return regExp(value.text)
  if (Is.isPrefixUnaryExpression(value) && value.operator === SyntaxKind.MinusToken) {
    const operand = inner(value.operand)
    return typeof operand === "number" ? -operand : undefined
  }
  if (Is.isArrayLiteralExpression(value)) return value.elements.map(inner)
  if (Is.isObjectLiteralExpression(value)) {
    const record: { [key: string]: StaticValue | undefined } = {}
    for (const property of value.properties) {
      const name = Is.isSpreadAssignment(property) ? undefined : propertyName(property.name as Node)
      if (name === undefined) continue
      if (Is.isPropertyAssignment(property)) record[name] = inner(property.initializer)
      else if (Is.isShorthandPropertyAssignment(property)) record[name] = inner(property.name)
    }
    return record
  }
  if (Is.isIdentifier(value) || Is.isPropertyAccessExpression(value)) {
    const target = follow(value)
    return target === undefined ? undefined : inner(target)
  }
  return undefined
}

/** A property of a static record. */
export const staticProperty = (value: StaticValue | undefined, name: string): StaticValue | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as { readonly [key: string]: StaticValue | undefined })[name]
    : undefined
