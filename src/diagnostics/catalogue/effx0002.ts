import { defineDiagnostic } from "../define.ts"

const source = (target: string) => `{
  "compilerOptions": { "target": "${target}", "module": "nodenext", "strict": true },
  "include": ["src"]
}
`

export const EFFX0002 = defineDiagnostic<{
  /** The file that is wrong, as the reader knows it: `tsconfig.json`, `effx.config.ts`. */
  readonly file: string
  /** A clause without a final full stop. */
  readonly reason: string
}>({
  code: "EFFX0002",
  title: "Invalid project or configuration",
  severity: "error",
  explanation: `The selected tsconfig, or the effx configuration beside it, cannot be used: it is not well formed, an option has a value
that does not exist, or the files that it extends or names are missing.

effx does not guess what was meant, because every result depends on which files are selected and how they are compiled.

Correct the file at the place that the message names. \`tsc --showConfig\` shows what TypeScript makes of a tsconfig.`,
  examples: [
    {
      title: "An option with an unknown value",
      file: "tsconfig.json",
      before: source("es2099"),
      after: source("es2022")
    }
  ],
  message: ({ file, reason }) => `${file} is not valid: ${reason}`,
  fix: ({ file }) => `correct ${file}`
})
