import { defineDiagnostic } from "../define.ts"

const source = (edges: string) => `import { defineExtension } from "@effx/compiler"
import { stableId } from "@effx/ir"

export default defineExtension({
  name: "audit",
  package: "effx-audit",
  diagnostics: [],
  interpreters: [
    {
      annotation: "audit",
      interpret: ({ subject }) => {
        const id = stableId("ext", \`audit/log/\${subject}\`)
        return {
          nodes: [{ _tag: "Extension", id, extension: "audit", tag: "log", data: {} }],
          edges: ${edges}
        }
      }
    }
  ],
  analyses: [],
  generators: []
})
`

export const EFFX1003 = defineDiagnostic<{
  readonly extension: string
  /** The concept of the extension. */
  readonly tag: string
}>({
  code: "EFFX1003",
  title: "A fact of an extension belongs to nothing",
  severity: "error",
  explanation: `An extension contributed a fact that is not attached to any operation, model, service or other declaration.

A fact without an owner would never be shown, checked or generated, because all of these start from the declarations.

The mistake is in the extension: every node that it contributes needs an \`ExtensionOf\` edge to its owner. Update the
extension, remove it from the configuration, or tell its author.`,
  examples: [
    {
      title: "A node without its edge",
      file: "audit.ts",
      before: source("[]"),
      after: source('[{ kind: "ExtensionOf", from: id, to: subject, qualifier: "log" }]')
    }
  ],
  message: ({ extension, tag }) => `The extension ${extension} adds a ${tag} that belongs to no declaration`,
  fix: () => "tell the author of the extension: an ExtensionOf edge is missing"
})
