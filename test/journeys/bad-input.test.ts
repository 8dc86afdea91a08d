/**
 * What a user may hand to the program by mistake: each ends with the exit code of its kind and one line or one finding that says
 * what is wrong, never with a stack trace, a crash or a hang.
 */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect } from "@effect/vitest"
import { afterAll, describe, it } from "vitest"
import { type Ended, effx, repository, run } from "./effx.ts"
import { inTurn } from "./in-turn.ts"

const top = mkdtempSync(join(tmpdir(), "effx-bad-input-"))
afterAll(() => rmSync(top, { recursive: true, force: true }))

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    lib: ["esnext"],
    types: [],
    strict: true,
    skipLibCheck: true
  },
  include: ["src"]
})

const MAIN = `import { Annotate, Http, Query } from "@effx/runtime"
import { Effect, Schema } from "effect"

export const Pong = Schema.Struct({ at: Schema.String })

export class Pings {
  @Query({ name: "Ping.Get", success: Pong })
  @Http.Get("/ping")
  @Http.Access({ exposure: "public" })
  static get() {
    return Effect.succeed({ at: "now" })
  }
}
`

const PACKAGE = JSON.stringify({ name: "p", version: "1.0.0", type: "module", dependencies: { effect: "4.1.0" } })

type Files = Readonly<Record<string, string | Uint8Array | undefined>>

interface Project {
  readonly folder: string
  readonly write: (path: string, text: string | Uint8Array) => void
  readonly link: (target: string, path: string) => void
}

let count = 0

/** A right project with other files; `undefined` leaves one out. */
const project = (files: Files = {}): Project => {
  const folder = join(top, `p${count++}`)
  const write = (path: string, text: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const link = (target: string, path: string) => symlinkSync(target, join(folder, path))
  const all: Files = { "tsconfig.json": TSCONFIG, "package.json": PACKAGE, "src/main.ts": MAIN, ...files }
  mkdirSync(join(folder, "src"), { recursive: true })
  for (const [path, text] of Object.entries(all)) if (text !== undefined) write(path, text)
  if (!Object.keys(files).some((path) => path.startsWith("node_modules/")))
    link(join(repository, "node_modules"), "node_modules")
  return { folder, write, link }
}

const STACK = /^\s+at .+(:\d+|\))$/m

/** Runs the program, two at a time at most, and never longer than a minute. */
const outcome = (cwd: string, args: ReadonlyArray<string>, as: ReadonlyArray<string> = []): Promise<Ended> =>
  inTurn(async () => {
    const [program = "", ...rest] = [...as, "timeout", "60", effx, ...args]
    const ended = await run(rest, { cwd, program })
    expect(ended.stdout).not.toMatch(STACK)
    expect(ended.stderr).not.toMatch(STACK)
    return ended
  })

/** Exit code 2, and one line on standard error. */
const misuse = async (cwd: string, args: ReadonlyArray<string>, line: string, as?: ReadonlyArray<string>) =>
  expect(await outcome(cwd, args, as)).toMatchObject({ code: 2, stdout: "", stderr: `effx: ${line}\n` })

/** Exit code 1, and one finding. */
const finding = async (cwd: string, line: string | RegExp, args: ReadonlyArray<string> = ["check"]) => {
  const { code, stderr, stdout } = await outcome(cwd, args)
  const [first, ...rest] = stdout.split("\n")
  expect({ code, stderr, rest }).toEqual({ code: 1, stderr: "", rest: ["1 errors, 0 warnings, 0 infos", ""] })
  if (typeof line === "string") expect(first).toBe(line)
  else expect(first).toMatch(line)
}

const clean = { code: 0, stdout: "0 errors, 0 warnings, 0 infos\n", stderr: "" }

describe.concurrent("the command line", () => {
  const { folder } = project()
  it.each([
    [["check", "--prject", "x"], "unknown flag --prject; did you mean --project?"],
    [["build", "--overwrit"], "unknown flag --overwrit; did you mean --overwrite?"],
    [["chekc"], "unknown command chekc; did you mean check?"],
    [
      ["check", "--format", "xml"],
      '--format must be pretty, plain, json, github or sarif, not "xml"; see effx check --help'
    ],
    [["build", "--emit="], "--emit needs a value: contract, handlers or all; see effx build --help"],
    [["build", "--out-dir", ""], "--out-dir needs a value: PATH; see effx build --help"],
    [["check", "extra"], "unexpected argument extra; see effx check --help"]
  ] as const)("%j", (args, line) => misuse(folder, args, line))

  it("names the targets that exist", () =>
    finding(folder, "EFFX2701 error  There is no target 3.0: effx generates code for 4.0.0-rc.116, 4.0.x and 4.1.x", [
      "build",
      "--target",
      "3.0"
    ]))
})

