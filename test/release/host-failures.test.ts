/** A machine that cannot run the packed program is told so: exit code 3 and one line with the cause and the way out. */
import { spawnSync } from "node:child_process"
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { encodeManifest } from "@effx/integrity"
import { afterAll, describe, expect, it } from "vitest"
import { type Ended, effx, repository, run, shell } from "../journeys/effx.ts"

const top = mkdtempSync(join(tmpdir(), "effx-host-"))
chmodSync(top, 0o755)
afterAll(() => rmSync(top, { recursive: true, force: true }))

const isRoot = process.getuid?.() === 0
const pathOf = (tool: string): string =>
  spawnSync("/bin/sh", ["-c", `command -v ${tool}`], { encoding: "utf8" }).stdout.trim()

/** Skips by name where a tool is missing. */
const when = (title: string, tool?: string): readonly [title: string, skip: boolean] => {
  const reasons = [...(isRoot ? [] : ["needs root"]), ...(tool === undefined || pathOf(tool) ? [] : [`needs ${tool}`])]
  return [reasons.length === 0 ? title : `${title} (${reasons.join(", ")})`, reasons.length > 0]
}

const refusal = (ended: Ended): string => {
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 3, stdout: "" })
  expect(ended.stderr).toMatch(/^effx: [^\n]+\n$/)
  return ended.stderr.slice("effx: ".length, -1)
}

/** Runs a line in a private mount namespace; `$program` is the launcher. */
const privately = (line: string, env: Readonly<Record<string, string>> = {}) =>
  shell('exec unshare --mount --propagation private /bin/sh -ec "$line"', {
    cwd: "/",
    env: { program: effx, installed: dirname(dirname(effx)), ...env, line }
  })

describe("the packed program refuses", () => {
  it("another architecture", async () => {
    expect(refusal(await shell('exec setarch i686 "$effx" --version'))).toMatch(
      /^it runs on Linux x86_64, and this is Linux i686; see /
    )
  })

  const proc = when("a machine without /proc", "unshare")
  it.skipIf(proc[1])(proc[0], async () => {
    expect(refusal(await privately('umount -l /proc; exec "$program" --version'))).toBe(
      "/proc is not mounted, and effx needs it; mount it: mount -t proc proc /proc"
    )
  })

  const noExecution = when("a file system that is mounted noexec", "unshare")
  it.skipIf(noExecution[1])(noExecution[0], async () => {
    const line = 'mount --bind "$installed" /mnt; mount -o remount,bind,noexec /mnt; exec sh /mnt/bin/effx --version'
    expect(refusal(await privately(line))).toBe(
      "/mnt/lib/bun/bun may not be executed; allow it (chmod +x), or move effx to a file system that is not mounted noexec"
    )
  })

  const privileges = when("to lend its privileges", "setpriv")
  it.skipIf(privileges[1])(privileges[0], async () => {
    for (const ids of ["--ruid 65534 --euid 0", "--rgid 65534 --egid 0"]) {
      const ended = await shell(`exec setpriv ${ids} --clear-groups /bin/sh -p "$effx" --version`, { cwd: "/" })
      expect(refusal(ended)).toBe("it does not run set-user-id or set-group-id; call it as one user")
    }
  })

  it("a folder whose path is not UTF-8, or has what Bun reads otherwise", async () => {
    for (const [name, reason] of [
      ["not \\377 text", /^it is installed in a folder whose path is not UTF-8, .*; move it: /],
      ["wh\\077t", /^it is installed in a folder whose path has \? or \\, .*; move it: /],
      ["back\\134slash", /^it is installed in a folder whose path has \? or \\, .*; move it: /]
    ] as const) {
      const line = `folder=$top/$(printf '${name}'); mkdir "$folder" && ln "$installed"/bin/effx "$folder/effx" 2>/dev/null || cp "$installed/bin/effx" "$folder/effx"; exec "$folder/effx" --version`
      const ended = await shell(line, { env: { top, installed: dirname(dirname(effx)) } })
      expect(refusal(ended)).toMatch(reason)
    }
  })

  it.each([
    ["too few open files", "ulimit -n 20", /^it needs 32 open files, and this shell allows 20; raise it: ulimit -n /],
    [
      "too little memory",
      "ulimit -v 500000",
      /^it needs 1 GB of address space, and this shell allows 512000000 bytes; /
    ]
  ])("%s", async (_, limit, reason) => {
    expect(refusal(await shell(`${limit}; exec "$effx" --version`))).toMatch(reason)
  })

  it("a glibc below the manifest's floor, whichever command runs", async () => {
    const folder = join(top, "of the future")
    cpSync(dirname(dirname(effx)), folder, { recursive: true })
    const manifest = join(folder, "manifest.json")
    const text = readFileSync(manifest, "utf8")
    const { digest: _, ...future } = JSON.parse(text.replaceAll(/"glibcFloor":"[0-9.]+"/g, '"glibcFloor":"99.0"'))
    expect(future.glibcFloor).toBe("99.0")
    writeFileSync(manifest, encodeManifest(future))
    for (const args of [["--version"], ["check", "--project", join(repository, "fixtures/users")]]) {
      expect(refusal(await run(args, { program: join(folder, "bin/effx") }))).toMatch(
        /^it needs glibc 99\.0, and this system has 2\.\d+; use a newer system or a container$/
      )
    }
    rmSync(folder, { recursive: true })
  })

  it("a working directory that no longer exists", async () => {
    const folder = join(top, "gone")
    mkdirSync(folder)
    const ended = await shell('rmdir "$PWD"; exec "$effx" --version 2>&1 | tail -n 1', { cwd: folder })
    expect(ended.stdout).toBe("effx: the working directory no longer exists; change to another one\n")
  })
})

