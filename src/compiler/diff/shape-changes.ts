/**
 * How one shape became another, as a list of changes at paths. Independent of the direction in which values travel;
 * `type-change.ts` says what a change means for callers.
 */
import { canonicalJson, type Field, type Shape } from "@effx/ir"
import type { TypeChangeKind } from "./change.ts"
import { displayShape } from "./display.ts"
import { type FactsOf, membersOf, resolve } from "./resolve.ts"
import { within } from "./subset.ts"

export interface ShapeChange {
  readonly kind: TypeChangeKind | "documentation"
  /** Fields behind dots, `[]` for items, `[*]` for the values of a record, `<Tag>` for a member of a union; empty at the root. */
  readonly path: string
  /** What is before and after, where the kind does not say it all; for an added field, whether it is optional. */
  readonly detail: string
  readonly optional?: boolean
}

const at = (prefix: string, changes: ReadonlyArray<ShapeChange>): ReadonlyArray<ShapeChange> =>
  changes.map((change) => ({ ...change, path: prefix + change.path }))

const TAGS = ["_tag", "type", "kind"]

/** The literal by which a member of a union is told apart from the others. */
const tagOf = (shape: Shape): string | undefined => {
  if (shape._tag !== "Object") return undefined
  for (const tag of TAGS) {
    const field = shape.fields.find(({ name, optional }) => name === tag && !optional)
    if (field?.shape._tag === "Literal") return String(field.shape.value)
  }
  return undefined
}

/**
 * Lists the changes from a shape of the old IR to one of the new IR, in the order of the new fields.
 *
 * @param before what is known about the schemas of the old IR
 * @param after what is known about the schemas of the new IR
 */
export const shapeChanges = (before: FactsOf, after: FactsOf): ((a: Shape, b: Shape) => ReadonlyArray<ShapeChange>) => {
  const isWithin = within(before, after)
  const isWithinReverse = within(after, before)
  const known = new Map<string, ReadonlyArray<ShapeChange>>()

  const compare = (a: Shape, b: Shape): ReadonlyArray<ShapeChange> => {
    if (a._tag !== "Ref" && b._tag !== "Ref") return compareResolved(a, b)
    const pair = `${canonicalJson(a)} ${canonicalJson(b)}`
    const found = known.get(pair)
    if (found !== undefined) return found
    known.set(pair, [])
    const changes = compareResolved(resolve(a, before), resolve(b, after))
    known.set(pair, changes)
    return changes
  }

  const compareResolved = (a: Shape, b: Shape): ReadonlyArray<ShapeChange> => {
    if (a._tag === "Object" && b._tag === "Object") return compareFields(a.fields, b.fields)
    if (a._tag === "Array" && b._tag === "Array") return at("[]", compare(a.items, b.items))
    if (a._tag === "Record" && b._tag === "Record") return at("[*]", compare(a.values, b.values))
    if (a._tag === "Tuple" && b._tag === "Tuple" && a.items.length === b.items.length && !a.rest && !b.rest) {
      return a.items.flatMap((item, index) => at(`[${index}]`, compare(item, b.items[index] ?? { _tag: "Never" })))
    }
    if (a._tag === "Union" || b._tag === "Union") return compareUnions(a, b)
    return compareWhole(a, b)
  }

  const compareWhole = (a: Shape, b: Shape): ReadonlyArray<ShapeChange> => {
    const grows = isWithin(a, b)
    const shrinks = isWithinReverse(b, a)
    if (grows && shrinks) return []
    const kind = grows ? "widened" : shrinks ? "narrowed" : "replaced"
    return [{ kind, path: "", detail: `${displayShape(a)} → ${displayShape(b)}` }]
  }

  const compareFields = (a: ReadonlyArray<Field>, b: ReadonlyArray<Field>): ReadonlyArray<ShapeChange> => {
    const old = new Map(a.map((field) => [field.name, field]))
    const current = new Set(b.map(({ name }) => name))
    const removed = a
      .filter(({ name }) => !current.has(name))
      .map(({ name, shape }): ShapeChange => ({ kind: "field-removed", path: `.${name}`, detail: displayShape(shape) }))
    return [
      ...removed,
      ...b.flatMap(({ description, name, optional, shape }): ReadonlyArray<ShapeChange> => {
        const field = old.get(name)
        const path = `.${name}`
        if (field === undefined) {
          return [
            {
              kind: "field-added",
              path,
              optional,
              detail: `${optional ? "optional" : "required"} ${displayShape(shape)}`
            }
          ]
        }
        return [
          ...(field.optional === optional
            ? []
            : [
                {
                  kind: optional ? ("field-made-optional" as const) : ("field-made-required" as const),
                  path,
                  detail: displayShape(shape)
                }
              ]),
          ...(field.description === description
            ? []
            : [{ kind: "documentation" as const, path, detail: "description" }]),
          ...at(path, compare(field.shape, shape))
        ]
      })
    ]
  }

  /** Members that are equal say nothing; members with one tag are compared; the rest is gained or lost. */
  const compareUnions = (a: Shape, b: Shape): ReadonlyArray<ShapeChange> => {
    const tagged = new Map(
      membersOf(b, after).flatMap((member) => {
        const tag = tagOf(resolve(member, after))
        return tag === undefined ? [] : [[tag, member] as const]
      })
    )
    const paired = new Set<Shape>()
    const inner: Array<ShapeChange> = []
    const lost = membersOf(a, before).filter((member) => {
      const tag = tagOf(resolve(member, before))
      const twin = tag === undefined ? undefined : tagged.get(tag)
      if (twin === undefined) return !isWithin(member, b)
      paired.add(twin)
      inner.push(...at(`<${tag}>`, compare(member, twin)))
      return false
    })
    const gained = membersOf(b, after).filter((member) => !paired.has(member) && !isWithinReverse(member, a))
    const bothUnions = a._tag === "Union" && b._tag === "Union"
    const nothingStays = lost.length === membersOf(a, before).length && gained.length > 0
    if (paired.size === 0 && (!bothUnions || nothingStays)) return compareWhole(a, b)
    const list = (members: ReadonlyArray<Shape>): string => members.map(displayShape).join(", ")
    return [
      ...(lost.length === 0 ? [] : [{ kind: "narrowed" as const, path: "", detail: `without ${list(lost)}` }]),
      ...(gained.length === 0 ? [] : [{ kind: "widened" as const, path: "", detail: `also ${list(gained)}` }]),
      ...inner
    ]
  }

  return compare
}
