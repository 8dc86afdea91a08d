/** What a session says and to whom: records by their schema, text for people, keys, a reader that leaves, a matcher of editors. */
import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Ajv } from "ajv"
import { onTestFinished } from "vitest"
import { effx, repository, run } from "../effx.ts"
import { edit, eventually, isRunning, project, save, startDev } from "./driver.ts"

const schema = JSON.parse(readFileSync(join(repository, "docs/schemas/effx.dev.v1.json"), "utf8"))
const validate = new Ajv({ strict: true, allErrors: true, allowUnionTypes: true }).compile(schema)

/** The program on a terminal or a pipe, with everything that it wrote so far. */
const started = (cwd: string, command: string, env: Readonly<Record<string, string>> = {}) => {
  const child = spawn("/bin/sh", ["-c", command], {
    cwd,
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", SHELL: "/bin/sh", TERM: "xterm", effx, ...env },
    stdio: ["pipe", "pipe", "pipe"]
  })
  let text = ""
  const gather = (chunk: Buffer) => {
    text += chunk.toString()
  }
  child.stdout.on("data", gather)
  child.stderr.on("data", gather)
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
  onTestFinished(() => void child.kill("SIGKILL"))
  return {
    child,
    ended,
    text: () => text,
    says: (what: string | RegExp) => eventually(() => new RegExp(what).test(text))
  }
}

const onTerminal = (cwd: string, args: string, columns = 80, env: Readonly<Record<string, string>> = {}) =>
  started(cwd, `exec script -qefc 'stty cols ${columns}; exec "$effx" dev ${args}' /dev/null`, env)

it("writes records as their schema says, of every kind that a session without faults of the machine has", async () => {
  const cwd = project()
  const dev = startDev(cwd, ["--build"])
  await dev.untilKind("settled")
  edit(join(cwd, "src/operations.ts"), "@Errors(UserNotFound)", "@Errors()")
  await dev.settled()
  const tsconfig = readFileSync(join(cwd, "tsconfig.json"), "utf8")
  save(join(cwd, "tsconfig.json"), tsconfig.replace("src", "none"))
  await dev.untilKind("fault")
  save(join(cwd, "tsconfig.json"), tsconfig)
  await dev.until(({ errors, kind }) => kind === "diagnostics" && errors === 1)
  save(join(cwd, "effx.config.mjs"), "export default {}\n")
  await dev.untilKind("restart-required")
  await dev.end()
  for (const record of dev.records) {
    expect(validate(record), `${JSON.stringify(record)} ${JSON.stringify(validate.errors)}`).toBe(true)
  }
  expect(new Set(dev.records.map(({ kind }) => kind))).toEqual(
    new Set([
      "session-started",
      "cycle-started",
      "diagnostics",
      "written",
      "settled",
      "fault",
      "restart-required",
      "session-ended"
    ])
  )
  expect(validate({ schema: "effx.dev.v1", kind: "settled", cycle: 0, inputs: 1, revision: null })).toBe(false)
})

it("says for people why a cycle runs, what it found, and a count also when it is zero", async () => {
  const cwd = project()
  const dev = started(cwd, 'exec "$effx" dev')
  await dev.says(/cycle 1 {2}0 errors, 0 warnings, 0 infos {2}in \d+ ms\n/)
  expect(dev.text()).toMatch(/^watching tsconfig\.json\n\ncycle 1 {2}start\ncycle 1 {2}0 errors/)
  edit(join(cwd, "src/operations.ts"), "@Errors(UserNotFound)", "@Errors()")
  await dev.says(/1 errors, 0 warnings, 0 infos {2}in \d+ ms\n/)
  expect(dev.text()).toMatch(
    /\ncycle (\d+) {2}src\/operations\.ts\nEFFX2201 error {2}.* {2}src\/operations\.ts:19:3\ncycle \1 {2}1 errors, 0 warnings, 0 infos {2}in \d+ ms\n$/
  )
  for (const name of ["a", "b", "c", "d", "e"]) save(join(cwd, `src/${name}.ts`), "export {}\n")
  edit(join(cwd, "src/operations.ts"), "@Errors()", "@Errors(UserNotFound)")
  await dev.says(/cycle [3-9] {2}0 errors, 0 warnings, 0 infos {2}in \d+ ms\n$/)
  dev.child.kill("SIGINT")
  expect(await dev.ended).toBe(130)
  expect(dev.text()).not.toContain("\u001b")
})

