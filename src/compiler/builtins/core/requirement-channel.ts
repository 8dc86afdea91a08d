/** The services that an operation requires: what is declared, else what inference found. */
import { type Diagnostic, EFFX2304 } from "@effx/diagnostics"
import { argumentSite, symbolOf } from "../../argument.ts"
import type { Annotation, Declaration } from "../../collected.ts"
import { subjectName } from "../../subject.ts"
import type { NamedService } from "./services.ts"

export interface RequirementChannel {
  readonly members: ReadonlyArray<NamedService>
  readonly inferred: boolean
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** The `@Requirements` annotation that counts: the first. */
const requirementsAnnotation = (declaration: Declaration): Annotation | undefined =>
  declaration.annotations.find(({ name }) => name === "Requirements")

/** The services that a `@Requirements` annotation declares, in source order and without repetition. */
export const declaredRequirements = (annotation: Annotation): ReadonlyArray<NamedService> => {
  const named = annotation.args.flatMap((arg, index) => {
    const symbol = symbolOf(arg)
    return symbol?.service === undefined
      ? []
      : { id: symbol.service, ref: symbol.ref, site: argumentSite(annotation, index) }
  })
  return Array.from(new Map(named.toReversed().map((service) => [service.id, service])).values()).reverse()
}

/** The services with an identity that inference found. */
export const inferredRequirements = (declaration: Declaration): ReadonlyArray<NamedService> => {
  const channel = declaration.signature?.requirements
  if (channel?._tag !== "Known") return []
  return channel.members.flatMap((member) =>
    member._tag === "Service" ? { id: member.id, ref: member.ref, site: declaration.site } : []
  )
}

const unidentified = (declaration: Declaration): ReadonlyArray<Diagnostic> => {
  const channel = declaration.signature?.requirements
  if (channel === undefined) return []
  const displays =
    channel._tag === "Unknowable"
      ? [channel.display]
      : channel.members.filter((member) => member._tag !== "Service").map(({ display }) => display)
  return displays.map((requirement) =>
    EFFX2304.make({ operation: subjectName(declaration), requirement }, { site: declaration.site })
  )
}

export const requirementChannel = (declaration: Declaration): RequirementChannel => {
  const annotation = requirementsAnnotation(declaration)
  return {
    members: annotation === undefined ? inferredRequirements(declaration) : declaredRequirements(annotation),
    inferred: annotation === undefined,
    diagnostics: unidentified(declaration)
  }
}
