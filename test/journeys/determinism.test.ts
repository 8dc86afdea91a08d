/**
 * Equal sources give equal bytes: of every output that a build writes, whoever builds, where, in which order the sources are found
 * and however often.
 */
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { generate } from "../../fixtures/large/generate.ts"
import { type RunOptions, repository, run, shell } from "./effx.ts"
import { inTurn } from "./in-turn.ts"

const top = mkdtempSync(join(tmpdir(), "effx-determinism-"))
afterAll(() => rmSync(top, { recursive: true, force: true }))

/** Every file and link below a folder but outputs; links are not followed. */
const pathsIn = (folder: string, prefix = ""): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = prefix + entry.name
    if (!entry.isDirectory()) return [path]
    return entry.name === ".effx" ? [] : pathsIn(join(folder, entry.name), `${path}/`)
  })

let count = 0

/** A copy whose files came into being in another order, so that folders list them in another one. */
const copy = (from: string, name = "project", order: "as found" | "reversed" = "as found"): string => {
  const place = join(top, `${count++} ${name}`)
  const paths = [...pathsIn(from)]
  for (const path of order === "reversed" ? paths.reverse() : paths) {
    const [source, target] = [join(from, path), join(place, path)]
    mkdirSync(dirname(target), { recursive: true })
    if (lstatSync(source).isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else cpSync(source, target)
  }
  if (!existsSync(join(place, "node_modules")))
    symlinkSync(join(repository, "node_modules"), join(place, "node_modules"))
  return place
}

type Outputs = Readonly<Record<string, string>>

/** Every output by its path from the project. */
const outputs = (project: string, folder = ".effx"): Outputs =>
  Object.fromEntries(
    readdirSync(join(project, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => lstatSync(join(project, folder, path)).isFile())
      .sort()
      .map((path) => [path, readFileSync(join(project, folder, path), "utf8")])
  )

const build = async (
  project: string,
  flags: ReadonlyArray<string> = [],
  options: RunOptions = {}
): Promise<Outputs> => {
  const ended = await inTurn(() => run(["build", ...flags], { cwd: project, ...options }))
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: "" })
  return outputs(project)
}

const hashOf = (built: Outputs): string => JSON.parse(built["manifest.json"] ?? "").semanticHash

const large = join(top, "large")
generate(30, large)

