/**
 * The same commit gives the same archive, byte for byte, whoever makes it, where, when and on what machine. Each variation is compared by
 * the SHA-256 of the uncompressed archive; two that differ in much are compressed too. test/release/reproducible.test.ts has the first of them.
 */
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { releaseName } from "../../release/root.ts"
import {
  type BuildOptions,
  type Built,
  build,
  COMMIT,
  copySource,
  differences,
  type Source,
  workTree
} from "../release/build.ts"
import { prove } from "../release/prove.ts"

const top = mkdtempSync(join(tmpdir(), "effx-reproducible-"))
chmodSync(top, 0o755)
afterAll(() => rmSync(top, { recursive: true, force: true }))

const isRoot = process.getuid?.() === 0
const has = (tool: string): boolean => spawnSync("/bin/sh", ["-c", `command -v ${tool}`]).status === 0

/** Skips by name where a tool is missing. */
const when = (title: string, tools: ReadonlyArray<string>, root = false) => {
  const missing = tools.filter((tool) => !has(tool))
  const reason = [...missing.map((tool) => `needs ${tool}`), ...(root && !isRoot ? ["needs root"] : [])].join(", ")
  return [reason === "" ? title : `${title} (${reason})`, reason !== ""] as const
}

let copy: Source
let expected: Built
let count = 0
const fresh = (): string => {
  const folder = join(top, String(++count))
  mkdirSync(folder)
  return folder
}

const expectSame = (built: Built): void => {
  expect(differences(expected, built)).toEqual([])
  expect(built.sha256).toBe(expected.sha256)
  if (built !== expected) rmSync(built.tree, { recursive: true, force: true })
}

const variation = (options: BuildOptions): void => expectSame(build(copy, fresh(), options))

/** Everything below a folder, links not followed. */
const each = (folder: string, visit: (path: string) => void): void => {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    visit(join(entry.parentPath, entry.name))
  }
}

beforeAll(() => {
  copy = copySource(workTree(), join(top, "source"))
  expected = build(copy, fresh())
}, 240_000)

describe("the archive is the same", { timeout: 240_000 }, () => {
  it("twice in a row", () => variation({}))

  it("from files that came into being in another order", () =>
    expectSame(build(copySource({ ...copy, paths: copy.paths.toReversed() }, join(top, "backwards")), fresh())))

  it("from files of another time and with other permissions", () => {
    const other = copySource(copy, join(top, "touched"))
    each(other.folder, (path) => {
      lutimesSync(path, 86_400, 86_400)
      if (!lstatSync(path).isSymbolicLink()) chmodSync(path, 0o700)
    })
    expectSame(build(other, fresh()))
  })

  it.each(["022", "077", "000"])("under umask %s", (umask) => variation({ before: `umask ${umask}` }))

  it("in another time zone", () => variation({ env: { TZ: "Pacific/Apia" } }))

  it.each(["C", "tr_TR.UTF-8", "de_DE.ISO-8859-1"])("in the locale %s", (locale) =>
    variation({ env: { LC_ALL: locale, LANG: locale, LANGUAGE: locale } })
  )

  it("without HOME", () => variation({ env: { HOME: undefined, XDG_CACHE_HOME: undefined } }))

  it("with another HOME, which configures Bun, npm and git", () => {
    const home = fresh()
    writeFileSync(join(home, ".bunfig.toml"), '[define]\n"process.env.NODE_ENV" = "\'x\'"\n')
    writeFileSync(join(home, ".npmrc"), "ignore-scripts=false\n")
    writeFileSync(join(home, ".gitconfig"), "[core]\n  autocrlf = true\n")
    variation({ env: { HOME: home, XDG_CONFIG_HOME: home } })
  })

  it("with Bun's caches empty, elsewhere, and then full", () => {
    const cache = fresh()
    const env = {
      BUN_INSTALL_CACHE_DIR: join(cache, "install"),
      BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(cache, "code")
    }
    variation({ env })
    variation({ env })
  })

  it("in an environment that says more", () =>
    variation({
      env: { NODE_ENV: "production", CFLAGS: "-O0 -g", LDFLAGS: "-Wl,--build-id", XZ_DEFAULTS: "-0", CPATH: "/" }
    }))

  it("with another folder for temporary files", () => variation({ env: { TMPDIR: fresh() } }))

  const user = when("made by another user", ["setpriv"], true)
  it.skipIf(user[1])(user[0], () => {
    const other = copySource(copy, join(top, "of nobody"))
    const out = fresh()
    for (const folder of [other.folder, out]) {
      chownSync(folder, 65_534, 65_534)
      each(folder, (path) => {
        if (!lstatSync(path).isSymbolicLink()) chownSync(path, 65_534, 65_534)
      })
    }
    const through = "setpriv --reuid=65534 --regid=65534 --clear-groups"
    expectSame(build(other, out, { through, env: { HOME: out } }))
  })

  const cores = when(`on one core instead of ${cpus().length}`, ["taskset"])
  it.skipIf(cores[1])(cores[0], () => variation({ through: "taskset -c 0" }))

  const clock = when("400 days later", ["faketime"])
  it.skipIf(clock[1])(clock[0], () => variation({ through: "faketime -f +400d" }))

  const host = when("on a machine of another name", ["unshare", "hostname"], true)
  it.skipIf(host[1])(host[0], () =>
    variation({ through: "unshare --uts /bin/sh -c 'hostname elsewhere && exec \"$@\"' sh" })
  )

  const kernel = when("under another kernel version", ["setarch"])
  it.skipIf(kernel[1])(kernel[0], () => variation({ through: "setarch x86_64 --uname-2.6" }))
})

