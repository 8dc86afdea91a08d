/**
 * From what was collected to the wire shape of one schema. Pure: every question was asked before (collect.ts).
 *
 * The type gives the structure; the expression beside it, where there is one, gives names and filters. Both are walked
 * together: the expression follows only where it certainly speaks of the same schema, else it is dropped and the type stays.
 */
import type { Field, Shape, StableId } from "@effx/ir"
import type { Node } from "typescript/ast"
import * as Is from "typescript/ast/is"
import type { EngineSymbol, Type } from "../checker.ts"
import { annotationOf, jsDocOf } from "./annotations.ts"
import { applyCheck, type Check } from "./checks.ts"
import type { Collection } from "./collect.ts"
import type { Form, FormField } from "./form.ts"
import { constructorOf, partsOf, sourceOf, TRANSPARENT } from "./parts.ts"
import { projectPlain } from "./project-plain.ts"
import { type Expr, expr, returned } from "./reading.ts"
import { peel, staticValue } from "./static-value.ts"
import { templatePattern } from "./template.ts"
import { nested, tupleOf, unionOf } from "./union.ts"
import { genericWire } from "./wire.ts"

/** The side of a schema that is meant: what it encodes to, or what it decodes to. */
export type Side = "encoded" | "type"

export interface Projection {
  readonly shape: Shape
  /** Ids that the shape refers to. */
  readonly refs: ReadonlySet<StableId>
  /** Where a schema without a name refers to itself: the reference that closes the circle. */
  readonly anonymousRecursion?: Node
}

export interface Subject {
  readonly type: Type
  readonly expression: Expr | undefined
  /** The symbol that declares the schema, which is not a reference to itself. */
  readonly symbol: EngineSymbol | undefined
}

interface Level {
  readonly type: Type
  readonly side: Side
}

/** A schema with its wrappers taken off, outermost first. */
interface Stripped {
  readonly levels: ReadonlyArray<Level>
  readonly core: Level
  readonly form: Form
}

const swap = (side: Side): Side => (side === "encoded" ? "type" : "encoded")
const ANYTHING: Form = { _tag: "Wire", shape: { _tag: "Any" } }
const DEPTH = 100