describe.concurrent("the selected project", () => {
  it("without a tsconfig", async () => {
    const { folder } = project({ "tsconfig.json": undefined })
    for (const command of [["check"], ["build"], ["graph"], ["inspect", "Ping.Get"]]) {
      await misuse(folder, command, `there is no tsconfig.json in ${folder}; name a project with --project`)
    }
    await misuse(folder, ["check", "--project", "src"], "the folder src has no tsconfig.json")
    await misuse(folder, ["check", "--project", "nowhere"], "nowhere does not exist")
  })

  it.each([
    ["a list", "[]", "The root value of a 'tsconfig.json' file must be an object  tsconfig.json:1:1"],
    ["a comma too few", '{ "include": ["src"] "files": [] }', "',' expected  tsconfig.json:1:22"],
    [
      "a wrong type",
      '{ "include": "src" }',
      "Compiler option 'include' requires a value of type Array  tsconfig.json:1:14"
    ],
    [
      "an unknown option",
      '{ "compilerOptions": { "strickt": true } }',
      "Unknown compiler option 'strickt'. Did you mean 'strict'?  tsconfig.json:1:24"
    ],
    ["a base that is missing", '{ "extends": "./gone.json", "include": ["src"] }', "Cannot read file 'gone.json'"],
    [
      "a base that is itself",
      '{ "extends": "./tsconfig.json", "include": ["src"] }',
      "it extends itself, directly or through others"
    ],
    ["a file that is missing", '{ "files": ["gone.ts"] }', "File 'gone.ts' not found"]
  ])("with a tsconfig that has %s", (_title, text, reason) =>
    finding(project({ "tsconfig.json": text }).folder, `EFFX0002 error  tsconfig.json is not valid: ${reason}`)
  )

  it("with a tsconfig of noise", async () => {
    const noise = Uint8Array.from({ length: 4000 }, (_, index) => (index * index * 31 + 7) % 256)
    const { code, stdout } = await outcome(project({ "tsconfig.json": noise }).folder, ["check"])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^EFFX0002 error {2}tsconfig\.json is not valid: /)
  })

  it("with a broken tsconfig, under the commands that show something else", async () => {
    const { folder } = project({ "tsconfig.json": "[]" })
    for (const command of [["graph"], ["inspect", "Ping.Get"]]) {
      const { code, stderr, stdout } = await outcome(folder, command)
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
      expect(stderr).toMatch(/^EFFX0002 error {2}tsconfig\.json is not valid: .*\n1 errors, 0 warnings, 0 infos\n$/)
    }
  })

  it("that selects no file", async () => {
    const { folder } = project({ "src/main.ts": undefined })
    for (const command of [["check"], ["build"], ["graph"]])
      await misuse(folder, command, "tsconfig.json selects no file")
  })

  it("that declares nothing", async () => {
    const { folder } = project({ "src/main.ts": "export const nothing = 1\n" })
    expect(await outcome(folder, ["check"])).toMatchObject({
      code: 0,
      stdout:
        "EFFX0003 warning  tsconfig.json selects one file, but it declares no operation and no model\n0 errors, 1 warnings, 0 infos\n",
      stderr: ""
    })
    expect(await outcome(folder, ["check", "--deny-warnings"])).toMatchObject({ code: 1 })
  })
})

