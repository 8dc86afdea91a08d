/**
 * Brings a fresh clone to a working state with nothing but Node and npm: the pinned Bun, then the locked dependencies, and the native
 * library where a C compiler is found.
 *
 * Idempotent: what is in place already is recognised by its version or by the hash of the lock file and left alone. Every
 * failure is one line that says what is missing and what to do.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
export const bun = join(root, "tools/bun/node_modules/@oven/bun-linux-x64-baseline/bin/bun")

const MINIMUM_NODE = 20
const REGISTRY = " Is the npm registry reachable?"

const fail = (line) => {
  process.stderr.write(`effx setup: ${line}\n`)
  process.exit(1)
}

/** Runs a step; its output is shown only when it fails. */
const step = (title, done, command, args, { hint = "", ...options } = {}) => {
  const began = performance.now()
  process.stdout.write(`  ${title} … `)
  const result = spawnSync(command, args, { cwd: root, encoding: "utf8", ...options })
  if (result.error !== undefined || result.status !== 0) {
    process.stdout.write("failed\n")
    process.stderr.write(`${result.stdout ?? ""}${result.stderr ?? ""}${result.error?.message ?? ""}\n`)
    fail(`${title} failed; the lines above say why.${hint}`)
  }
  process.stdout.write(`${done} (${((performance.now() - began) / 1000).toFixed(1)} s)\n`)
}

const checkPlatform = () => {
  if (process.platform !== "linux" || process.arch !== "x64") {
    fail(`effx runs on Linux x86-64 with glibc; this machine is ${process.platform} ${process.arch}.`)
  }
  if (!process.report.getReport().header.glibcVersionRuntime) {
    fail("effx needs glibc; this system uses another C library. A Debian or Ubuntu container works.")
  }
  if (Number(process.versions.node.split(".")[0]) < MINIMUM_NODE) {
    fail(`Node ${MINIMUM_NODE} or newer is needed to set up; this is Node ${process.versions.node}.`)
  }
}

const pinnedBun = () =>
  JSON.parse(readFileSync(join(root, "tools/bun/package.json"), "utf8")).dependencies["@oven/bun-linux-x64-baseline"]

const installedBun = () => {
  if (!existsSync(bun)) return undefined
  const result = spawnSync(bun, ["--no-env-file", "--version"], { encoding: "utf8" })
  return result.status === 0 ? result.stdout.trim() : undefined
}

const installBun = () => {
  const version = pinnedBun()
  if (installedBun() === version) return process.stdout.write(`  Bun ${version} … in place\n`)
  step(`Bun ${version}`, "installed", "npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: join(root, "tools/bun"),
    hint: REGISTRY
  })
}

const installDependencies = () => {
  const stamp = join(root, "node_modules/.effx-lock")
  const hash = createHash("sha256")
    .update(readFileSync(join(root, "bun.lock")))
    .digest("hex")
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) {
    return process.stdout.write("  dependencies … in place\n")
  }
  step("dependencies", "installed", bun, ["install", "--frozen-lockfile", "--ignore-scripts"], { hint: REGISTRY })
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
}

const compiler = () => {
  for (const name of process.env.CC ? [process.env.CC] : ["cc", "gcc", "clang"]) {
    const result = spawnSync("/bin/sh", ["-c", `${name} --version`], { encoding: "utf8" })
    if (result.status === 0) return `${name}\n${result.stdout}`
  }
  return undefined
}

/** Only a server needs the native library, so that a machine without a C compiler still checks and builds. */
const buildShim = () => {
  const identity = compiler()
  if (identity === undefined) {
    return process.stdout.write("  native library … left out: no C compiler (install gcc, or set CC)\n")
  }
  const hash = createHash("sha256").update(identity)
  for (const path of ["native/effx_stdio.c", "native/effx_stdio.h", "release/build-shim.sh"]) {
    hash.update(readFileSync(join(root, path)))
  }
  const built = hash.digest("hex")
  const stamp = join(root, "dist/shim/stamp")
  if (existsSync(join(root, "dist/shim/effx-stdio.so")) && existsSync(stamp) && readFileSync(stamp, "utf8") === built) {
    return process.stdout.write("  native library … in place\n")
  }
  step("native library", "built", "/bin/sh", ["release/build-shim.sh"])
  writeFileSync(stamp, built)
}

/** Sets everything up; ends the process with one clear line when something is missing. */
export const setup = () => {
  process.stdout.write("Setting up\n")
  checkPlatform()
  installBun()
  installDependencies()
  buildShim()
}
