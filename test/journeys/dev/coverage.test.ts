/**
 * Gate 10 of Spec 0018, amendment A, with `effx dev`: what is declared of executable code is observed, and nothing is claimed of the
 * rest. A config tells by a counter that it was evaluated.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "@effect/vitest"
import { run, shell } from "../effx.ts"
import { COOKIE, codes, type Dev, edit, project, save, startDev } from "./driver.ts"

const EVALUATIONS = "../evaluations"

/** A config that counts its evaluations; `body` comes before its default export. */
const config = (coverage: object, body = ""): string => `
import { appendFileSync } from "node:fs"
${body}
appendFileSync(new URL(${JSON.stringify(EVALUATIONS)}, import.meta.url), "x")
export default { executableCoverage: ${JSON.stringify(coverage)} }
`

const evaluations = (cwd: string): number => readFileSync(join(cwd, EVALUATIONS), "utf8").length

/** The users fixture in a folder of its own, with these files beside it by relative path; `-> x` is a link to x. */
const withFiles = (files: Readonly<Record<string, string>>): string => {
  const cwd = project("effx coverage")
  for (const [name, text] of Object.entries(files)) {
    if (text.startsWith("-> ")) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true })
      symlinkSync(text.slice(3), join(cwd, name))
    } else save(join(cwd, name), text)
  }
  return cwd
}

const retarget = (link: string, target: string): void => {
  rmSync(link)
  symlinkSync(target, link)
}

/** The kinds of all records, and no more come: a process of its own, which takes its time, has checked the same tree meanwhile. */
const kindsAfter = async (dev: Dev, cwd: string): Promise<ReadonlyArray<string>> => {
  edit(join(cwd, "src/operations.ts"), "@Errors(UserNotFound)", "@Errors()")
  expect(await run(["check"], { cwd })).toMatchObject({ code: 1 })
  await dev.end()
  return dev.records.map(({ kind }) => kind)
}

/** One restart is asked for, naming these paths; nothing is told, analysed or written after it. */
const restarts = async (dev: Dev, cwd: string, files: ReadonlyArray<string>): Promise<void> => {
  const before = existsSync(join(cwd, ".effx/ir.json")) ? statSync(join(cwd, ".effx/ir.json")).mtimeMs : undefined
  expect(await dev.untilKind("restart-required")).toMatchObject({ files })
  const kinds = await kindsAfter(dev, cwd)
  expect(kinds.slice(kinds.indexOf("restart-required"))).toEqual(["restart-required", "session-ended"])
  expect(existsSync(join(cwd, ".effx/ir.json")) ? statSync(join(cwd, ".effx/ir.json")).mtimeMs : undefined).toBe(before)
}

it("asks for a restart when an ordinary package link is retargeted while its old target stays as it is", async () => {
  const cwd = withFiles({
    "../v1/package.json": `{ "name": "plugin", "type": "module", "exports": "./index.js" }`,
    "../v1/index.js": "export const plugin = 1\n",
    "../v2/package.json": `{ "name": "plugin", "type": "module", "exports": "./index.js" }`,
    "../v2/index.js": "export const plugin = 2\n",
    "node_modules/plugin": "-> ../../v1",
    "effx.config.ts": config({ files: ["node_modules/plugin"] }, `import { plugin } from "plugin"\nvoid plugin`)
  })
  const dev = startDev(cwd, ["--build"])
  expect(await dev.untilKind("session-started")).toMatchObject({
    config: join(cwd, "effx.config.ts"),
    executables: { declared: 1, loaded: 2, completeness: "caller" }
  })
  await dev.untilKind("settled")
  retarget(join(cwd, "node_modules/plugin"), "../../v2")
  await restarts(dev, cwd, ["node_modules/plugin"])
  // Once by the session and once by the check beside it.
  expect(evaluations(cwd)).toBe(2)
  const next = startDev(cwd)
  expect(codes(await next.untilKind("diagnostics"))).toEqual(["EFFX2201"])
  await next.end()
  expect(evaluations(cwd)).toBe(3)
})

it("asks for a restart when a computed alias outside the project is retargeted", async () => {
  const cwd = withFiles({
    "../one/extension.ts": "export const level = 1\n",
    "../two/extension.ts": "export const level = 1\n",
    "../current": "-> one",
    "effx.config.ts": config(
      {},
      `const { level } = await import(\`\${import.meta.dirname}/\${["..", "current", "extension.ts"].join("/")}\`)\nvoid level`
    )
  })
  const dev = startDev(cwd, ["--exec-file", "../current/extension.ts"])
  await dev.untilKind("settled")
  retarget(join(cwd, "../current"), "two")
  await restarts(dev, cwd, ["../current"])
})