describe.concurrent("a config", () => {
  const invalid = (text: string, reason: string) =>
    finding(project({ "effx.config.ts": text }).folder, `EFFX0002 error  effx.config.ts is not valid: ${reason}`)

  it.each([
    ["throws", 'throw new Error("no luck\\nat all")', "it throws: no luck  effx.config.ts:1:11"],
    [
      "throws what cannot be read",
      "throw new Proxy({}, { get() { throw 1 } })",
      "it throws a value that cannot be read"
    ],
    [
      "leaves a rejection behind",
      'void Promise.reject(new Error("late"))\nexport default {}',
      "it throws: late  effx.config.ts:1:25"
    ],
    [
      "ends the process",
      "process.exit(0)",
      "it calls process.exit, which would end effx before it has a result  effx.config.ts:1:9"
    ],
    [
      "has no default export",
      "export const config = {}",
      "it has no default export; export default defineConfig({ … })"
    ],
    ["is empty", "", "it has no default export; export default defineConfig({ … })"],
    ["exports a number", "export default 42", "its default export must be a plain object"],
    ["exports a list", "export default []", "its default export must be a plain object"],
    [
      "exports a promise",
      "export default Promise.resolve({})",
      "its default export is a promise; export what it resolves to"
    ],
    [
      "has a getter that throws",
      'export default { get emit() { throw new Error("no luck") } }',
      "reading its default export throws: no luck"
    ],
    ["has a wrong key", 'export default { outdir: "x" }', "there is no option named outdir  effx.config.ts:1:18"],
    [
      "has a wrong value",
      'export default { emit: "some" }',
      'emit must be one of "contract", "handlers", "all"  effx.config.ts:1:18'
    ],
    [
      "is not well-formed",
      "export default {",
      "it is not well-formed TypeScript: Expected identifier but found end of file  effx.config.ts:1:16"
    ],
    [
      "imports what is not there",
      'import x from "./gone.ts"\nexport default x',
      "it imports ./gone.ts, which cannot be found"
    ],
    ["never settles", "await new Promise(() => {})\nexport default {}", "it does not settle within 30 seconds"]
  ])("that %s", (_title, text, reason) => invalid(text, reason))

  it("that selects a project which is not there", () =>
    misuse(
      project({ "effx.config.ts": 'export default { project: "gone" }' }).folder,
      ["check"],
      "gone, the project of effx.config.ts, does not exist"
    ))

  it.each([
    ['new Error("late")', "late", []],
    ["Object.create(null)", "a value that cannot be read", []],
    ["new Proxy(new Error(), { get() { throw 1 }, getPrototypeOf() { throw 1 } })", "a value that cannot be read", []],
    ['Object.defineProperty(new Error("late"), "stack", { get() { throw 1 } })', "late", ["--log-level", "debug"]],
    ["undefined", "undefined", []]
  ])("that throws %s in the background once it has been read", async (value, words, more) => {
    const text = `setTimeout(() => { throw ${value} }, 1)\nexport default {}`
    const { code, stderr, stdout } = await outcome(project({ "effx.config.ts": text }).folder, ["check", ...more])
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" })
    expect(stderr).toContain(`effx: something that runs in the background failed: ${words}\n`)
  })

  it("that logs, into a record that programs read", async () => {
    const { folder } = project({ "effx.config.ts": 'console.log("hello %s", "you")\nexport default {}' })
    const { code, stderr, stdout } = await outcome(folder, ["check", "--format", "json"])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "hello you\n" })
    expect(JSON.parse(stdout)).toMatchObject({ kind: "verified" })
  })
})

