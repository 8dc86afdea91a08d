/**
 * Gate 7 of Spec 0018: check, dev and the editor say the same of the same project, whatever says it: built-in analyses, policies, skew,
 * extensions with codes of their own, and what they forge or register twice; and what explains it can be opened.
 */
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { startDev } from "../dev/driver.ts"
import { copyFixture, repository, run, temporaryFolder } from "../effx.ts"
import { open, shown, shownOf, startLsp } from "./driver.ts"

const SOURCE = /\.(ts|json)$/

/** What can be opened of a project. */
const filesOf = (folder: string): ReadonlyArray<string> =>
  (readdirSync(folder, { recursive: true }) as Array<string>)
    .filter((name) => SOURCE.test(name) && !name.includes("node_modules") && !name.includes(".effx"))
    .sort()

/** A copy of a project in a folder of its own. */
const copy = (fixture: string): string => {
  const top = temporaryFolder("effx lsp")
  if (!fixture.startsWith("broken/")) return copyFixture(fixture, top, "app")
  const from = join(repository, "fixtures", fixture)
  cpSync(from, join(top, "app"), { recursive: true, verbatimSymlinks: true })
  if (!existsSync(join(top, "node_modules"))) symlinkSync(join(repository, "node_modules"), join(top, "node_modules"))
  return join(top, "app")
}

interface Said {
  /** By file. */
  readonly located: ReadonlyMap<string, ReadonlyArray<string>>
  readonly unlocated: ReadonlyArray<string>
}

const saidBy = (records: ReadonlyArray<{ readonly [name: string]: unknown }>): Said => ({
  located: shownOf(
    [{ kind: "none" }, ...records].map((record) => JSON.stringify({ kind: "diagnostic", ...record })).join("\n")
  ),
  unlocated: records
    .filter(({ file }) => file === undefined || file === null)
    .map(({ code, message, severity }) => `${severity} ${code}: ${message}`)
})

const byCheck = async (cwd: string, args: ReadonlyArray<string>): Promise<Said> => {
  const { stdout } = await run(["check", "--format", "json", ...args], { cwd })
  const records = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
  return saidBy(records.filter(({ kind }) => kind === "diagnostic"))
}

const byDev = async (cwd: string, args: ReadonlyArray<string>): Promise<Said> => {
  const dev = startDev(cwd, args)
  const { diagnostics } = await dev.untilKind("diagnostics")
  await dev.end()
  return saidBy(diagnostics as never)
}

const byEditor = async (cwd: string, args: ReadonlyArray<string>) => {
  const trusting = args.includes("--config") ? args : [...args, "--trust-config"]
  const server = await startLsp(cwd, { args: trusting })
  const documents = filesOf(cwd).map((file) => [file, open(server, join(cwd, file))] as const)
  const located = new Map<string, ReadonlyArray<string>>()
  const links: Array<readonly [code: string, href: string | undefined]> = []
  for (const [file, document] of documents) {
    const diagnostics = await document.diagnostics()
    if (diagnostics.length > 0) located.set(file, shown(diagnostics))
    for (const { code, codeDescription } of diagnostics) links.push([String(code), codeDescription?.href])
  }
  await server.end()
  const unlocated = server.logs.flatMap(({ message }) =>
    message.split("\n").flatMap((line) => /^((?:error|warning|info) EFFX.*?); effx explain /.exec(line)?.[1] ?? [])
  )
  return { said: { located, unlocated } satisfies Said, links }
}

describe("check, dev and the editor say the same of", () => {
  it.each([
    ["users-builder", ["--strict-access"]],
    ["extension", []],
    ["broken/EFFX0001/broken", []],
    ["broken/EFFX0010/broken", []],
    ["broken/EFFX0011/broken", []],
    ["broken/EFFX2701/broken", []]
  ] as ReadonlyArray<readonly [string, ReadonlyArray<string>]>)("%s %j", async (fixture, args) => {
    const cwd = copy(fixture)
    const [check, dev, { links, said }] = await Promise.all([byCheck(cwd, args), byDev(cwd, args), byEditor(cwd, args)])
    expect(said).toEqual(check)
    expect(dev).toEqual(check)
    if (fixture.startsWith("broken/")) expect(check.located.size + check.unlocated.length).toBeGreaterThan(0)
    for (const [code, href] of links) {
      const isOurs = /^EFFX\d{4}$/.test(code)
      expect(href === undefined, code).toBe(!isOurs)
      if (href === undefined) continue
      const [page = "", anchor = ""] = href.split("#")
      expect(decodeURIComponent(anchor)).toBe(code)
      expect(readFileSync(fileURLToPath(page), "utf8")).toContain(`id="${code}"`)
    }
  })
})