export const project = (
  { forms, plain, reading }: Collection,
  idOf: (symbol: EngineSymbol) => StableId | undefined,
  subject: Subject
): Projection => {
  const refs = new Set<StableId>()
  let anonymous: Node | undefined

  const formOf = (type: Type): Form => forms.get(type) ?? ANYTHING

  const inner = (form: Extract<Form, { readonly _tag: "Wrapper" }>, side: Side): Level => ({
    type: form.schema,
    side:
      form.kind === "toType" ? "type" : form.kind === "toEncoded" ? "encoded" : form.kind === "flip" ? swap(side) : side
  })

  const strip = (type: Type, side: Side): Stripped => {
    const levels: Array<Level> = []
    let core: Level = { type, side }
    let form = formOf(type)
    while (form._tag === "Wrapper" && levels.length < DEPTH) {
      levels.push(core)
      core = inner(form, core.side)
      form = formOf(core.type)
    }
    return { levels: [...levels, core], core, form }
  }

  const isOptional = (type: Type, side: Side, depth = DEPTH): boolean => {
    const form = formOf(type)
    if (depth === 0) return false
    switch (form._tag) {
      case "Wrapper": {
        if (form.kind === "optional") return true
        const level = inner(form, side)
        return isOptional(level.type, level.side, depth - 1)
      }
      case "DecodeTo":
        return isOptional(side === "encoded" ? form.from : form.to, side, depth - 1)
      case "Opaque":
        return form.optional
      default:
        return false
    }
  }

  const refer = (id: StableId): Shape => {
    refs.add(id)
    return { _tag: "Ref", id }
  }

  /** The shape of a schema; `path` are the declarations that are being read, for recursion without a name. */
  const shapeOf = (
    type: Type,
    expression: Expr | undefined,
    side: Side,
    path: ReadonlyArray<EngineSymbol | Type>,
    root: boolean
  ): Shape => {
    if (path.length > DEPTH) return { _tag: "Any" }
    let stripped = strip(type, side)
    let current = expression
    let seen = path
    const checks: Array<Check> = []
    let annotated = false
    for (let steps = 0; current !== undefined && steps < DEPTH; steps++) {
      const view = reading.view(current)
      if (view._tag === "Call" && TRANSPARENT.has(view.name) && view.self !== undefined) {
        if (view.name === "check") checks.push(...readChecks(view.args))
        else if (view.name === "annotate") annotated = true
        current = view.self
        continue
      }
      if (view._tag === "Call" && view.name === "suspend") {
        const body = view.args[0] === undefined ? undefined : returned(view.args[0])
        current = body === undefined ? undefined : expr(body)
        continue
      }
      if (view._tag !== "Reference") break
      const { symbol, node } = view
      const declared = reading.declared(symbol)
      const opaque = stripped.form._tag === "Opaque"
      if (
        declared === undefined ||
        (!opaque &&
          !annotated &&
          !stripped.levels.some(({ type: level }) => level === declared.type || level === declared.own))
      ) {
        current = undefined
        break
      }
      const id = idOf(symbol)
      const leaf = stripped.form._tag === "Wire"
      if (
        id !== undefined &&
        stripped.core.side === "encoded" &&
        !(leaf && checks.length > 0) &&
        !(root && symbol === subject.symbol) &&
        !(leaf && stripped.form._tag === "Wire" && stripped.form.shape._tag === "Void")
      )
        return refer(id)
      if (seen.includes(symbol)) {
        anonymous ??= node
        return { _tag: "Any" }
      }
      seen = [...seen, symbol]
      if (opaque) stripped = strip(declared.own, stripped.core.side)
      current = declared.initializer === undefined ? undefined : expr(declared.initializer)
    }
    const { core, form } = stripped
    if (form._tag === "Struct" && form.owner !== undefined && core.side === "encoded") {
      const id = idOf(form.owner)
      if (id !== undefined && !(root && form.owner === subject.symbol)) return refer(id)
    }
    if (form._tag === "Struct") {
      if (seen.includes(core.type)) {
        if (current?._tag === "Node") anonymous ??= current.node
        return { _tag: "Any" }
      }
      seen = [...seen, core.type]
    }
    const shape = shapeOfForm(form, current, core.side, seen)
    // Filters on the decoded side of a transformation say nothing about what it encodes to.
    if (form._tag === "DecodeTo" && core.side === "encoded") return shape
    return checks.reduceRight(applyCheck, shape)
  }

  const at = (type: Type, expression: Expr | undefined, side: Side, path: ReadonlyArray<EngineSymbol | Type>): Shape =>
    nested(shapeOf(type, expression, side, path, false))

  const shapeOfForm = (
    form: Form,
    expression: Expr | undefined,
    side: Side,
    path: ReadonlyArray<EngineSymbol | Type>
  ): Shape => {
    const call = constructorOf(reading, form, expression)
    const parts = partsOf(form, call)
    switch (form._tag) {
      case "Wire":
        return form.shape
      case "Generic":
        return genericWire(
          form.name,
          form.parameters.map((parameter, index) => at(parameter, parts[index], side, path))
        )
      case "Struct":
        return { _tag: "Object", fields: form.fields.map((field) => fieldOf(field, side, path)) }
      case "Record": {
        const values = at(form.value, parts[1], side, path)
        const keys = strip(form.key, side).form
        return keys._tag === "Literals"
          ? {
              _tag: "Object",
              fields: keys.values.map((key) => ({
                name: String(key),
                shape: values,
                optional: isOptional(form.value, side)
              }))
            }
          : { _tag: "Record", values }
      }
      case "Array": {
        const items = at(form.value, parts[0], side, path)
        return form.nonEmpty ? { _tag: "Tuple", items: [items], rest: items } : { _tag: "Array", items }
      }
      case "Tuple":
        return tupleOf(
          form.elements.map((element, index) => at(element, parts[index], side, path)),
          form.elements.filter((element) => !isOptional(element, side)).length
        )
      case "TupleWithRest": {
        const fixed = shapeOf(form.schema, parts[0], side, path, false)
        const rest = unionOf(form.rest.map((element, index) => at(element, parts[index + 1], side, path)))
        return fixed._tag === "Tuple" ? { ...fixed, rest } : { _tag: "Array", items: { _tag: "Any" } }
      }
      case "Union":
        return unionOf(form.members.map((member, index) => at(member, parts[index], side, path)))
      case "Literals":
        return unionOf(form.values.map((value) => ({ _tag: "Literal", value })))
      case "Template": {
        const pattern = side === "encoded" ? templatePattern(form.parts, (type) => strip(type, side).form) : undefined
        return { _tag: "String", ...(pattern === undefined ? {} : { pattern }) }
      }
      case "DecodeTo":
        return side === "encoded"
          ? shapeOf(form.from, sourceOf(call, expression), side, path, false)
          : shapeOf(form.to, call?.name === "decodeTo" ? parts[0] : undefined, side, path, false)
      case "Opaque":
        return projectPlain(plain, side === "encoded" ? form.encoded : form.decoded)
      case "Wrapper":
        return { _tag: "Any" }
    }
  }

  const fieldOf = (field: FormField, side: Side, path: ReadonlyArray<EngineSymbol | Type>): Field => {
    const { declaration } = field
    const value =
      declaration === undefined
        ? undefined
        : Is.isPropertyAssignment(declaration)
          ? declaration.initializer
          : Is.isShorthandPropertyAssignment(declaration)
            ? declaration.name
            : undefined
    const expression = value === undefined ? undefined : expr(value)
    const description =
      (expression === undefined ? undefined : describedBy(expression)) ??
      (declaration === undefined ? undefined : jsDocOf(declaration))
    return {
      name: field.name,
      shape: at(field.type, expression, side, path),
      optional: isOptional(field.type, side),
      ...(description === undefined ? {} : { description })
    }
  }

  /** The description that an expression itself states, not one of a schema that it names. */
  const describedBy = (expression: Expr): string | undefined => {
    let current: Expr | undefined = expression
    while (current !== undefined) {
      const view = reading.view(current)
      if (view._tag !== "Call" || !TRANSPARENT.has(view.name)) return undefined
      const description = annotationOf(reading, view.name, view.args)?.description
      if (description !== undefined) return description
      current = view.self
    }
    return undefined
  }

  const readChecks = (filters: ReadonlyArray<Node>): ReadonlyArray<Check> =>
    filters
      .map((filter) => {
        const node = peel(filter)
        const target = Is.isCallExpression(node) ? node : peel(reading.follow(node) ?? node)
        if (!Is.isCallExpression(target)) return undefined
        const name = reading.effectName(target.expression)
        return name === undefined
          ? undefined
          : { name, args: target.arguments.map((argument) => staticValue(argument, reading.follow)) }
      })
      .filter((check) => check !== undefined)
      .reverse()

  const shape = shapeOf(subject.type, subject.expression, "encoded", [], true)
  return { shape, refs, ...(anonymous === undefined ? {} : { anonymousRecursion: anonymous }) }
}