describe.concurrent("what cannot be read", () => {
  const unprivileged = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
  const powerless = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"]

  /** Another user where that one may run the program at all, else root without its powers; whoever is not root needs neither. */
  const reader = async (): Promise<ReadonlyArray<string>> => {
    if (process.getuid?.() !== 0) return []
    const [program = "", ...args] = [...unprivileged, effx, "--version"]
    return (await run(args, { program })).code === 0 ? unprivileged : powerless
  }

  it.each([
    ["src/main.ts", "src/main.ts cannot be read: permission denied"],
    ["tsconfig.json", "tsconfig.json cannot be read: permission denied"],
    ["package.json", "package.json cannot be read: permission denied"],
    ["effx.config.ts", "effx.config.ts cannot be read: permission denied"],
    ["lib.ts", "lib.ts cannot be read: permission denied"],
    [
      "src/inner",
      "the folder src/inner cannot be searched for source files: permission denied; exclude it in tsconfig.json or make it readable"
    ]
  ])("%s", async (path, line) => {
    const { folder } = project({
      "effx.config.ts": "export default {}",
      "lib.ts": "export const x = 1",
      "src/inner/deep.ts": "export const y = 1",
      "src/user.ts": 'import "../lib.js"'
    })
    chmodSync(top, 0o755)
    chmodSync(join(folder, path), 0)
    await misuse(folder, ["check"], line, await reader())
    chmodSync(join(folder, path), 0o700)
  })

  it("a source that is a link to nothing, or to itself", async () => {
    const dangling = project()
    dangling.link("gone.ts", "src/other.ts")
    await misuse(dangling.folder, ["check"], "src/other.ts is a symbolic link to gone.ts, which does not exist")
    const loop = project()
    loop.link("other.ts", "src/other.ts")
    await misuse(loop.folder, ["build"], "src/other.ts cannot be read: its path is a symbolic link loop")
  })

  it("a tsconfig that is a link to nothing, or to itself", async () => {
    const { folder, link } = project({ "tsconfig.json": undefined })
    link("gone.json", "dangling.json")
    link("loop.json", "loop.json")
    const check = (name: string) => ["check", "--project", name]
    await misuse(folder, check("dangling.json"), "dangling.json is a symbolic link to gone.json, which does not exist")
    await misuse(folder, check("loop.json"), "loop.json is part of a symbolic link loop")
  })

  it("nothing, where links are none of the project's business or lead in a circle of folders", async () => {
    const { folder, link } = project()
    link("user@host", "src/.#main.ts")
    link("gone.md", "src/readme.md")
    link("../src", "src/again")
    expect(await outcome(folder, ["check"])).toMatchObject(clean)
  })
})

describe.concurrent("an Effect that is not supported", () => {
  const manifest = (name: string, version: string) =>
    JSON.stringify({ name, version, type: "module", exports: "./index.d.ts" })

  it("of another generation", async () => {
    const { folder } = project({
      "node_modules/effect/package.json": manifest("effect", "3.19.0"),
      "node_modules/effect/index.d.ts": "export declare const Effect: any, Schema: any"
    })
    cpSync(join(repository, "src/runtime"), join(folder, "node_modules/@effx/runtime"), {
      recursive: true,
      filter: (path) => !path.includes("runtime/node_modules")
    })
    for (const command of ["check", "build"]) {
      const place = `package.json:1:${PACKAGE.indexOf('"effect"') + 1}`
      const message = "The project uses Effect 3.19.0, but effx supports 4.0.0-rc.116, 4.0.x and 4.1.x"
      await finding(folder, `EFFX2701 error  ${message}  ${place}`, [command])
    }
  })

  it("that is missing", () =>
    finding(
      project({ "node_modules/.keep": "", "package.json": manifest("other", "1.0.0") }).folder,
      "EFFX2701 error  The project has no Effect installed; effx supports 4.0.0-rc.116, 4.0.x and 4.1.x"
    ))

  it("that is declared and not installed", () =>
    finding(
      project({ "node_modules/.keep": "" }).folder,
      /^EFFX2701 error {2}The project's dependencies are not installed: run npm install, which needs an npm registry that serves effect {2}package\.json:1:\d+$/
    ))

  it("that is there twice", async () => {
    const { folder, link } = project({
      "src/other.ts": 'import "other"',
      "node_modules/other/package.json": manifest("other", "1.0.0"),
      "node_modules/other/index.d.ts": 'export * from "effect"',
      "node_modules/other/node_modules/effect/package.json": manifest("effect", "4.0.6"),
      "node_modules/other/node_modules/effect/index.d.ts": "export declare const x: 1"
    })
    link(join(repository, "node_modules/effect"), "node_modules/effect")
    link(join(repository, "node_modules/@effx"), "node_modules/@effx")
    await finding(
      folder,
      /^EFFX2701 error {2}The project has several copies of Effect: .*4\.0\.6 in node_modules\/other\/node_modules\/effect.* {2}package\.json:1:\d+$/
    )
  })
})

