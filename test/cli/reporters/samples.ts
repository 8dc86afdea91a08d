/** A fixed list of findings in a small project, for every reporter. */
import {
  CORE_ENTRIES,
  type Diagnostic,
  EFFX0003,
  EFFX2201,
  type EntryInfo,
  makeRegistry,
  type Site
} from "@effx/diagnostics"
import type { Report, Surroundings } from "../../../src/cli/reporters/report.ts"
import { splitLines } from "../../../src/cli/reporters/report.ts"
import { plainStyle } from "../../../src/cli/reporters/style.ts"

export const SOURCE = `export class UserOperations {
  @Command({ name: "User.ChangeEmail", input: ChangeEmail, success: User })
  @Http.Patch("/users/:id/email")
  @Errors(UserNotFound)
  static changeEmail(input: typeof ChangeEmail.Type) {
    return Users.use((users) => users.changeEmail(input.id, input.email))
  }
}
`

/** The site of a text's first occurrence. */
export const siteOf = (source: string, text: string, file = "src/operations.ts"): Site => {
  const offset = source.indexOf(text)
  const before = splitLines(source.slice(0, offset))
  const start = Buffer.byteLength(source.slice(0, offset))
  return {
    location: { file, line: before.length, col: (before.at(-1)?.length ?? 0) + 1 },
    span: { start, end: start + Buffer.byteLength(text) }
  }
}

export const undeclared: Diagnostic = EFFX2201.make(
  { operation: "User.ChangeEmail", error: "EmailTaken" },
  {
    site: siteOf(SOURCE, "@Errors(UserNotFound)"),
    notes: [
      { label: "inferred", text: "EmailTaken, UserNotFound" },
      { label: "declared", text: "UserNotFound" },
      { label: "fix", text: "add EmailTaken to @Errors, or handle it in the handler" }
    ]
  }
)

export const elsewhere: Diagnostic = EFFX2201.make(
  { operation: "User.Get", error: "UserNotFound" },
  {
    site: siteOf(SOURCE, "@Command", "src/with space, comma: and %.ts"),
    related: [{ message: "the error is raised here", ...siteOf(SOURCE, "Users.use") }, { message: "and somewhere" }]
  }
)

export const unlocated: Diagnostic = EFFX0003.make({ project: "tsconfig.json", files: 3 })

export const report = (diagnostics: ReadonlyArray<Diagnostic>): Report => ({
  diagnostics,
  failed: diagnostics.some((diagnostic) => diagnostic.severity === "error"),
  revision: `sha256:${"0123456789abcdef".repeat(4)}`
})

const core = makeRegistry(CORE_ENTRIES)

export const surroundings = (options: Partial<Surroundings> & { readonly source?: string } = {}): Surroundings => ({
  style: plainStyle,
  columns: 100,
  displayPath: (file) => file,
  lines: () => splitLines(options.source ?? SOURCE),
  entry: (code): EntryInfo | undefined => core.lookup(code),
  version: "0.1.0",
  ...options
})
