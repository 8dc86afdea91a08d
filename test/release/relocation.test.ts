/**
 * The packed program works wherever its folder is and whoever calls it: `EFFX_BIN` is copied to each place and has to check a project,
 * which starts the engine and reads its files.
 */
import { spawnSync } from "node:child_process"
import { chmodSync, cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { packTar } from "../../release/pack.ts"
import { type Ended, effx, type RunOptions, repository, run, shell } from "../journeys/effx.ts"

const installed = dirname(dirname(effx))
const users = join(repository, "fixtures/users")
const check = ["check", "--project", users] as const
const sound = { code: 0, stdout: "0 errors, 0 warnings, 0 infos\n", stderr: "" }

const top = mkdtempSync(join(tmpdir(), "effx-relocation-"))
chmodSync(top, 0o755)
afterAll(() => {
  spawnSync("chmod", ["-R", "u+w", top])
  rmSync(top, { recursive: true, force: true })
})

let count = 0
const place = (name: string): string => {
  const folder = join(top, String(++count), name)
  mkdirSync(dirname(folder), { recursive: true })
  return folder
}

/** A copy of the installation. */
const install = (name = "effx"): string => {
  const folder = place(name)
  cpSync(installed, folder, { recursive: true })
  return folder
}

const launch = (folder: string, args: ReadonlyArray<string> = check, options: RunOptions = {}): Promise<Ended> =>
  run(args, { cwd: "/", program: join(folder, "bin/effx"), ...options })

const isRoot = process.getuid?.() === 0
const asRoot = (title: string): readonly [title: string, skip: boolean] =>
  isRoot ? [title, false] : [`${title} (needs root)`, true]

let shared: string
beforeAll(() => {
  shared = install("a shared one")
})

describe("from a path with", () => {
  it.each([
    ["spaces", "a folder  with spaces "],
    ["quotes", `it's "quoted" \`here\``],
    ["letters beyond ASCII", "größer 日本語 🙂"],
    ["what a shell expands", "$HOME $(touch expanded) *[a-z] ~ !! ;&|<>"],
    ["what a URL reserves", "a%20b#c&d=e:f"],
    ["a line break", "two\nlines"],
    ["a hyphen in front", "-rf"]
  ])("%s", async (_, name) => {
    const folder = install(name)
    expect(await launch(folder)).toMatchObject(sound)
    rmSync(folder, { recursive: true })
  })
})

describe("through a symbolic link", () => {
  it("to the launcher, over links at every depth", async () => {
    const folder = place("links")
    mkdirSync(join(folder, "deep/deeper"), { recursive: true })
    symlinkSync(join(shared, "bin/effx"), join(folder, "deep/deeper/effx"))
    symlinkSync("deeper/effx", join(folder, "deep/effx"))
    symlinkSync("deep/effx", join(folder, "another name"))
    for (const link of ["deep/deeper/effx", "deep/effx", "another name"]) {
      expect(await run(check, { cwd: "/", program: join(folder, link) })).toMatchObject(sound)
    }
    expect(await shell('./"another name" check --project "$users"', { cwd: folder, env: { users } })).toMatchObject(
      sound
    )
    const PATH = `${join(folder, "deep")}:/usr/bin:/bin`
    expect(await shell('effx check --project "$users"', { cwd: "/", env: { users, PATH } })).toMatchObject(sound)
  })

  it("to the installation", async () => {
    const link = place("linked")
    symlinkSync(shared, link)
    expect(await launch(link)).toMatchObject(sound)
  })
})

it("after it was moved, and its old place taken by something else", async () => {
  const folder = install("before")
  expect(await launch(folder)).toMatchObject(sound)
  const moved = place("after")
  renameSync(folder, moved)
  mkdirSync(folder)
  expect(await launch(moved)).toMatchObject(sound)
})

it("unpacked from the archive by tar, whatever the umask", async () => {
  const folder = place("unpacked")
  mkdirSync(folder)
  const { file } = packTar(installed, folder, 1_700_000_000)
  expect(spawnSync("/bin/sh", ["-c", 'umask 077 && exec tar -xf "$1"', "sh", file], { cwd: folder }).status).toBe(0)
  const unpacked = file.slice(0, -".tar".length)
  expect(await launch(unpacked)).toMatchObject(sound)
  expect(await launch(unpacked, ["verify"])).toMatchObject({ code: 0, stderr: "" })
})

describe("for another user", () => {
  const other = asRoot("who may not write to it and has no home")
  it.skipIf(other[1])(other[0], async () => {
    const line = 'exec setpriv --reuid=65534 --regid=65534 --clear-groups "$program" check --project "$users"'
    const env = { program: join(shared, "bin/effx"), users, HOME: "/nonexistent" }
    expect(await shell(line, { cwd: "/", env })).toMatchObject(sound)
  })

  it("without HOME, PATH or any other variable", async () => {
    const line = 'exec env -i "$program" check --project "$users"'
    expect(await shell(line, { cwd: "/", env: { program: join(shared, "bin/effx"), users } })).toMatchObject(sound)
  })

  it("whose folder for temporary files does not exist", async () => {
    expect(await launch(shared, check, { env: { TMPDIR: "/nonexistent" } })).toMatchObject(sound)
  })
})

describe("on a machine where", () => {
  /** Runs a line of shell in a private mount namespace. */
  const privately = (line: string, env: Readonly<Record<string, string>>) =>
    shell('exec unshare --mount --propagation private /bin/sh -ec "$line"', { cwd: "/", env: { ...env, line } })

  const readOnly = asRoot("its file system is read-only")
  it.skipIf(readOnly[1])(readOnly[0], async () => {
    const line =
      'mount --bind "$folder" "$folder"; mount -o remount,bind,ro "$folder"; ! touch "$folder/x" 2>/dev/null; "$folder/bin/effx" check --project "$users"'
    expect(await privately(line, { folder: shared, users })).toMatchObject(sound)
  })

  const noExecution = asRoot("/tmp is mounted noexec")
  it.skipIf(noExecution[1])(noExecution[0], async () => {
    // The installation may itself lie below /tmp, so it moves out of it; the project is only read, wherever it is.
    const line =
      'mount --bind "$folder" /mnt; mount --bind /tmp /tmp; mount -o remount,bind,noexec /tmp; /mnt/bin/effx check --project "$users"'
    expect(await privately(line, { folder: shared, users })).toMatchObject(sound)
  })

  it("its folders are read-only by their modes", async () => {
    const folder = install()
    spawnSync("chmod", ["-R", "a-w", folder])
    expect(await launch(folder)).toMatchObject(sound)
  })
})

describe("with standard streams closed:", () => {
  const closed = (redirections: string) =>
    shell(`"$program" check --project "$users" ${redirections}; code=$?; exit $code`, {
      cwd: "/",
      env: { program: join(shared, "bin/effx"), users }
    })

  it.each([
    ["standard input", "<&-", sound],
    ["standard output", ">&-", { code: 0, stdout: "", stderr: "" }],
    ["standard error", "2>&-", sound],
    ["all of them", "<&- >&- 2>&-", { code: 0, stdout: "", stderr: "" }]
  ])("%s", async (_, redirections, ended) => {
    expect(await closed(redirections)).toMatchObject(ended)
  })
})

it("writes init's project from the archive alone", async () => {
  const folder = place("project")
  mkdirSync(folder)
  expect(await launch(shared, ["init"], { cwd: folder })).toMatchObject({ code: 0, stderr: "" })
  const packed = await shell('cd "$folder/npm" && echo *', { env: { folder: shared } })
  expect(await shell("cd vendor && echo *", { cwd: folder })).toMatchObject({ stdout: packed.stdout })
  expect(basename(packed.stdout.trim())).toMatch(/^effx-cli-.*\.tgz effx-compiler-.*\.tgz effx-diagnostics-/)
})
