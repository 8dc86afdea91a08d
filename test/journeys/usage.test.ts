/** Misuse of the command line: exit code 2, nothing on standard output and one line that says what to do. */
import { expect, it } from "@effect/vitest"
import { describe } from "vitest"
import { run } from "./effx.ts"

describe("misuse", () => {
  it.each([
    [[], /^effx: name a command: .*explain.*; see effx --help\n$/],
    [["explian", "EFFX2201"], /^effx: unknown command explian; did you mean explain\?\n$/],
    [["explain", "EFFX2201", "--cofig", "x"], /^effx: unknown flag --cofig; did you mean --config\?\n$/],
    [["explain"], /^effx: CODE is missing; see effx explain --help\n$/],
    [["explain", "EFFX2201", "EFFX2202"], /^effx: unexpected argument EFFX2202; see effx explain --help\n$/],
    [["--color", "blue", "explain", "EFFX2201"], /^effx: --color must be auto, always or never, not "blue"; see .*\n$/],
    [["check", "--format"], /^effx: --format needs a value: pretty, plain, json, github or sarif; see .*\n$/],
    [
      ["check", "--project", "a", "--project", "b"],
      /^effx: --project may be given once only; see effx check --help\n$/
    ],
    [["check", "--project", ""], /^effx: --project needs a value: PATH; see effx check --help\n$/],
    [["explain", "--\u001b[31m", "EFFX2201"], /^effx: unknown flag --<U\+001B>\[31m; see effx explain --help\n$/]
  ] as const)("%j", async (args, line) => {
    const ended = await run([...args])
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toMatch(line)
  })
})

/** The names in a section of a help text; of flags, those that take a value. */
const named = (
  help: string,
  section: "ARGUMENTS" | "FLAGS" | "GLOBAL FLAGS" | "SUBCOMMANDS"
): ReadonlyArray<string> => {
  const lines = (help.split(`\n${section}\n`)[1] ?? "").split("\n\n")[0] ?? ""
  const names = [...lines.matchAll(/^ {2}(\S+?)(?:, -\w)?( (?! )\S+)? {2,}/gm)]
  return names.flatMap(([, name = "", value]) => (section === "SUBCOMMANDS" || value !== undefined ? name : []))
}

describe("an empty value, as of a variable that is not set", async () => {
  const program = await run(["--help"])
  const rows = await Promise.all(
    named(program.stdout, "SUBCOMMANDS").map(async (command) => {
      const { stderr, stdout } = await run([command, "--help"])
      const help = command === "lsp" ? stderr : stdout
      const positions = named(help, "ARGUMENTS")
      // The program's own flags are the same everywhere.
      const flags = [...named(help, "FLAGS"), ...(command === "check" ? named(help, "GLOBAL FLAGS") : [])]
      return [
        ...positions.map((name, index) => [name.toUpperCase(), [command, ...Array(index).fill("x"), ""]] as const),
        ...flags.map((flag) => [flag, [command, ...positions.map(() => "x"), flag, ""]] as const),
        ["unexpected argument", [command, ...positions.map(() => "x"), ""]] as const
      ]
    })
  )

  it("is tried of every command", () => {
    expect(rows.length).toBeGreaterThanOrEqual(8)
    expect(rows.every((tries) => tries.length > 1)).toBe(true)
    expect(rows.flat().map(([, args]) => args)).toEqual(
      expect.arrayContaining([
        ["diff", ""],
        ["diff", "x", ""],
        ["inspect", ""],
        ["explain", ""],
        ["check", "--project", ""],
        ["build", "--out-dir", ""]
      ])
    )
  })

  it.each(rows.flat())("of %s is misuse: %j", async (name, args) => {
    const ended = await run(args)
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toMatch(/^effx: [^\n]+; see effx( [a-z]+)? --help\n$/)
    expect(
      ended.stderr.startsWith(`effx: ${name === "unexpected argument" ? `${name} ""` : `${name} needs a value: `}`)
    ).toBe(true)
  })
})

it("prints help on standard output, for the program and for each command but the server", async () => {
  const help = await run(["--help"])
  expect(help).toMatchObject({ code: 0, stderr: "" })
  for (const [, command] of help.stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)) {
    if (command === "effx" || command === "lsp") continue
    const ended = await run([command ?? "", "--help"])
    expect(ended).toMatchObject({ code: 0, stderr: "" })
    expect(ended.stdout).toContain(`effx ${command}`)
  }
})

it("does not mention commands that do not exist", async () => {
  const { stdout } = await run(["--help"])
  for (const command of ["serve-workspace-mcp", "wizard"]) expect(stdout).not.toContain(command)
})

it("knows a code, does not know another, and suggests the nearest", async () => {
  expect(await run(["explain", "EFFX2201"])).toMatchObject({ code: 0, stderr: "" })
  expect(await run(["explain", "effx2201"])).toMatchObject({ code: 0, stderr: "" })
  expect(await run(["explain", "EFFX22O1"])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^effx: there is no code EFFX22O1; did you mean EFFX2201.*\?\n$/)
  })
})

it("explains the codes of extensions that a config brings, and says how to when none is given", async () => {
  const code = "EFFX[effx-audit]/0001"
  expect(await run(["explain", code, "--config", "fixtures/extension/effx.config.ts"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^# EFFX\[effx-audit\]\/0001: /),
    stderr: ""
  })
  expect(await run(["explain", code])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: `effx: there is no code ${code}; codes of extensions need --config PATH\n`
  })
  expect(await run(["explain", code, "--config", "nowhere.ts"])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: "effx: nowhere.ts does not exist\n"
  })
})