it("shows the text that was analysed", async () => {
  const cwd = project()
  edit(join(cwd, "src/operations.ts"), "@Errors(UserNotFound)", "@Errors()")
  const dev = started(cwd, 'exec "$effx" dev --format pretty')
  await dev.says(/19 \| {3}@Errors\(\)/)
  dev.child.kill("SIGTERM")
  expect(await dev.ended).toBe(143)
})

it("takes r, h and q with Enter on a terminal, and clears nothing", async () => {
  const cwd = project()
  const dev = onTerminal(cwd, "")
  await dev.says(/cycle 1 .*0 errors/)
  expect(dev.text()).toContain("r check again · q quit · h these keys (each with Enter)")
  dev.child.stdin.write("r\n")
  await dev.says(/cycle 2 {2}asked/)
  await dev.says(/cycle 2 .*0 errors/)
  const before = dev.text().length
  dev.child.stdin.write("h\n")
  await eventually(() => dev.text().slice(before).includes("q quit"))
  dev.child.stdin.write("x\nq\n")
  expect(await dev.ended).toBe(0)
  expect(dev.text()).not.toContain("\u001b[2J")
})

it("clears the terminal at each cycle with --clear, and only there", async () => {
  const cwd = project()
  const terminal = onTerminal(cwd, "--clear")
  await terminal.says(/cycle 1 .*0 errors/)
  expect(terminal.text()).toContain("\u001b[2J")
  terminal.child.stdin.write("q\n")
  await terminal.ended
  const pipe = started(cwd, 'exec "$effx" dev --clear')
  await pipe.says(/cycle 1 .*0 errors/)
  expect(pipe.text()).not.toContain("\u001b")
})

it("ends on Ctrl-C at a terminal, and leaves it as it was", async () => {
  const cwd = project()
  const dev = started(
    cwd,
    `exec script -qefc 'trap : INT; stty -a > before; "$effx" dev; echo "code $?"; stty -a > after' /dev/null`
  )
  await dev.says(/cycle 1 .*0 errors/)
  dev.child.stdin.write("\u0003")
  await dev.says(/code 130/)
  await dev.ended
  expect(readFileSync(join(cwd, "after"), "utf8")).toBe(readFileSync(join(cwd, "before"), "utf8"))
})

it("never reads standard input that is no terminal, nor a terminal from the background", async () => {
  const cwd = project()
  const pipe = started(
    cwd,
    `{ printf 'q\\nrest\\n'; sleep 1000; } | { "$effx" dev & effx=$!; while ! [ -e go ]; do sleep 0.1; done; kill $effx; wait $effx; read first; read second; echo "$first $second"; }`
  )
  await pipe.says(/cycle 1 .*0 errors/)
  save(join(cwd, "src/operations.ts"), `${readFileSync(join(cwd, "src/operations.ts"), "utf8")}// more\n`)
  await pipe.says(/cycle 2 .*0 errors/)
  save(join(cwd, "go"), "")
  await pipe.says(/q rest/)
  pipe.child.kill("SIGKILL")
  const terminal = started(
    cwd,
    `exec script -qefc 'set -m; "$effx" dev & while read line; do echo "shell got $line"; [ "$line" = end ] && break; done; kill %1; wait' /dev/null`
  )
  await terminal.says(/cycle 1 .*0 errors/)
  terminal.child.stdin.write("q\nr\nend\n")
  await terminal.says(/shell got q\r?\n(?:.*\n)*.*shell got r\r?\n(?:.*\n)*.*shell got end/)
  await terminal.ended
  expect(terminal.text()).not.toContain("cycle 2")
})

it("ends when its reader leaves, and is the same text through cat", async () => {
  const cwd = project()
  const head = await run(["-c", '"$effx" dev | head -1'], { cwd, program: "/bin/sh", env: { effx } })
  expect(head).toEqual({ code: 0, signal: null, stdout: "watching tsconfig.json\n", stderr: "" })
  const cat = started(cwd, 'exec "$effx" dev | cat')
  await cat.says(/cycle 1 .*0 errors/)
  expect(cat.text()).toMatch(/^watching tsconfig\.json\n\ncycle 1 {2}start\ncycle 1 {2}0 errors, .*\n$/)
})

