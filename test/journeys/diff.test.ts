/** `effx diff` between folders, files and Git revisions. */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { copyFixture, run, temporaryFolder } from "./effx.ts"

const git = (cwd: string, ...args: ReadonlyArray<string>) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd, stdio: "pipe" })

const edit = (file: string, from: string, to: string) => {
  const text = readFileSync(file, "utf8")
  expect(text).toContain(from)
  writeFileSync(file, text.replace(from, to))
}

/** A repository with the users fixture below `api`, committed and tagged `v1`. */
const repositoryOfUsers = () => {
  const top = temporaryFolder("effx diff")
  const api = copyFixture("users", top, "api")
  writeFileSync(join(top, ".gitignore"), "node_modules\n.effx\n")
  git(top, "init", "-q")
  git(top, "add", "-A")
  git(top, "commit", "-qm", "one")
  git(top, "tag", "v1")
  return { top, api, operations: join(api, "src/operations.ts") }
}

it("says that nothing changed, and exits with 0", async () => {
  const { api } = repositoryOfUsers()
  expect(await run(["diff", "v1"], { cwd: api })).toMatchObject({
    code: 0,
    stdout: "no change of the public surface\n",
    stderr: ""
  })
})

it("compares the work tree with a revision that has no built ir.json, and two revisions", async () => {
  const { api, operations, top } = repositoryOfUsers()
  edit(operations, '@Http.Get("/users/:id")', '@Http.Get("/people/:id")')
  const ended = await run(["diff", "v1", "--project", "api"], { cwd: top })
  expect(ended).toMatchObject({ code: 1, stderr: "" })
  expect(ended.stdout).toMatch(/^breaking {2}User\.Get {2}route/m)
  git(top, "commit", "-qam", "two")
  const revisions = await run(["diff", "v1", "HEAD"], { cwd: api })
  expect(revisions).toEqual(ended)
  expect(await run(["diff", "HEAD"], { cwd: api })).toMatchObject({ code: 0 })
  expect(git(top, "status", "--porcelain").toString()).toBe("")
})

it("gives programs records", async () => {
  const { api, operations } = repositoryOfUsers()
  edit(operations, "/** Shows one user. */", "/** Shows a single user. */")
  const { code, stdout } = await run(["diff", "v1", "--format", "json"], { cwd: api })
  const records = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
  expect(code).toBe(0)
  expect(records).toMatchObject([
    { kind: "change", change: "documentation-changed", breaking: false, subject: "User.Get" },
    { kind: "summary", breaking: 0, compatible: 1 }
  ])
})

it("says in one line what it cannot compare", async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, "ir.json"), "{}")
  writeFileSync(join(folder, "text.json"), "no json")
  for (const [operand, line] of [
    ["no-such-thing", /^effx: no-such-thing is neither a file or folder nor a Git revision\n$/],
    ["--upload-pack=x", /^effx: unknown flag --upload-pack/],
    [folder, /^effx: .*ir\.json is not an ir\.json that this version of effx reads\n$/],
    [join(folder, "text.json"), /^effx: .* is not an ir\.json that this version of effx reads\n$/],
    ["fixtures/broken/EFFX2201/broken", /^effx: .* has an error and cannot be compared; see effx check\n$/]
  ] as const) {
    const ended = await run(["diff", operand, "--project", "fixtures/users"])
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toMatch(line)
  }
})