it("sees the middle of a chain of links", async () => {
  const cwd = withFiles({
    "../chain/a": "-> b",
    "../chain/b": "-> c",
    "../chain/c": "-> real.ts",
    "../chain/real.ts": "",
    "../chain/other.ts": "",
    "effx.config.ts": config({ files: ["../chain/a"] })
  })
  const dev = startDev(cwd)
  await dev.untilKind("settled")
  retarget(join(cwd, "../chain/b"), "other.ts")
  await restarts(dev, cwd, ["../chain/b"])
})

it("sees an intermediate folder of a missing route appear", async () => {
  const cwd = withFiles({ "effx.config.ts": config({ files: ["optional/deep/extension.ts"] }) })
  const dev = startDev(cwd)
  await dev.untilKind("settled")
  mkdirSync(join(cwd, "optional"))
  await restarts(dev, cwd, ["optional"])
})

it("covers an external folder with all that lies below it, and follows no link in it", async () => {
  const cwd = withFiles({
    "../external/sub/deep/helper.ts": "1",
    "../undeclared/other.ts": "1",
    "../external/link": "-> ../undeclared"
  })
  const dev = startDev(cwd, ["--exec-dir", "../external"])
  await dev.untilKind("settled")
  writeFileSync(join(cwd, "../undeclared/other.ts"), "2")
  await dev.settled()
  writeFileSync(join(cwd, "../external/sub/deep/helper.ts"), "2")
  await restarts(dev, cwd, ["../external/sub/deep/helper.ts"])
})

it("sees package metadata, #imports and a better candidate that are declared", async () => {
  const files = {
    "../plugin/package.json": `{ "name": "plugin", "type": "module", "exports": "./a.js" }`,
    "../plugin/a.js": "export const a = 1\n",
    "../plugin/lib/extension.js": "export const e = 1\n",
    "node_modules/plugin": "-> ../../plugin",
    "package.json": `{ "type": "module", "imports": { "#x": "./x.ts" } }`,
    "x.ts": "export const x = 1\n",
    "effx.config.ts": config(
      {
        files: ["node_modules/plugin/package.json", "package.json"],
        directories: [{ path: "../plugin/lib", recursive: false }]
      },
      `import { a } from "plugin"\nimport { x } from "#x"\nimport { e } from "../plugin/lib/extension"\nvoid [a, x, e]`
    )
  }
  const changes: Readonly<Record<string, readonly [text: string, told: string]>> = {
    "../plugin/package.json": [files["../plugin/package.json"].replace("a.js", "b.js"), "../plugin/package.json"],
    "package.json": [files["package.json"].replace("x.ts", "y.ts"), "package.json"],
    "../plugin/lib/extension.ts": ["export const e = 2\n", "../plugin/lib/extension.ts"]
  }
  for (const [name, [text, told]] of Object.entries(changes)) {
    const cwd = withFiles(files)
    const dev = startDev(cwd)
    await dev.untilKind("settled")
    save(join(cwd, name), text)
    expect(await dev.untilKind("restart-required")).toMatchObject({ files: [told] })
    await dev.end()
  }
})

it("sees the config, what it imported, and a config that would be selected instead", async () => {
  const files = {
    "helper.ts": "export const helper = 1\n",
    "effx.config.js": config({}, `import { helper } from "./helper.ts"\nvoid helper`)
  }
  const cases: Readonly<Record<string, readonly [files: Readonly<Record<string, string>>, text: string]>> = {
    "effx.config.js": [files, config({})],
    "helper.ts": [files, "export const helper = 2\n"],
    "effx.config.mts": [files, config({})],
    "effx.config.mjs": [{}, config({})]
  }
  for (const [name, [before, text]] of Object.entries(cases)) {
    const cwd = withFiles(before)
    const dev = startDev(cwd)
    await dev.untilKind("settled")
    save(join(cwd, name), text)
    expect(await dev.untilKind("restart-required")).toMatchObject({ files: [name] })
    await dev.end()
  }
})

it("sees what is loaded only when something is analysed", async () => {
  const cwd = withFiles({
    "late.cjs": "exports.late = 1\n",
    "effx.config.ts": `export default { extensions: (builtins) => (import.meta.require("./late.cjs"), builtins) }\n`
  })
  const dev = startDev(cwd)
  expect(await dev.untilKind("session-started")).toMatchObject({ executables: { loaded: 1 } })
  await dev.untilKind("settled")
  save(join(cwd, "late.cjs"), "exports.late = 2\n")
  await restarts(dev, cwd, ["late.cjs"])
})

