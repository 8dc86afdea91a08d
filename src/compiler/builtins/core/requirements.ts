/**
 * `@Requirements`: compares what is declared with what the handler requires.
 *
 * The operation node with its requirements is contributed by `operation.ts`. Nothing is compared where the channel cannot
 * be known.
 */
import { type Diagnostic, EFFX2302, EFFX2303 } from "@effx/diagnostics"
import { symbolOf } from "../../argument.ts"
import type { Annotation } from "../../collected.ts"
import type { Interpreter, InterpretInput } from "../../extension.ts"
import { subjectName } from "../../subject.ts"
import { unexpected } from "../invalid-argument.ts"
import { once, onOperation } from "../placement.ts"
import { comparisonNotes, labels, type Member } from "./comparison.ts"
import { declaredRequirements, inferredRequirements } from "./requirement-channel.ts"
import type { NamedService } from "./services.ts"

const toMember = ({ id, ref }: NamedService): Member => ({ id, name: ref.export })

const invalidArguments = (annotation: Annotation): ReadonlyArray<Diagnostic> =>
  annotation.args.flatMap((arg, index) =>
    symbolOf(arg)?.service !== undefined ? [] : unexpected(annotation, "service classes", arg, index)
  )

/** Effect's own scope, which a handler can close itself. */
const isScope = ({ ref }: NamedService): boolean =>
  /^effect(\/|$)/.test(ref.module) && (ref.member ?? ref.export) === "Scope"

const compare = ({ annotation, declaration }: InterpretInput): ReadonlyArray<Diagnostic> => {
  if (declaration.signature?.requirements._tag !== "Known") return []
  const operation = subjectName(declaration)
  const named = declaredRequirements(annotation)
  const declared = named.map(toMember)
  const required = inferredRequirements(declaration)
  const inferred = required.map(toMember)
  const label = labels([...declared, ...inferred])
  const undeclared = required.filter(({ id }) => declared.every((member) => member.id !== id))
  const stale = named.filter(({ id }) => inferred.every((member) => member.id !== id))
  return [
    ...undeclared.map((member) => {
      const service = label(toMember(member))
      const fix = isScope(member)
        ? `close it in the handler with Effect.scoped, or add ${service} to @Requirements`
        : `add ${service} to @Requirements, or provide it in the handler`
      return EFFX2302.make(
        { operation, service },
        { site: annotation.site, notes: comparisonNotes(inferred, declared, fix) }
      )
    }),
    ...stale.map((member) => {
      const service = label(toMember(member))
      const fix = `remove ${service} from @Requirements`
      return EFFX2303.make(
        { operation, service },
        { site: member.site, notes: comparisonNotes(inferred, declared, fix) }
      )
    })
  ]
}

export const requirements: Interpreter = {
  annotation: "Requirements",
  interpret: onOperation(
    once(["Requirements"], (input) => {
      const invalid = invalidArguments(input.annotation)
      return { diagnostics: invalid.length > 0 ? invalid : compare(input) }
    })
  )
}
