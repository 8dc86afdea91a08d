/**
 * What a declaration says about its schema beside the shape: its public identifier, its HTTP status and its description,
 * from the arguments of a schema class, from annotations and from JSDoc, where those are static.
 */
import { getTextOfJSDocComment, type Node } from "typescript/ast"
import * as Is from "typescript/ast/is"
import { type Declared, type Expr, expr, METHODS, type Reading } from "./reading.ts"
import { peel, type StaticValue, staticProperty, staticValue } from "./static-value.ts"

export interface Annotations {
  readonly identifier?: string
  readonly status?: number
  readonly description?: string
}

const fromRecord = (record: StaticValue | undefined): Annotations => {
  const identifier = staticProperty(record, "identifier")
  const status = staticProperty(record, "httpApiStatus")
  const description = staticProperty(record, "description")
  return {
    ...(typeof identifier === "string" ? { identifier } : {}),
    ...(typeof status === "number" ? { status } : {}),
    ...(typeof description === "string" ? { description } : {})
  }
}

/** Joins annotations; the first one that says something wins. */
const joined = (layers: ReadonlyArray<Annotations>): Annotations => Object.assign({}, ...layers.toReversed())

/** An annotation call, read; `undefined` for any other call. */
export const annotationOf = (reading: Reading, name: string, args: ReadonlyArray<Node>): Annotations | undefined => {
  const [first] = args
  if (first === undefined) return undefined
  const value = staticValue(first, reading.follow)
  switch (name) {
    case "annotate":
      return fromRecord(value)
    case "annotateKey": {
      const { status, description } = fromRecord(value)
      return { ...(status === undefined ? {} : { status }), ...(description === undefined ? {} : { description }) }
    }
    // `HttpApiSchema.status(404)`
    case "status":
      return typeof value === "number" ? { status: value } : {}
    default:
      return undefined
  }
}

const CLASSES = /^(?:Tagged)?(?:Class|Error|ErrorClass)$|^TaggedRequest$|^extend$/

/** The annotations of what a schema class extends: `Schema.TaggedError<E>()("E", { … }, { httpApiStatus: 404 })`. */
const ofHeritage = (reading: Reading, heritage: Node, depth: number): Annotations => {
  const node = peel(heritage)
  if (!Is.isCallExpression(node)) return depth > 0 ? ofExpression(reading, expr(node), depth - 1) : {}
  const callee = peel(node.expression)
  if (Is.isPropertyAccessExpression(callee) && METHODS.has(callee.name.text)) {
    const outer = annotationOf(reading, callee.name.text, node.arguments) ?? {}
    return joined([outer, ofHeritage(reading, callee.expression, depth)])
  }
  if (!Is.isCallExpression(callee)) return {}
  const maker = peel(callee.expression)
  const name = Is.isPropertyAccessExpression(maker) ? maker.name : maker
  if (!Is.isIdentifier(name) || !CLASSES.test(name.text)) return {}
  const [given] = callee.arguments
  const tagged = name.text.startsWith("Tagged")
  const [first, second, third] = node.arguments
  const spelled = given ?? (tagged ? first : undefined)
  const identifier = spelled === undefined ? undefined : staticValue(spelled, reading.follow)
  const record = tagged ? third : second
  return joined([
    record === undefined ? {} : fromRecord(staticValue(record, reading.follow)),
    typeof identifier === "string" ? { identifier } : {}
  ])
}

/** The annotations of a schema expression, outermost first; they end where another schema begins. */
const ofExpression = (reading: Reading, expression: Expr, depth: number): Annotations => {
  const view = reading.view(expression)
  if (depth === 0) return {}
  if (view._tag === "Reference") {
    const declared = reading.declared(view.symbol)
    return declared === undefined ? {} : annotationsOf(reading, declared, depth - 1)
  }
  if (view._tag !== "Call" || view.self === undefined) return {}
  const outer = annotationOf(reading, view.name, view.args)
  return outer === undefined ? {} : joined([outer, ofExpression(reading, view.self, depth - 1)])
}

const DEPTH = 64

/** The annotations that a declaration gives its schema; those of a schema that it merely renames are its own, too. */
export const annotationsOf = (reading: Reading, declared: Declared, depth = DEPTH): Annotations =>
  declared.heritage !== undefined
    ? ofHeritage(reading, declared.heritage, depth)
    : declared.initializer === undefined
      ? {}
      : ofExpression(reading, expr(declared.initializer), depth)

/** The JSDoc of a declaration as one text, without its tags. */
export const jsDocOf = (declaration: Node): string | undefined => {
  const list = Is.isVariableDeclaration(declaration) ? declaration.parent : undefined
  const host = list?.parent !== undefined && Is.isVariableStatement(list.parent) ? list.parent : declaration
  const doc = (host as { readonly jsDoc?: ReadonlyArray<Node> }).jsDoc?.at(-1)
  if (doc === undefined || !Is.isJSDoc(doc)) return undefined
  const text = getTextOfJSDocComment(doc.comment)
    ?.replace(
      /\{@link(?:code|plain)?\s+([^}\s|]+)(?:[|\s]+([^}]*))?\}/g,
      (_, target: string, label?: string) => label ?? target
    )
    .trim()
  return text === undefined || text === "" ? undefined : text
}
