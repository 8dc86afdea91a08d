import { defineDiagnostic } from "../define.ts"

const source = (version: string) => `{
  "devDependencies": { "typescript": "${version}" }
}
`

/** Emitted as a warning when the major versions differ. */
export const EFFX0001 = defineDiagnostic<{
  /** The version of the TypeScript that analyses. */
  readonly analysing: string
  /** The version of the TypeScript that the project installs. */
  readonly project: string
}>({
  code: "EFFX0001",
  title: "Another TypeScript analyses the project",
  severity: "info",
  policy: { _tag: "Varies", allowed: ["warning"], when: "the major versions differ" },
  explanation: `effx reads source with a TypeScript of its own, so that every run of one effx version gives the same result. This
project installs another version of TypeScript.

The two can disagree: a type that one of them infers as \`never\` can be wider in the other, and a syntax that one accepts
can be an error in the other. What effx infers then differs from what your editor shows.

Install the TypeScript version that the message names, or another one with the same major version, or accept the
difference: the finding does not stop anything.`,
  examples: [
    {
      title: "The project pins another major version",
      file: "package.json",
      before: source("5.9.3"),
      after: source("7.1.0-beta")
    }
  ],
  message: ({ analysing, project }) => `effx analyses with TypeScript ${analysing}, but the project uses ${project}`,
  fix: () => "install the TypeScript that effx analyses with, or accept that both may infer differently"
})