describe.each([
  ["users", "", join(repository, "fixtures/users")],
  ["monorepo", "apps/server", join(repository, "fixtures/monorepo")],
  ["large", "", large]
])("the outputs of %s %s are the same", (_name, project, fixture) => {
  let base: string
  let expected: Outputs
  beforeAll(async () => {
    base = copy(fixture)
    linkDependencies(base)
    expected = await build(join(base, project))
    expect(Object.keys(expected)).toEqual(
      expect.arrayContaining([
        "generated/http.ts",
        "generated/openapi.json",
        "ir.json",
        "manifest.json",
        "surface.json"
      ])
    )
  })

  it("when built again, and from nothing", async () => {
    expect(await build(join(base, project))).toEqual(expected)
    rmSync(join(base, project, ".effx"), { recursive: true })
    expect(await build(join(base, project))).toEqual(expected)
  })

  it("in another checkout, whose folders list their files in another order, from another working directory", async () => {
    const other = copy(fixture, "größer/deeper", "reversed")
    linkDependencies(other)
    const folder = join(other, project)
    await build(folder, ["--project", folder], { cwd: "/" })
    expect(outputs(folder)).toEqual(expected)
    expect(Object.values(expected).join("")).not.toContain(top)
  })

  it("for another user's locale, time zone, home and umask", async () => {
    const folder = join(base, project)
    rmSync(join(folder, ".effx"), { recursive: true })
    const env = { LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8", TZ: "Pacific/Apia", HOME: "/nonexistent", NO_COLOR: "1" }
    const ended = await shell('umask 077 && exec "$effx" build', { cwd: folder, env })
    expect(ended).toMatchObject({ code: 0, stderr: "" })
    expect(outputs(folder)).toEqual(expected)
  })

  it("with the files named one by one, in whatever order", async () => {
    const sources = pathsIn(join(base, project, "src"))
      .filter((path) => /\.m?ts$/.test(path))
      .map((path) => `src/${path}`)
    const folder = join(base, project)
    const tsconfig = join(folder, "tsconfig.json")
    const original = readFileSync(tsconfig, "utf8")
    const { include: _, ...rest } = JSON.parse(original)
    writeFileSync(tsconfig, JSON.stringify({ ...rest, files: [...sources].sort().reverse() }))
    const built = await build(folder)
    writeFileSync(tsconfig, original)
    expect(built).toEqual(expected)
  })

  it("in meaning, wherever generated code goes and whatever of it is wanted", async () => {
    const folder = join(base, project)
    const elsewhere = await build(folder, ["--out-dir", join(folder, "src/deep/gen")])
    expect(elsewhere["ir.json"]).toBe(expected["ir.json"])
    expect(elsewhere["surface.json"]).toBe(expected["surface.json"])
    expect(hashOf(elsewhere)).toBe(hashOf(expected))
    rmSync(join(folder, "src/deep"), { recursive: true })
    const contract = await build(folder, ["--emit", "contract"])
    expect(contract["generated/http.ts"]).not.toBe(expected["generated/http.ts"])
    for (const built of [contract, await build(folder, ["--emit", "handlers"])]) {
      expect(built["ir.json"]).toBe(expected["ir.json"])
      expect(hashOf(built)).toBe(hashOf(expected))
    }
  })
})

/** The monorepo brings links to its own packages; the others lie above it, as they would in a larger workspace. */
function linkDependencies(folder: string): void {
  const modules = join(folder, "node_modules")
  if (lstatSync(modules).isSymbolicLink()) return
  for (const name of ["effect", "@effx"]) symlinkSync(join(repository, "node_modules", name), join(modules, name))
}

describe("the hash", () => {
  /** The blocks of a source file: what blank lines separate. */
  const reordered = (text: string): string => {
    const [imports = "", ...declarations] = text.trimEnd().split(/\n\n(?=\/\*\*|export )/)
    expect(declarations.length).toBeGreaterThan(3)
    return `${[imports, ...declarations.reverse()].join("\n\n")}\n`
  }

  it("does not change when declarations that do not depend on each other change places", async () => {
    const project = copy(join(repository, "fixtures/users-builder"))
    const before = await build(project)
    const file = join(project, "src/operations.ts")
    writeFileSync(file, reordered(readFileSync(file, "utf8")))
    const after = await build(project)
    expect(after["ir.json"]).toBe(before["ir.json"])
    expect(hashOf(after)).toBe(hashOf(before))
    const { "manifest.json": _, ...files } = after
    expect(before).toMatchObject(files)
  })

  it("changes with what is declared", async () => {
    const project = copy(join(repository, "fixtures/users-builder"))
    const before = await build(project)
    const file = join(project, "src/operations.ts")
    writeFileSync(file, readFileSync(file, "utf8").replace('"/users/:id"', '"/people/:id"'))
    expect(hashOf(await build(project))).not.toBe(hashOf(before))
  })

  it.each([
    ["users", "users", "users-builder", "users-builder"],
    ["persistence", "persistence", "persistence-swapped", "persistence-swapped"],
    ["extension", "extension", "extension", "extension/builder"]
  ])("of %s differs between the syntaxes only by the handlers' own symbols", async (folder, first, other, second) => {
    const [decorators, builder] = await Promise.all(
      [
        [folder, first],
        [other, second]
      ].map(([copied = "", project = ""]) => {
        const place = copy(join(repository, "fixtures", copied))
        linkDependencies(place)
        return build(join(place, project.slice(copied.length)))
      })
    )
    const ir = (built: Outputs | undefined) => {
      const { nodes, ...rest } = JSON.parse(built?.["ir.json"] ?? "")
      // The order of nodes is that of their whole encoding, the handler included.
      return { ...rest, nodes: nodes.map(({ handler, ...node }: { handler?: object }) => JSON.stringify(node)).sort() }
    }
    expect(ir(builder)).toEqual(ir(decorators))
    expect(builder?.["surface.json"]).toBe(decorators?.["surface.json"])
    expect(Object.keys(builder ?? {})).toEqual(Object.keys(decorators ?? {}))
    for (const file of ["generated/openapi.json", "generated/client.ts", "generated/audit.json"]) {
      // The title of users is the package's name.
      expect(builder?.[file]?.replaceAll("users-builder", "users")).toBe(decorators?.[file])
    }
  })
})