it("lets errors and repairs go on under unchanged coverage, with one evaluation of the config", async () => {
  const cwd = withFiles({
    "../external/helper.ts": "1",
    "helper.ts": "export const helper = 1\n",
    "effx.config.ts": config(
      { files: ["helper.ts", "gone.ts"], directories: [{ path: "../external", recursive: true }] },
      `import { helper } from "./helper.ts"\nvoid helper`
    )
  })
  const dev = startDev(cwd, ["--exec-dir", "node_modules/effx-none", "--build"])
  await dev.untilKind("settled")
  for (let round = 0; round < 3; round++) {
    edit(join(cwd, "src/operations.ts"), "@Errors(UserNotFound)", "@Errors()")
    expect(codes(await dev.settled())).toEqual(["EFFX2201"])
    edit(join(cwd, "src/operations.ts"), "@Errors()", "@Errors(UserNotFound)")
    save(join(cwd, "helper.ts"), "export const helper = 1\n")
    expect(codes(await dev.settled())).toEqual([])
  }
  await dev.end()
  expect(dev.records.map(({ kind }) => kind)).not.toContain("restart-required")
  expect(evaluations(cwd)).toBe(1)
})

it("unites what is declared at the start, from the working directory, with the config's, from beside it", async () => {
  const files = {
    "cover.ts": "1",
    "settings/cover.ts": "1",
    "settings/effx.config.ts": config({ files: ["cover.ts"] }).replace(EVALUATIONS, `../${EVALUATIONS}`)
  }
  for (const changed of ["cover.ts", "settings/cover.ts"]) {
    const cwd = withFiles(files)
    const dev = startDev(cwd, [
      ...["--project", "tsconfig.json", "--config", "settings/effx.config.ts"],
      ...["--exec-file", "cover.ts", "--exec-file", "./never.ts"]
    ])
    expect(await dev.untilKind("session-started")).toMatchObject({ executables: { declared: 3 } })
    await dev.untilKind("settled")
    save(join(cwd, changed), "2")
    expect(await dev.untilKind("restart-required")).toMatchObject({ files: [changed] })
    await dev.end()
  }
})

it("publishes nothing when what was declared at the start changes while the config is evaluated", async () => {
  // The config itself makes the change, so that it falls between.
  const body = `import { writeFileSync } from "node:fs"\nwriteFileSync(new URL("./window.ts", import.meta.url), "2")`
  const launched = withFiles({ "window.ts": "1", "effx.config.ts": config({}, body) })
  const dev = startDev(launched, ["--exec-file", "window.ts"])
  await restarts(dev, launched, ["window.ts"])
  expect(dev.records.map(({ kind }) => kind)).toEqual(["session-started", "restart-required", "session-ended"])
  // What only the config declares is known after that: it is taken to have been stable, as the documentation says.
  const configured = withFiles({ "window.ts": "1", "effx.config.ts": config({ files: ["window.ts"] }, body) })
  const later = startDev(configured)
  await later.untilKind("settled")
  save(join(configured, "window.ts"), "3")
  await restarts(later, configured, ["window.ts"])
})

it("does not see what is not declared, and does not say that it would", async () => {
  const cwd = withFiles({
    "../one/extension.ts": "export const level = 1\n",
    "../two/extension.ts": "export const level = 2\n",
    "../current": "-> one",
    "effx.config.ts": config({}, `import { level } from "../current/extension.ts"\nvoid level`)
  })
  const dev = startDev(cwd)
  expect(await dev.untilKind("session-started")).toMatchObject({ executables: { declared: 0, completeness: "caller" } })
  await dev.untilKind("settled")
  retarget(join(cwd, "../current"), "two")
  expect(codes(await dev.settled())).toEqual([])
  await dev.end()
  expect(dev.records.map(({ kind }) => kind)).not.toContain("restart-required")
  expect((await run(["dev", "--help"])).stdout).toContain("Only you know whether all are declared")
  // The file that it loaded, under its own name, is another matter.
  retarget(join(cwd, "../current"), "one")
  const other = startDev(cwd)
  await other.untilKind("settled")
  save(join(cwd, "../one/extension.ts"), "export const level = 3\n")
  await restarts(other, cwd, ["../one/extension.ts"])
})

it("leaves out its own outputs below a declared folder", async () => {
  const cwd = withFiles({ "effx.config.ts": config({ directories: [{ path: ".", recursive: true }] }) })
  const dev = startDev(cwd, ["--build", "--out-dir", "made"])
  await dev.untilKind("written")
  await dev.untilKind("settled")
  save(join(cwd, COOKIE), "export const cookie = 0\n")
  await restarts(dev, cwd, [COOKIE])
})

