/** What a forge runs is what anybody can run: the workflows only call the repository's own commands, with as few rights as they need. */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { root } from "../../release/root.ts"
import { remove, smallRelease } from "./small-release.ts"

const FOLDER = join(root, ".github/workflows")
const workflows = readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), "utf8")] as const)

/** The one step that is written out: fetching the commit, for which a forge offers an action. */
const FETCH = /- name: Fetch [^\n]*\n(?: {8}.*\n)+/g

describe.each(workflows)("%s", (_, text) => {
  it("uses no action of others", () => expect(text).not.toMatch(/^\s*(- )?uses:/m))

  it("runs a single command of the repository in each step", () => {
    const commands = Array.from(text.replace(FETCH, "").matchAll(/^ {8}run: (.*)$/gm), ([, command = ""]) => command)
    expect(commands.length).toBeGreaterThan(0)
    for (const command of commands) {
      const [program = "", ...args] = command.split(" ")
      if (program === "npm") expect(args).toEqual(["run", "release"])
      else {
        expect(program).toMatch(/^\.ci\/[a-z]+$/)
        expect(statSync(join(root, program)).mode & 0o111).not.toBe(0)
      }
    }
  })

  it("may only read, but for publishing", () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n/m)
    const granted = Array.from(text.matchAll(/^ +([a-z-]+): write$/gm), ([, right]) => right)
    expect(granted).toEqual(text.includes(".ci/publish") ? ["contents"] : [])
  })

  it("puts nothing of an event into a shell line", () => {
    for (const line of text.split("\n")) {
      if (line.includes("${{")) expect(line).toMatch(/^( {10}[A-Z_]+| {2}group): /)
    }
  })
})

describe("the commands of the workflow that releases", () => {
  it("sign what was built, and verify it with both verifiers", { timeout: 120_000 }, () => {
    const release = smallRelease({ signed: false })
    onTestFinished(() => remove(release))
    const ci = (name: string, env: Readonly<Record<string, string>> = {}) =>
      spawnSync(join(root, ".ci", name), [release.folder], {
        encoding: "utf8",
        env: { PATH: process.env.PATH ?? "", ...env }
      })
    const verified = (by: RegExp) =>
      expect(ci("verify")).toMatchObject({ status: 0, stdout: expect.stringMatching(by) })
    const key = readFileSync(release.key, "utf8")
    rmSync(release.key)
    verified(/not signed: /)
    const unable = ci("sign")
    expect([unable.status, unable.stderr]).toEqual([1, expect.stringContaining("EFFX_SIGNING_KEY: is the Ed25519")])
    const pem = readFileSync(release.privateKey, "utf8")
    const signed = ci("sign", { EFFX_SIGNING_KEY: pem })
    expect([signed.status, signed.stdout, signed.stderr]).toEqual([0, "", ""])
    verified(/signed by the key [0-9a-f]{64}\n$/)
    expect(readFileSync(join(release.folder, "releaser.pub.pem"), "utf8")).toBe(key)
    expect(existsSync(join(release.folder, "key.pem"))).toBe(false)
    const published = readdirSync(release.folder).filter((name) => /json$|xz$|SUMS$/.test(name))
    for (const name of published) {
      expect(readFileSync(join(release.folder, name)).includes(pem.split("\n")[1] ?? "")).toBe(false)
    }
  })
})
