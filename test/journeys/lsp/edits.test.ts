/**
 * Gate 4 of Spec 0018 §8: an unsaved document shows what `effx check` says of the same text, its repair shows nothing, and the disk is
 * as it was.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { project } from "../dev/driver.ts"
import { codesOf, type OpenDocument, open, shown, startLsp } from "./driver.ts"
import { checked, plainProject, SOURCE_FAULTS, treeHash } from "./fixtures.ts"

const MAIN = "src/main.ts"

const showing = async (document: OpenDocument) => shown(await document.diagnostics())

it("shows of every code what check says of the same text, and nothing once it is repaired", async () => {
  const cwd = plainProject()
  const before = treeHash(cwd)
  const server = await startLsp(cwd)
  expect(SOURCE_FAULTS.length).toBeGreaterThanOrEqual(28)
  const main = open(server, join(cwd, MAIN), { text: "" })
  for (const { broken, code, repaired, shown: expected } of SOURCE_FAULTS) {
    expect([Object.keys(broken), Object.keys(repaired)], code).toEqual([[MAIN], [MAIN]])
    main.replaceAll(repaired[MAIN] ?? "")
    expect(await showing(main), code).toEqual([])
    main.become(broken[MAIN] ?? "")
    expect(await showing(main), code).toEqual(expected.get(MAIN) ?? [])
    main.become(repaired[MAIN] ?? "")
    expect(await showing(main), code).toEqual([])
  }
  await server.end()
  expect(treeHash(cwd)).toBe(before)
})

describe("a document of a project", () => {
  it("shows what its dependency makes of it, also where that is not saved, is new or has gone", async () => {
    const cwd = project()
    const before = treeHash(cwd)
    const server = await startLsp(cwd)
    const operations = open(server, join(cwd, "src/operations.ts"))
    const users = open(server, join(cwd, "src/users.ts"))
    expect(await showing(operations)).toEqual([])
    const seen = server.publications.length
    users.edit(["UserNotFound>", "UserNotFound | Error>"])
    const consumer = await server.until(
      ({ diagnostics, uri }) => uri === operations.uri && diagnostics.length > 0,
      seen
    )
    expect(new Set(codesOf(consumer.diagnostics))).toEqual(new Set(["EFFX2203"]))
    users.edit(["UserNotFound | Error>", "UserNotFound>"])
    await server.until(
      ({ diagnostics, uri }) => uri === operations.uri && diagnostics.length === 0,
      server.publications.indexOf(consumer)
    )
    // A module that exists in no editor's folder, only in an editor.
    const later = open(server, join(cwd, "src/deep/later.ts"), { text: "export { Users } from '../users.js'\n" })
    operations.edit(["./users.js", "./deep/later.js"])
    expect(await showing(operations)).toEqual([])
    expect(await showing(later)).toEqual([])
    const closing = server.publications.length
    later.close()
    expect((await server.until(({ uri }) => uri === later.uri, closing)).diagnostics).toEqual([])
    await server.until(({ diagnostics, uri }) => uri === operations.uri && diagnostics.length > 0, closing)
    operations.edit(["./deep/later.js", "./users.js"])
    expect(await showing(operations)).toEqual([])
    await server.end()
    expect(treeHash(cwd)).toBe(before)
  })

  it("shows points of texts with CRLF, astral characters, byte-order mark and line separators as editors count", async () => {
    const cwd = project()
    const operations = readFileSync(join(cwd, "src/operations.ts"), "utf8")
    const server = await startLsp(cwd)
    const document = open(server, join(cwd, "src/operations.ts"))
    const texts = {
      "CR LF": operations.replaceAll("\n", "\r\n"),
      "CR alone": operations.replaceAll("\n", "\r").replaceAll("//", "/*").replaceAll("/** ", "/* "),
      "astral characters before the point": operations
        .replace("/** Shows one user. */", "/** Shows one 𝔲𝔰𝔢𝔯 🧍. */")
        .replace("  @Errors(UserNotFound)", "  /* 🧍🧍 */ @Errors(UserNotFound)"),
      "a byte-order mark": `\u{feff}${operations}`,
      "separators that are no line breaks": operations.replace(
        "/** Shows one user. */",
        "/** Shows\u2028one\u2029user. */"
      ),
      "all at once": `\u{feff}/* 🧍\u2028🧍 */ ${operations}`.replaceAll("\n", "\r\n")
    }
    for (const [name, text] of Object.entries(texts)) {
      document.replaceAll(text)
      expect(await showing(document), name).toEqual([])
      document.edit(["@Errors(UserNotFound)", "@Errors()"])
      const [one] = await document.diagnostics()
      expect(one?.code, name).toBe("EFFX2201")
      // The point is where an editor that is told so puts it: at the decorator.
      const breaks = name === "CR alone" ? /\r/ : /\r?\n/
      const line = document.text().replace("\u{feff}", "").split(breaks)[one?.range.start.line ?? 0]
      expect(line?.slice(one?.range.start.character), name).toMatch(/^@Errors\(\)/)
      expect(one?.range.end, name).toEqual(one?.range.start)
    }
    await server.end()
  })

  it("applies several ranges one after the other, and replacements of the whole text", async () => {
    const cwd = project()
    const server = await startLsp(cwd)
    const document = open(server, join(cwd, "src/operations.ts"))
    const original = document.text()
    document.edit(
      ["/** Shows one user. */", "/** 🧍 Shows\n   * one\n   * user.\n   */"],
      ["   * one\n", ""],
      ["@Errors(UserNotFound)", "@Errors( /* 🧍 */ )"],
      ["🧍 Shows", "Shows"]
    )
    const twin = project()
    writeFileSync(join(twin, "src/operations.ts"), document.text())
    expect(new Map([["src/operations.ts", await showing(document)]])).toEqual(await checked(twin))
    // A whole text and ranges of it in one notification.
    document.change([
      { text: original },
      { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: "// first\n" },
      { range: { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } }, text: "" }
    ])
    expect(document.text()).toBe(original)
    expect(await showing(document)).toEqual([])
    document.replaceAll(original.replace("@Errors(EmailTaken)", "@Errors()"))
    expect(await showing(document)).toHaveLength(1)
    document.replaceAll("")
    expect(await showing(document)).toEqual([])
    await server.end()
  })

  it("belongs to the project when its folder is new, and not when the project leaves it out", async () => {
    const cwd = project()
    const server = await startLsp(cwd)
    const text = readFileSync(join(cwd, "src/operations.ts"), "utf8")
    const faulty = text
      .replaceAll('"./', '"../../')
      .replaceAll('"User.', '"Other.')
      .replaceAll('"/users', '"/others')
      .replace("class UserOperations", "class Others")
      .replaceAll(/@(Rpc|Cli)\(.*\n/g, "\n")
      .replace("@Errors(UserNotFound)", "@Errors()")
    const included = open(server, join(cwd, "src/a new/folder/others.ts"), { text: faulty })
    expect(codesOf(await included.diagnostics())).toContain("EFFX2201")
    included.close()
    mkdirSync(join(cwd, "beside"))
    const excluded = open(server, join(cwd, "beside/folder/others.ts"), {
      text: faulty.replaceAll('"../../', '"../../src/')
    })
    expect(await excluded.diagnostics()).toEqual([])
    await server.end()
  })
})