describe.concurrent("much input", () => {
  it("a source file of 5 MB", async () => {
    const lines = Array.from(
      { length: 80_000 },
      (_, n) => `export const value${n} = { a: ${n}, b: "some text ${n}", c: [1, 2] }\n`
    )
    const text = MAIN + lines.join("")
    expect(text.length).toBeGreaterThan(5e6)
    expect(await outcome(project({ "src/main.ts": text }).folder, ["check"])).toMatchObject(clean)
  })

  it("500 files with an operation each", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 500 }, (_, n) => [
        `src/m${n}.ts`,
        MAIN.replace("Ping.Get", `Ping${n}.Get`).replace("/ping", `/ping${n}`)
      ])
    )
    expect(await outcome(project(files).folder, ["check"])).toMatchObject(clean)
  })

  const deep = (open: string, core: string, close: string, levels = 2000) =>
    open.repeat(levels) + core + close.repeat(levels)
  const annotated = (argument: string) => MAIN.replace("  static get", `  @Annotate("x", ${argument})\n  static get`)

  it.each([
    ["arrays", deep("[", "", "]")],
    ["objects", deep("{ a: ", "1", " }")]
  ])("an argument of 2,000 nested %s", (_title, argument) =>
    finding(
      project({ "src/main.ts": annotated(argument) }).folder,
      /^EFFX1102 error {2}@Annotate takes values that nest at most 100 levels deep {2}src\/main\.ts:10:\d+$/
    )
  )

  it("an argument at the bound, and in 2,000 parentheses", async () => {
    for (const argument of [deep("[", "", "]", 100), deep("(", "1", ")")]) {
      await finding(
        project({ "src/main.ts": annotated(argument) }).folder,
        /^EFFX1101 error {2}Ping\.Get carries the annotation x/
      )
    }
    await finding(project({ "src/main.ts": annotated(deep("[", "", "]", 101)) }).folder, /^EFFX1102 /)
  })

  it("code that nests 2,000 levels deep", async () => {
    const text = [
      MAIN.replace('at: "now"', `at: ${deep("(", '"now"', ")")}`),
      `export const lists = ${deep("[", "", "]")}`,
      `export const records = ${deep("{ a: ", "1", " }")}`,
      `export const functions = ${deep("() => ", "1", "")}`,
      `export const blocks = () => ${deep("{", "", "}")}`,
      `declare const any: any\nexport const chain = any${deep("", "", ".a()")}`,
      `export const sum = 1${deep("", "", " + 1")}`
    ]
    expect(await outcome(project({ "src/main.ts": text.join("\n") }).folder, ["check"])).toMatchObject(clean)
  })

  it("a handler of 2,000 steps and a schema of 2,000 lists", async () => {
    const piped = MAIN.replace('at: "now" })', `at: "now" })${deep("", "", ".pipe(Effect.map((x) => x))")}`)
    expect(await outcome(project({ "src/main.ts": piped }).folder, ["check"])).toMatchObject(clean)
    const listed = MAIN.replace("{ at: Schema.String }", `{ at: ${deep("Schema.Array(", "Schema.String", ")")} }`)
    expect(await outcome(project({ "src/main.ts": listed }).folder, ["check"])).toMatchObject(clean)
  })
})

describe.concurrent("types that recur for ever", () => {
  it("beside an operation", async () => {
    const types = `export type Forever<T> = { next: Forever<T[]> }
export declare const forever: Forever<string>
export type Grow<T extends Array<unknown>> = Grow<[...T, 1]>
export declare const grow: Grow<[]>
`
    expect(await outcome(project({ "src/main.ts": MAIN + types }).folder, ["check"])).toMatchObject(clean)
  })

  it.each([
    [
      "what a handler returns",
      ": Grow<[]>",
      "type Grow<T extends Array<unknown>> = Grow<[...T, 1]>",
      /^EFFX1105 error {2}.* but any {2}/
    ],
    [
      "what a handler fails with",
      ": Effect.Effect<{ at: string }, Forever<1>>",
      "interface Forever<T> { next: Forever<T[]> }",
      /^EFFX2203 error {2}Ping\.Get can fail with Forever<1>/
    ],
    [
      "what a handler needs",
      ": Effect.Effect<{ at: string }, never, Forever<1>>",
      "interface Forever<T> { next: Forever<T[]> }",
      /^EFFX2304 error {2}/
    ]
  ])("as %s", (_title, annotation, type, line) =>
    finding(project({ "src/main.ts": `${MAIN.replace("get()", `get()${annotation}`)}export ${type}\n` }).folder, line)
  )

  it("as what a schema decodes", async () => {
    const schema = "{ at: Schema.String, next: Schema.suspend((): Schema.Codec<Forever<1>> => Pong) }"
    const text = MAIN.replace(
      "export const Pong = Schema.Struct({ at: Schema.String })",
      `interface Forever<T> { readonly at: string; readonly next: Forever<T[]> }\nexport const Pong: Schema.Codec<Forever<1>> = Schema.Struct(${schema}) as never`
    )
    expect(await outcome(project({ "src/main.ts": text }).folder, ["build"])).toMatchObject({ code: 0, stderr: "" })
  })

  it("as a handler that returns itself", () =>
    finding(
      project({ "src/main.ts": MAIN.replace('Effect.succeed({ at: "now" })', "Pings.get()") }).folder,
      "EFFX1105 error  The handler of Ping.Get does not return an Effect, but any  src/main.ts:10:10"
    ))
})

