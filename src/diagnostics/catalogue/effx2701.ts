import { defineDiagnostic } from "../define.ts"

/** What is wrong with the project's Effect; `supported` is a noun phrase that lists versions. */
export type EffectProblem =
  | { readonly _tag: "Unsupported"; readonly version: string; readonly supported: string }
  | { readonly _tag: "Missing"; readonly supported: string }
  /** A package.json names Effect, but no node_modules has it. */
  | { readonly _tag: "NotInstalled" }
  /** Several copies of Effect, whose types do not fit together. */
  | {
      readonly _tag: "Several"
      readonly copies: ReadonlyArray<{
        readonly version: string /** As the reader knows it. */
        readonly folder: string
      }>
    }
  /** The chosen target does not exist. */
  | { readonly _tag: "NoTarget"; readonly target: string; readonly supported: string }
  /** The installed version cannot run code for the chosen target. */
  | { readonly _tag: "Target"; readonly target: string; readonly version: string }

const source = (version: string) => `{
  "type": "module",
  "dependencies": { "effect": "${version}" }
}
`

/** What to do about each problem. */
const FIXES: Readonly<Record<EffectProblem["_tag"], string>> = {
  Unsupported: "install a supported version of effect",
  Missing: "install effect in the project",
  NotInstalled: "run npm install; npm config get registry says which registry it asks",
  Several: "let all packages resolve one copy: align their versions and install again",
  NoTarget: "choose the target of the installed version, or leave it out",
  Target: "choose the target of the installed version, or leave it out"
}

export const EFFX2701 = defineDiagnostic<EffectProblem>({
  code: "EFFX2701",
  title: "Unsupported Effect",
  severity: "error",
  explanation: `The project has no Effect, several of them, a version that effx does not know, or a chosen \`target\` that does not fit the
installed version.

effx reads the types of the project's own Effect and generates code for it. Between versions, modules move and signatures
change, so code for one version does not compile with another.

Install a supported version (\`npm install\`, which needs a registry that serves effect), remove the second copy (\`npm ls effect\` shows where it comes from), or leave \`target\` out so
that it follows the installed version.`,
  examples: [
    { title: "A version of another generation", file: "package.json", before: source("3.19.0"), after: source("4.1.0") }
  ],
  message: (params) => {
    switch (params._tag) {
      case "Unsupported":
        return `The project uses Effect ${params.version}, but effx supports ${params.supported}`
      case "Missing":
        return `The project has no Effect installed; effx supports ${params.supported}`
      case "NotInstalled":
        return "The project's dependencies are not installed: run npm install, which needs an npm registry that serves effect"
      case "Several":
        return `The project has several copies of Effect: ${params.copies.map(({ folder, version }) => `${version} in ${folder}`).join(", ")}`
      case "NoTarget":
        return `There is no target ${params.target}: effx generates code for ${params.supported}`
      case "Target":
        return `The target ${params.target} does not fit the installed Effect ${params.version}`
    }
  },
  fix: (params) => FIXES[params._tag]
})