it("depends on the commit's time and name, and on nothing else of it", { timeout: 240_000 }, () => {
  const later = build(copy, fresh(), { env: { SOURCE_DATE_EPOCH: String(Number(COMMIT.SOURCE_DATE_EPOCH) + 86_400) } })
  expect(differences(expected, later).map((line) => line.split(":")[0])).toEqual([
    "manifest.json",
    "share/man/man1/effx.1"
  ])
})

describe("compressed", { timeout: 1_800_000 }, () => {
  it("it is the same too, by another user's hand, and small enough", async () => {
    const xz = (name: string, env: Readonly<Record<string, string>>) => {
      const folder = fresh()
      const child = Bun.spawn(
        [process.execPath, "--no-env-file", join(copy.folder, "release/pack.ts"), expected.tree, join(folder, name)],
        { env: { PATH: process.env.PATH ?? "", ...COMMIT, ...env }, cwd: folder, stdout: "pipe", stderr: "inherit" }
      )
      return child.exited.then(() => join(folder, name))
    }
    const [one, two] = await Promise.all([
      xz("one", { TZ: "UTC", HOME: "/root" }),
      xz("zwei, größer", { TZ: "Asia/Tokyo", LC_ALL: "tr_TR.UTF-8", XZ_DEFAULTS: "-0 -T2", XZ_OPT: "-0" })
    ])
    const sums = [one, two].map((folder) => readFileSync(join(folder, "SHA256SUMS"), "utf8"))
    expect(sums[0]).toBe(sums[1])
    const archive = join(one, readdirSync(one).find((name) => name.endsWith(".tar.xz")) ?? "")
    expect(spawnSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: one }).status).toBe(0)
    expect(lstatSync(archive).size).toBeLessThanOrEqual(34_000_000)
    expect(existsSync(join(one, "partial"))).toBe(false)

    // What costs two minutes to make is proved here too, as a user would.
    symlinkSync(expected.tree, join(one, releaseName))
    expect(prove(one, COMMIT)).toEqual({
      codes: { good: [0, 0], "changed archive": [1, 1], "wrong key": [1, 1], "no key": [1, 1] },
      said: expect.stringMatching(/ files, \d+ bytes, all as released of effx .*\nsigned by the key [0-9a-f]{64}\n$/),
      indiscreet: []
    })
  })
})