it("fits narrow terminals and has no colours with NO_COLOR", async () => {
  const cwd = project()
  edit(join(cwd, "src/operations.ts"), "@Errors(UserNotFound)", "@Errors()")
  const dev = onTerminal(cwd, "", 40, { NO_COLOR: "1" })
  await dev.says(/1 errors, 0 warnings/)
  const text = dev.text()
  for (let code = 0; code < 50; code++) expect(text).not.toContain(`\u001b[${code}m`)
  const frame = text.split(/\r?\n/).filter((line) => /^ +\d* \|/.test(line))
  expect(frame.length).toBeGreaterThan(1)
  for (const line of frame) expect(line.length).toBeLessThanOrEqual(40)
  dev.child.stdin.write("q\n")
  expect(await dev.ended).toBe(0)
})

/** The matcher that docs/dev.md gives to VS Code. */
const matcher = () => {
  const page = readFileSync(join(repository, "docs/dev.md"), "utf8")
  const block = /```json\n(\{[\s\S]*?"problemMatcher"[\s\S]*?\n\})\n```/.exec(page)?.[1]
  return JSON.parse(block ?? "{}").tasks[0].problemMatcher
}

it("matches its lines with the problem matcher that the documentation gives", async () => {
  const cwd = project()
  edit(join(cwd, "src/operations.ts"), "@Errors(UserNotFound)", "@Errors()")
  const { background, pattern } = matcher()
  const dev = started(cwd, 'exec "$effx" dev --format plain')
  await dev.says(/cycle 1 {2}1 errors/)
  edit(join(cwd, "src/operations.ts"), "@Errors()", "@Errors(UserNotFound)")
  await dev.says(/cycle \d+ {2}0 errors/)
  const tsconfig = readFileSync(join(cwd, "tsconfig.json"), "utf8")
  save(join(cwd, "tsconfig.json"), tsconfig.replace("src", "none"))
  await dev.says(/cycle \d+ {2}failed/)
  dev.child.kill("SIGINT")
  await dev.ended
  let active = background.activeOnStart
  const found: Array<ReadonlyArray<string | undefined>> = []
  const states: Array<boolean> = []
  for (const line of dev.text().split("\n")) {
    const [begins, ends] = [background.beginsPattern, background.endsPattern].map((text) => new RegExp(text).test(line))
    if (begins || ends) {
      active = begins === true
      states.push(active)
    }
    const match = new RegExp(pattern.regexp).exec(line)
    if (match === null) continue
    expect(active).toBe(true)
    found.push(
      [pattern.code, pattern.severity, pattern.message, pattern.file, pattern.line, pattern.column].map((n) => match[n])
    )
  }
  expect(found).toEqual([
    ["EFFX2201", "error", expect.stringMatching(/^User\.Get can fail with/), "src/operations.ts", "19", "3"]
  ])
  expect(states.filter((state, index) => state === states[index - 1])).toEqual([])
  expect(states.at(-1)).toBe(false)
})

it("is told of an invalid selection at its start, and ends", async () => {
  const cwd = project()
  edit(join(cwd, "tsconfig.json"), '"include"', '"effx": { "emit": "everything" }, "include"')
  const dev = startDev(cwd, ["--build"])
  expect(await dev.ended).toEqual({ code: 1, signal: null })
  expect(dev.records.map(({ kind }) => kind)).toContain("diagnostics")
  expect(existsSync(join(cwd, ".effx"))).toBe(false)
  save(join(cwd, "effx.config.mjs"), "export default { emit: 1 }\n")
  const config = startDev(cwd)
  expect(await config.ended).toEqual({ code: 1, signal: null })
  expect(config.records).toMatchObject([{ kind: "diagnostics", cycle: 0, errors: 1 }, { kind: "session-ended" }])
  expect(isRunning(config.pid)).toBe(false)
  expect(await run(["dev", "--project", "none"], { cwd })).toMatchObject({ code: 2, stdout: "" })
})

it("is told of a tsconfig that TypeScript refuses at its start, and ends", async () => {
  const cwd = project()
  edit(join(cwd, "tsconfig.json"), '"include"', '"files": 1, "include"')
  const dev = startDev(cwd, ["--build"])
  expect(await dev.ended).toEqual({ code: 1, signal: null })
  expect(dev.records.filter(({ kind }) => kind === "diagnostics")).toMatchObject([{ cycle: 1, errors: 1 }])
  expect(existsSync(join(cwd, ".effx"))).toBe(false)
})
