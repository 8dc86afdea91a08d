import { defineDiagnostic } from "../define.ts"

const source = (specifier: string) => `import { Operation } from "@effx/runtime"
import { Effect } from "effect"
import { Text } from "${specifier}"

export const show = Operation.query({ name: "Greeting.Show", success: Text }).handler(() => Effect.succeed("hello"))
`

const TEXT = `import { Schema } from "effect"

export const Text = Schema.String
`

export const EFFX1106 = defineDiagnostic<{
  /** The export name of the symbol. */
  readonly name: string
  /** The declaring file as the reader knows it. */
  readonly file: string
}>({
  code: "EFFX1106",
  title: "Identity that is not portable",
  severity: "warning",
  explanation: `A schema, service or other symbol is declared in a file that lies outside the project's folder and that no package exports.
Its identity then depends on where the project lies relative to that file.

In another checkout, or after the project's folder is moved, the same source gets another identity. Semantic hashes change, and
\`effx diff\` sees one thing removed and another one added.

Move the file into the project, or make its folder a package, export the module from it and import it by the package's
name.`,
  examples: [
    {
      title: "A file beside the project",
      beside: {
        "../package.json": '{ "name": "workspace", "private": true, "type": "module", "exports": {} }\n',
        "../shared/text.ts": TEXT,
        "src/text.ts": TEXT
      },
      before: source("../../shared/text.js"),
      after: source("./text.js")
    }
  ],
  message: ({ file, name }) =>
    `${name} is declared in ${file}, which is neither in the project nor exported by a package, so its identity is not portable`,
  fix: ({ file, name }) => `move ${name} into the project, or export ${file} from a package and import it by its name`
})
