/**
 * `@Query` and `@Command`: the operation node with its contract, its documentation and the services and schemas that it
 * names.
 *
 * Members of a channel that have no identity (EFFX2203, EFFX2304) and channels that cannot be known (EFFX2204, EFFX2304)
 * are reported here, whether or not anything is declared. Comparison with what is declared is left to `errors.ts` and
 * `requirements.ts`.
 */
import { EFFX1102 } from "@effx/diagnostics"
import type { Edge, Node, OperationNode, StableId } from "@effx/ir"
import { argumentSite, describe, recordOf, schemaOf } from "../../argument.ts"
import type { Interpreter } from "../../extension.ts"
import { extensionFact } from "../../extension-fact.ts"
import { subjectName } from "../../subject.ts"
import { once, onOperation } from "../placement.ts"
import { errorChannel } from "./error-channel.ts"
import { requirementChannel } from "./requirement-channel.ts"
import { schemaContribution } from "./schemas.ts"
import { serviceContribution } from "./services.ts"

const interpreter = (kind: OperationNode["kind"]): Interpreter => ({
  annotation: kind,
  interpret: onOperation(
    once(["Query", "Command"], ({ annotation, collected, declaration, subject }) => {
      const unexpected = (expected: string, actual: string, ...steps: ReadonlyArray<string | number>) => ({
        diagnostics: [
          EFFX1102.make(
            { annotation: kind, _tag: "Unexpected", expected, actual },
            { site: argumentSite(annotation, ...steps) }
          )
        ]
      })
      const options = recordOf(annotation.args[0])
      if (options === undefined) return unexpected("an object with a success schema", describe(annotation.args[0]), 0)
      const { input, name, success } = options
      if (name !== undefined && (typeof name !== "string" || name === "")) {
        return unexpected("a name that is not empty", describe(name), 0, "name")
      }
      const successRef = schemaOf(success)
      if (successRef === undefined) return unexpected("a success schema", describe(success), 0, "success")
      const givenInput = schemaOf(input)
      if (input !== undefined && givenInput === undefined) {
        return unexpected("an input schema", describe(input), 0, "input")
      }
      const { handler, docs = {} } = declaration
      if (handler === undefined) return {}

      // No input is `Schema.Void`; writing it out changes nothing.
      const inputRef =
        givenInput !== undefined && collected.schemas[givenInput.symbolId]?.shape._tag === "Void"
          ? undefined
          : givenInput
      const errors = errorChannel(declaration, collected)
      const requirements = requirementChannel(declaration)
      const schemas = schemaContribution(collected.schemas, [
        ...(inputRef === undefined ? [] : [{ ref: inputRef, site: argumentSite(annotation, 0, "input") }]),
        { ref: successRef, site: argumentSite(annotation, 0, "success") },
        ...errors.members
      ])
      const services = serviceContribution(collected.services, requirements.members)
      const documentation =
        docs.summary === undefined && docs.description === undefined
          ? undefined
          : extensionFact("core", "docs", subject, { ...docs })
      const handlerFact =
        inputRef !== undefined && declaration.signature?.ignoresInput
          ? extensionFact("core", "handler", subject, { ignoresInput: true })
          : undefined
      const operation: OperationNode = {
        _tag: "Operation",
        id: subject,
        name: subjectName(declaration),
        kind,
        ...(inputRef !== undefined && { input: inputRef }),
        success: successRef,
        errors: { values: errors.members.map(({ ref }) => ref.symbolId), inferred: errors.inferred },
        requirements: { values: requirements.members.map(({ id }) => id), inferred: requirements.inferred },
        handler
      }
      const nodes: ReadonlyArray<Node> = [
        operation,
        ...schemas.nodes,
        ...services.nodes,
        ...(documentation === undefined ? [] : [documentation.node]),
        ...(handlerFact === undefined ? [] : [handlerFact.node])
      ]
      const from = (edge: "InputOf" | "SuccessOf" | "ErrorOf", schema: StableId): Edge => ({
        kind: edge,
        from: schema,
        to: subject
      })
      const edges: ReadonlyArray<Edge> = [
        ...(inputRef === undefined ? [] : [from("InputOf", inputRef.symbolId)]),
        from("SuccessOf", successRef.symbolId),
        ...operation.errors.values.map((id) => from("ErrorOf", id)),
        ...operation.requirements.values.map((id): Edge => ({ kind: "Requires", from: subject, to: id })),
        ...schemas.edges,
        ...services.edges,
        ...(documentation === undefined ? [] : [documentation.edge]),
        ...(handlerFact === undefined ? [] : [handlerFact.edge])
      ]
      return {
        nodes,
        edges,
        diagnostics: [...errors.diagnostics, ...requirements.diagnostics],
        sites: {
          ...schemas.sites,
          ...services.sites,
          [subject]: declaration.site,
          [`${subject}#input`]: argumentSite(annotation, 0, "input"),
          [`${subject}#success`]: argumentSite(annotation, 0, "success"),
          ...Object.fromEntries(errors.members.map(({ ref, site }) => [`${subject}#error/${ref.symbolId}`, site]))
        }
      }
    })
  )
})

export const query = interpreter("Query")
export const command = interpreter("Command")