describe.concurrent("odd text", () => {
  it("a byte-order mark with CRLF shifts no position", async () => {
    const text = `\ufeff${MAIN.replaceAll("\n", "\r\n")}`
    expect(await outcome(project({ "src/main.ts": text }).folder, ["check"])).toMatchObject(clean)
    await finding(
      project({ "src/main.ts": text.replace('Effect.succeed({ at: "now" })', "1") }).folder,
      "EFFX1105 error  The handler of Ping.Get does not return an Effect, but number  src/main.ts:10:10"
    )
  })

  it("lone surrogates and NUL in names and comments give outputs that are checked right", async () => {
    const text = MAIN.replace('"Ping.Get"', '"Ping.\\uD800\\0"').replace(
      "  @Query",
      "  /** About \\uDC00 \0. */\n  @Query"
    )
    const { folder } = project({ "src/main.ts": text })
    expect(await outcome(folder, ["build"])).toMatchObject({ code: 0, stderr: "" })
    expect(await outcome(folder, ["build", "--check"])).toMatchObject(clean)
    expect(await outcome(folder, ["graph", "--as", "html"])).toMatchObject({ code: 0, stderr: "" })
  })

  it("UTF-16 with a mark, and bytes that are no UTF-8 in a comment", async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(MAIN, "utf16le")])
    const bytes = Buffer.concat([Buffer.from(`${MAIN}// `), Buffer.from([0xed, 0xa0, 0x80, 0xff, 0x0a])])
    for (const text of [utf16, bytes]) {
      expect(await outcome(project({ "src/main.ts": text }).folder, ["check"])).toMatchObject(clean)
    }
  })

  it("a lone surrogate in a route", () =>
    finding(
      project({ "src/main.ts": MAIN.replace('"/ping"', '"/ping\\uDC00"') }).folder,
      'EFFX2402 error  The path /ping\ufffd of Ping.Get is not valid: its segment ping\ufffd has the character "\\udc00"  src/main.ts:8:13'
    ))

  it.each([
    ["a parameter list", "static get() {", "static get( {", /':' expected {2}src\/main\.ts:11:\d+$/],
    ["a decorator's call", '@Http.Get("/ping")', '@Http.Get("/ping"', /',' expected {2}src\/main\.ts:9:3$/],
    ["a decorator's name", '@Http.Get("/ping")', "@Http.", /Identifier expected {2}src\/main\.ts:9:3$/],
    ["a decorator", '@Http.Get("/ping")', "@", /Expression expected {2}src\/main\.ts:\d+:\d+$/],
    ["an argument", 'name: "Ping.Get"', "name: ", /Expression expected {2}src\/main\.ts:7:\d+$/],
    ["a body that ends early", MAIN.slice(MAIN.indexOf("    return")), "", /'\}' expected {2}src\/main\.ts:11:1$/],
    ["NUL outside of text", "export class", "\0\0export class", /Invalid character {2}src\/main\.ts:6:1$/]
  ])("a syntax error in %s of a decorated class", (_title, right, wrong, line) =>
    finding(
      project({ "src/main.ts": MAIN.replace(right, wrong) }).folder,
      new RegExp(`^EFFX1107 error {2}This file is not well-formed TypeScript: ${line.source}`)
    )
  )

  it("noise", () =>
    finding(
      project({ "src/main.ts": Uint8Array.from({ length: 50_000 }, (_, index) => (index * index * 31 + 7) % 256) })
        .folder,
      /^EFFX1107 error {2}This file is not well-formed TypeScript: .* {2}src\/main\.ts:1:\d+$/
    ))
})
