/**
 * One file, several names: a document counts for the file that it is, however the client and the project came to it, and is answered under
 * the client's own spelling (Spec 0018 §4).
 */
import { mkdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "@effect/vitest"
import { project, save } from "../dev/driver.ts"
import { codesOf, open, startLsp, uriOf } from "./driver.ts"

const FAULTY = ["@Errors(UserNotFound)", "@Errors()"] as const

/** The operations in a folder beside the project, which includes it by a link: what they import is found from there. */
const linkedProject = () => {
  const cwd = project()
  const outside = join(dirname(cwd), "outside")
  const operations = join(outside, "operations.ts")
  mkdirSync(outside)
  save(operations, readFileSync(join(cwd, "src/operations.ts"), "utf8").replaceAll('"./', '"../src/'))
  unlinkSync(join(cwd, "src/operations.ts"))
  symlinkSync("../outside", join(cwd, "linked"))
  const tsconfig = join(cwd, "tsconfig.json")
  save(tsconfig, readFileSync(tsconfig, "utf8").replace(/"include": \[[^\]]*\]/, '"include": ["src", "linked"]'))
  return { cwd, outside, operations }
}

it.each(["through the link", "by its own path"])(
  "serves a document of a folder that is included by a link: %s",
  async (how) => {
    const { cwd, operations } = linkedProject()
    const server = await startLsp(cwd)
    const path = how === "by its own path" ? operations : join(cwd, "linked/operations.ts")
    const document = open(server, path)
    expect(document.uri).toBe(uriOf(path))
    expect(codesOf(await document.diagnostics())).toEqual([])
    document.edit(FAULTY)
    expect(codesOf(await document.diagnostics())).toEqual(["EFFX2201"])
    // A document that is new there belongs to the project as well.
    const text = document.text()
    document.edit([FAULTY[1], FAULTY[0]])
    expect(codesOf(await document.diagnostics())).toEqual([])
    const later = open(server, join(dirname(path), "later.ts"), { text: "export const later = ;\n" })
    expect(codesOf(await later.diagnostics())).toEqual(["EFFX1107"])
    later.replaceAll("export {}\n")
    expect(await later.diagnostics()).toEqual([])
    document.replaceAll(text)
    expect(codesOf(await document.diagnostics())).toEqual(["EFFX2201"])
    await server.end()
  }
)

it("follows a link that leads elsewhere while a document is open", async () => {
  const { cwd, operations, outside } = linkedProject()
  const server = await startLsp(cwd)
  const document = open(server, operations)
  document.edit(FAULTY)
  expect(codesOf(await document.diagnostics())).toEqual(["EFFX2201"])
  const other = join(dirname(outside), "other")
  mkdirSync(other)
  writeFileSync(join(other, "nothing.ts"), "export {}\n")
  const from = server.publications.length
  unlinkSync(join(cwd, "linked"))
  symlinkSync("../other", join(cwd, "linked"))
  // What is open is not part of the project any more.
  expect((await server.until(({ uri }) => uri === document.uri, from)).diagnostics).toEqual([])
  await server.end()
})

/** A project that takes its service from a package of the same workspace, which it has as a link. */
const projectOfPackages = () => {
  const cwd = project()
  const home = join(dirname(cwd), "packages/users")
  save(
    join(home, "package.json"),
    '{ "name": "@acme/users", "version": "1.0.0", "type": "module", "exports": "./users.ts" }\n'
  )
  save(join(home, "users.ts"), readFileSync(join(cwd, "src/users.ts"), "utf8").replaceAll('"./', '"../../app/src/'))
  mkdirSync(join(cwd, "node_modules/@acme"), { recursive: true })
  symlinkSync("../../../packages/users", join(cwd, "node_modules/@acme/users"))
  const operations = join(cwd, "src/operations.ts")
  save(operations, readFileSync(operations, "utf8").replace("./users.js", "@acme/users"))
  return { cwd, home, operations }
}

it.each(["link", "name"])("serves a document of a linked package, by its %s", async (how) => {
  const { cwd, home, operations } = projectOfPackages()
  const server = await startLsp(cwd)
  const consumer = open(server, operations)
  expect(codesOf(await consumer.diagnostics())).toEqual([])
  const document = open(
    server,
    how === "link" ? join(cwd, "node_modules/@acme/users/users.ts") : join(home, "users.ts")
  )
  const from = server.publications.length
  document.edit(["UserNotFound>", "UserNotFound | Error>"])
  const shown = await server.until(({ diagnostics, uri }) => uri === consumer.uri && diagnostics.length > 0, from)
  expect(new Set(codesOf(shown.diagnostics))).toEqual(new Set(["EFFX2203"]))
  await server.end()
})

it("serves a document of a linked package that is not on disk yet, also after everything was read anew", async () => {
  const { cwd, home, operations } = projectOfPackages()
  const users = join(home, "users.ts")
  const text = readFileSync(users, "utf8")
  unlinkSync(users)
  const server = await startLsp(cwd)
  const document = open(server, users, { text })
  const consumer = open(server, operations)
  expect(codesOf(await consumer.diagnostics())).toEqual([])
  // What decides how all files are read makes the session ask everything again.
  const tsconfig = join(cwd, "tsconfig.json")
  save(tsconfig, `${readFileSync(tsconfig, "utf8")}\n`)
  const from = server.publications.length
  document.edit(["UserNotFound>", "UserNotFound | Error>"])
  const shown = await server.until(({ diagnostics, uri }) => uri === consumer.uri && diagnostics.length > 0, from)
  expect(new Set(codesOf(shown.diagnostics))).toEqual(new Set(["EFFX2203"]))
  await server.end()
})
