/**
 * `@Cli`: exposure as a command. One command may be the beginning of another (`users` and `users list`): effect/cli runs a
 * command that also has subcommands.
 */
import { type ExposureNode, stableId } from "@effx/ir"
import { argumentSite, textOf } from "../../argument.ts"
import type { Interpreter } from "../../extension.ts"
import { subjectName } from "../../subject.ts"
import { malformed, unexpected } from "../invalid-argument.ts"
import { once, onOperation } from "../placement.ts"

/** A word that a shell passes on as it is and that no option parser takes for a flag. */
const WORD = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.:-]*$/u

export const cli: Interpreter = {
  annotation: "Cli",
  interpret: onOperation(
    once(["Cli"], ({ annotation, declaration, subject }) => {
      const site = argumentSite(annotation, 0)
      const text = textOf(annotation.args[0])
      const words = text?.split(" ").filter((word) => word !== "")
      if (words === undefined || words.length === 0) {
        return { diagnostics: [unexpected(annotation, "the words of a command", annotation.args[0], 0)] }
      }
      const foreign = words.find((word) => !WORD.test(word))
      if (foreign !== undefined) {
        const problem = `has the word ${foreign}, but a word has only letters, digits and _ . : - and does not begin with a sign`
        return { diagnostics: [malformed(annotation, problem, 0)] }
      }
      const exposure: ExposureNode = {
        _tag: "Exposure",
        id: stableId("exposure", `${subjectName(declaration)}/cli/${words.join(".")}`),
        operation: subject,
        transport: { _tag: "cli", words }
      }
      return {
        nodes: [exposure],
        edges: [{ kind: "ExposedAs", from: subject, to: exposure.id, qualifier: "cli" }],
        sites: { [exposure.id]: annotation.site, [`${exposure.id}#name`]: site }
      }
    })
  )
}
