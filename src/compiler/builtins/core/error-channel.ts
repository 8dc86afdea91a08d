/** The errors of an operation: what is declared, else what inference found. */
import { type Diagnostic, EFFX2203, EFFX2204, type Site } from "@effx/diagnostics"
import type { SchemaRef, StableId } from "@effx/ir"
import { argumentSite, schemaOf } from "../../argument.ts"
import type { Annotation, Collected, Declaration } from "../../collected.ts"
import { subjectName } from "../../subject.ts"

/** An error with the place that names it. */
export interface NamedError {
  readonly ref: SchemaRef
  readonly site: Site
}

export interface ErrorChannel {
  readonly members: ReadonlyArray<NamedError>
  readonly inferred: boolean
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

type Schemas = Pick<Collected, "schemas">

/** The `@Errors` annotation that counts: the first. */
const errorsAnnotation = (declaration: Declaration): Annotation | undefined =>
  declaration.annotations.find(({ name }) => name === "Errors")

/** The errors that a schema stands for: the members of a union of named schemas, else the schema itself. */
const expand = (
  { schemas }: Schemas,
  ref: SchemaRef,
  seen: ReadonlySet<StableId> = new Set()
): ReadonlyArray<SchemaRef> => {
  const shape = schemas[ref.symbolId]?.shape
  const members = shape?._tag === "Union" ? shape.members : shape === undefined ? [] : [shape]
  const named = members.flatMap((member) => (member._tag === "Ref" ? (schemas[member.id]?.ref ?? []) : []))
  if (members.length === 0 || named.length < members.length || seen.has(ref.symbolId)) return [ref]
  return named.flatMap((member) => expand({ schemas }, member, new Set([...seen, ref.symbolId])))
}

/** The errors that an `@Errors` annotation declares, in source order and without repetition. */
export const declaredErrors = (annotation: Annotation, collected: Schemas): ReadonlyArray<NamedError> => {
  const named = annotation.args.flatMap((arg, index) => {
    const ref = schemaOf(arg)
    const site = argumentSite(annotation, index)
    return ref === undefined ? [] : expand(collected, ref).map((member) => ({ ref: member, site }))
  })
  return Array.from(new Map(named.toReversed().map((error) => [error.ref.symbolId, error])).values()).reverse()
}

/** The errors with an identity that inference found. */
export const inferredErrors = (declaration: Declaration): ReadonlyArray<SchemaRef> => {
  const channel = declaration.signature?.errors
  return channel?._tag === "Known"
    ? channel.members.flatMap((member) => (member._tag === "Schema" ? member.ref : []))
    : []
}

const unidentified = (declaration: Declaration): ReadonlyArray<Diagnostic> => {
  const channel = declaration.signature?.errors
  if (channel === undefined) return []
  const operation = subjectName(declaration)
  const { site } = declaration
  if (channel._tag === "Unknowable") {
    const { display, reason } = channel
    return [EFFX2204.make({ operation, reason, display }, { site })]
  }
  return channel.members
    .filter((member) => member._tag !== "Schema")
    .map((member) => {
      const tag = member._tag === "Opaque" ? member.tag : undefined
      return EFFX2203.make({ operation, error: member.display, ...(tag !== undefined && { tag }) }, { site })
    })
}

export const errorChannel = (declaration: Declaration, collected: Schemas): ErrorChannel => {
  const annotation = errorsAnnotation(declaration)
  return {
    members:
      annotation === undefined
        ? inferredErrors(declaration).map((ref) => ({ ref, site: declaration.site }))
        : declaredErrors(annotation, collected),
    inferred: annotation === undefined,
    diagnostics: unidentified(declaration)
  }
}