it("refuses what it cannot cover, in one line and before anything is analysed or written", async () => {
  const cwd = withFiles({
    "../loop": "-> loop",
    "../alias": "-> app/.effx",
    "../secret/inner/x.ts": "",
    ...Object.fromEntries(Array.from({ length: 41 }, (_, link) => [`../chain/l${link + 1}`, `-> l${link}`])),
    "../chain/l0": ""
  })
  const refused: Readonly<Record<string, ReadonlyArray<string>>> = {
    "--exec-file ../loop is part of a symbolic link loop": ["--exec-file", "../loop"],
    "--exec-file ../chain/l41 leads through more than 40 symbolic links": ["--exec-file", "../chain/l41"],
    "--exec-dir /dev/null is neither a file nor a folder": ["--exec-dir", "/dev/null"],
    "--exec-dir .effx/generated lies where effx writes its outputs; choose another outDir, or declare what is not generated":
      ["--exec-dir", ".effx/generated"],
    "--exec-file ../alias/x.ts covers .effx, which lies where effx writes its outputs; choose another outDir, or declare what is not generated":
      ["--exec-file", "../alias/x.ts"],
    "--exec-file made/x.ts lies where effx writes its outputs; choose another outDir, or declare what is not generated":
      ["--exec-file", "made/x.ts", "--out-dir", "made"],
    "--exec-file: PATH": ["--exec-file", ""]
  }
  for (const [line, args] of Object.entries(refused)) {
    const { code, stderr, stdout } = await run(["dev", "--build", ...args], { cwd })
    expect({ code, stderr: stderr.trimEnd() }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(line.split(": ")[0] ?? "")
    })
    if (args[1] !== "") expect(stderr).toBe(`effx: ${line}\n`)
    expect(stdout).not.toContain("cycle")
  }
  expect(existsSync(join(cwd, ".effx"))).toBe(false)
  chmodSync(join(cwd, "../secret/inner"), 0)
  chmodSync(dirname(cwd), 0o755)
  const unprivileged = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
  const nobody = startDev(cwd, ["--exec-dir", "../secret"], process.getuid?.() === 0 ? { through: unprivileged } : {})
  expect(await nobody.ended).toMatchObject({ code: 2 })
  expect(nobody.stderr()).toBe(
    "effx: --exec-dir ../secret covers ../secret/inner, which cannot be read: permission denied\n"
  )
})

it("refuses a config's coverage that overlaps outputs, wherever their folder is set", async () => {
  const cwd = withFiles({ "effx.config.ts": config({ directories: [{ path: "made/sub", recursive: false }] }) })
  edit(join(cwd, "tsconfig.json"), /^\{/, `{ "effx": { "outDir": "made" },`)
  const dev = startDev(cwd)
  expect(await dev.ended).toMatchObject({ code: 2 })
  expect(dev.stderr()).toBe(
    "effx: made/sub in executableCoverage of effx.config.ts lies where effx writes its outputs; choose another outDir, or declare what is not generated\n"
  )
  expect(dev.records.map(({ kind }) => kind)).not.toContain("diagnostics")
  edit(join(cwd, "tsconfig.json"), `"made"`, `"other"`)
  const later = startDev(cwd)
  await later.untilKind("settled")
  edit(join(cwd, "tsconfig.json"), `"other"`, `"made"`)
  expect((await later.untilKind("fault")).message).toContain(
    "made/sub in executableCoverage of effx.config.ts lies where"
  )
  edit(join(cwd, "tsconfig.json"), `"made"`, `"other"`)
  expect(codes(await later.untilKind("diagnostics"))).toEqual([])
})

it("tells people what changed, what no longer holds, and whose the completeness is", async () => {
  const cwd = withFiles({ "effx.config.ts": config({ files: ["x.ts"] }) })
  const body = `"$effx" dev --exec-file y.ts & dev=$!
until grep -q "0 errors" out; do sleep 0.05; done
echo 1 > x.ts
until grep -q "restart required" err; do sleep 0.05; done
kill -INT $dev; wait $dev; true`
  const script = `(${body.replace("& dev", "> out 2> err & dev")})`
  const { code } = await shell(`touch out err; ${script}`, { cwd })
  expect(code).toBe(0)
  expect(readFileSync(join(cwd, "out"), "utf8")).toContain(
    "asks for a restart when these change: effx.config.ts, 1 file that it loaded, 2 declared paths; whether that is complete, only you know (effx dev --help)\n"
  )
  expect(readFileSync(join(cwd, "err"), "utf8")).toBe(
    "effx: restart required: x.ts changed, and code of this process depends on it; what was said above is void, and nothing is checked or written until you end it with q or Ctrl-C and start effx dev again\n"
  )
})
