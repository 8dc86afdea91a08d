/**
 * Wire shapes as JSON Schema 2020-12, the dialect of OpenAPI 3.1.
 *
 * Guarantees: a schema with a public identifier, and one that recurses, is a component that is referred to; all others are
 * inlined; components are named by identifier in the alphabet of OpenAPI. A shape that source does not reveal is any JSON.
 */
import { type GraphIndex, type SchemaFacts, type Shape, type StableId, sortedBy } from "@effx/ir"
import { Option } from "effect"
import { reachableSchemas, schemaFacts, shapeOf, shapeRefs } from "../shapes.ts"
import { freeName } from "./names.ts"

export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

export interface Components {
  /** The JSON Schema of a shape; components that it refers to are collected. */
  readonly schemaOf: (shape: Shape) => JsonObject
  /** The JSON Schema of a named schema: a reference where it is a component. */
  readonly refTo: (id: StableId) => JsonObject
  /** All components referred to so far, by name in ordinal order. */
  readonly schemas: () => JsonObject
}

const without = <A extends object>(fields: A): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject

/** `[A-Za-z0-9._-]`, as OpenAPI wants component names; any other character becomes `_`. */
export const componentName = (text: string): string => text.normalize("NFC").replaceAll(/[^A-Za-z0-9._-]/gu, "_")

const literalType = (value: string | number | boolean | null): string =>
  value === null ? "null" : typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value

/** Starts an empty collection of components. */
export const makeComponents = (index: GraphIndex): Components => {
  const names = new Map<StableId, string>()
  const byName = new Map<string, JsonObject>()
  const open = new Set<StableId>()

  const factsOf = (id: StableId): SchemaFacts =>
    Option.getOrElse(schemaFacts(index, id), (): SchemaFacts => ({ shape: { _tag: "Any" } }))

  /** Whether a walk through shapes from `id` comes back to it. */
  const recurses = (id: StableId): boolean => reachableSchemas(index, shapeRefs(shapeOf(index, id))).includes(id)

  const described = (schema: JsonObject, description: string | undefined): JsonObject =>
    description === undefined ? schema : { ...schema, description }

  const component = (id: StableId, facts: SchemaFacts, wanted: string): string => {
    const known = names.get(id)
    if (known !== undefined) return known
    if (open.has(id)) return wanted
    // Two schemas may share an identifier only with one shape, so the first one's component serves both.
    const name = componentName(wanted)
    const same = Array.from(names).find(([other, taken]) => taken === name && sameIdentifier(other, facts))
    const taken = same === undefined ? freeName(name, (candidate) => byName.has(candidate)) : name
    names.set(id, taken)
    if (same === undefined) {
      byName.set(taken, {})
      byName.set(taken, described(schemaOf(facts.shape), facts.description))
    }
    return taken
  }

  const sameIdentifier = (other: StableId, facts: SchemaFacts): boolean =>
    facts.identifier !== undefined && factsOf(other).identifier === facts.identifier

  const refTo = (id: StableId): JsonObject => {
    const facts = factsOf(id)
    const wanted = facts.identifier ?? (recurses(id) ? id.slice(id.lastIndexOf("/") + 1) : undefined)
    if (wanted === undefined) return described(schemaOf(facts.shape), facts.description)
    return { $ref: `#/components/schemas/${component(id, facts, wanted)}` }
  }

  const schemaOf = (shape: Shape): JsonObject => {
    switch (shape._tag) {
      case "Any":
        return {}
      case "Never":
        return { not: {} }
      case "Void":
        return { type: "null" }
      case "Boolean":
        return { type: "boolean" }
      case "String": {
        const { format, pattern, minLength, maxLength } = shape
        return without({ type: "string", format, pattern, minLength, maxLength })
      }
      case "Number": {
        const { integer, _tag, ...bounds } = shape
        return without({ type: integer === true ? "integer" : "number", ...bounds })
      }
      case "Literal":
        return { type: literalType(shape.value), enum: [shape.value] }
      case "Array":
        return { type: "array", items: schemaOf(shape.items) }
      case "Tuple": {
        const { items, rest } = shape
        const fixed = { type: "array", prefixItems: items.map(schemaOf), minItems: items.length }
        return rest === undefined
          ? { ...fixed, items: {}, maxItems: items.length }
          : { ...fixed, items: schemaOf(rest) }
      }
      case "Record":
        return { type: "object", additionalProperties: schemaOf(shape.values) }
      case "Object": {
        const required = shape.fields.filter(({ optional }) => !optional).map(({ name }) => name)
        return without({
          type: "object",
          properties: Object.fromEntries(
            shape.fields.map((field) => [field.name, described(schemaOf(field.shape), field.description)])
          ),
          required: required.length === 0 ? undefined : required
        })
      }
      case "Union":
        return unionOf(shape.members)
      case "Ref":
        return refTo(shape.id)
    }
  }

  const unionOf = (members: ReadonlyArray<Shape>): JsonObject => {
    const values = members.flatMap((member) => (member._tag === "Literal" ? [member.value] : []))
    const types = new Set(values.map(literalType))
    if (values.length === members.length && types.size === 1)
      return { type: Array.from(types)[0] ?? "null", enum: values }
    return { anyOf: members.map(schemaOf) }
  }

  return {
    schemaOf,
    refTo,
    schemas: () => Object.fromEntries(sortedBy(byName, ([name]) => name))
  }
}