describe("without glibc", () => {
  const C_LIBRARY = /\/(ld-musl-|ld-linux)/

  /** A root of its own with a static shell and the launcher, and what `files` say. */
  const chroot = (name: string, files: ReadonlyArray<string>): Promise<Ended> => {
    const root = join(top, name)
    for (const folder of ["bin", "usr/bin", "proc", "effx/bin", "effx/lib/effx", "effx/lib/bun"]) {
      mkdirSync(join(root, folder), { recursive: true })
    }
    const busybox = join(root, "bin/busybox")
    copyFileSync(pathOf("busybox"), busybox)
    for (const tool of ["sh", "uname", "readlink", "sed"]) cpSync(busybox, join(root, "bin", tool))
    copyFileSync(effx, join(root, "effx/bin/effx"))
    for (const file of ["dev/null", ...files]) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), C_LIBRARY.test(file) ? "" : "{}")
    }
    const line = 'mount --bind /proc "$root/proc"; exec chroot "$root" /bin/sh /effx/bin/effx --version'
    return privately(line, { root })
  }

  const musl = when("it names musl", "busybox")
  it.skipIf(musl[1])(musl[0], async () => {
    expect(refusal(await chroot("musl", ["lib/ld-musl-x86_64.so.1"]))).toBe(
      "it needs glibc, and this system uses musl; run it in a container of Debian, Fedora or Ubuntu"
    )
  })

  const loader = when("it names the missing loader", "busybox")
  it.skipIf(loader[1])(loader[0], async () => {
    expect(refusal(await chroot("bare", []))).toBe(
      "the loader /lib64/ld-linux-x86-64.so.2 is missing; install the glibc of this system for x86-64"
    )
  })

  const nixos = when("it names NixOS, and what runs there", "busybox")
  it.skipIf(nixos[1])(nixos[0], async () => {
    expect(refusal(await chroot("nixos", ["etc/NIXOS"]))).toMatch(
      /^the loader .* is missing on NixOS; use the flake of effx/
    )
  })

  const old = when("it names a glibc below the manifest's floor", "busybox")
  it.skipIf(old[1])(old[0], async () => {
    const files = ["lib64/ld-linux-x86-64.so.2", "lib64/libc-2.12.so"]
    const root = join(top, "old")
    mkdirSync(join(root, "effx"), { recursive: true })
    copyFileSync(join(dirname(dirname(effx)), "manifest.json"), join(root, "effx/manifest.json"))
    expect(refusal(await chroot("old", files))).toBe(
      "it needs glibc 2.17, and this system has 2.12; use a newer system or a container"
    )
  })
})
