/** `effx init`: the commands that it prints give a project that checks, builds and serves. */
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { onTestFinished } from "vitest"
import { effx, run, shell, temporaryFolder } from "./effx.ts"

/** The commands below `Next`. */
const steps = (stdout: string): ReadonlyArray<string> =>
  (stdout.split(/^Next .*:\n/m)[1] ?? "")
    .trimEnd()
    .split("\n")
    .map((line) => line.trim())

/** A path as a shell reads it. */
const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** Starts a server by a line of shell and waits until it says that it listens. */
const serve = (line: string, cwd: string, port: number) =>
  new Promise<void>((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", line], {
      cwd,
      detached: true,
      env: { ...process.env, PORT: String(port) },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let text = ""
    const read = (chunk: Buffer) => {
      text += chunk
      if (text.includes("Listening on")) resolve()
    }
    child.stdout.on("data", read)
    child.stderr.on("data", read)
    child.on("close", () => reject(new Error(text)))
    onTestFinished(() => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM")
    })
  })

it("gives a project that checks, builds and serves by the commands that it prints", { timeout: 300_000 }, async () => {
  const top = temporaryFolder("effx init")
  const written = await run(["init", "my demo"], { cwd: top })
  expect(written).toMatchObject({ code: 0, stderr: "" })
  const [enter, ...commands] = steps(written.stdout)
  expect(enter).toBe("cd 'my demo'")
  const start = commands.pop() ?? ""
  for (const command of commands) {
    const ended = await shell(`${enter} && ${command}`, { cwd: top, env: { HOME: process.env.HOME ?? top } })
    expect(ended, command).toMatchObject({ code: 0 })
  }
  const port = await freePort()
  await serve(`${enter} && ${start}`, top, port)
  const notes = `http://127.0.0.1:${port}/notes`
  const added = await fetch(notes, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: "hello" })
  })
  expect(await added.json()).toEqual({ id: "n1", text: "hello" })
  expect(await (await fetch(notes)).json()).toEqual([{ id: "n1", text: "hello" }])
  expect((await fetch(`${notes}/n2`)).status).toBe(404)
  expect((await fetch(notes, { method: "POST", body: "{}" })).status).toBe(400)
})

it("leaves a project that says in one line what it lacks where no registry can be reached", async () => {
  const top = temporaryFolder("effx init")
  expect(await run(["init", "demo"], { cwd: top })).toMatchObject({ code: 0 })
  const cwd = join(top, "demo")
  writeFileSync(join(cwd, ".npmrc"), "registry=http://127.0.0.1:9/\nfetch-retries=0\n")
  const installed = await run(["install"], { cwd, program: "npm", env: { HOME: top } })
  expect(installed.code).not.toBe(0)
  const line =
    /^EFFX2701 error {2}The project's dependencies are not installed: run npm install, which needs an npm registry that serves effect {2}package\.json:\d+:\d+\n/
  for (const command of [["check"], ["build"]]) {
    const ended = await run(command, { cwd })
    expect(ended).toMatchObject({ code: 1, stderr: "" })
    expect(ended.stdout.replace(line, "")).toBe("1 errors, 0 warnings, 0 infos\n")
  }
  for (const command of [["inspect", "Note.List"], ["graph"]]) {
    const ended = await run(command, { cwd })
    expect(ended).toMatchObject({ code: 1, stdout: "" })
    expect(ended.stderr.replace(line, "")).toBe("1 errors, 0 warnings, 0 infos\n")
  }
  expect(existsSync(join(cwd, ".effx"))).toBe(false)
})

it("overwrites nothing, not even through a link, and then writes nothing", async () => {
  for (const obstacle of [
    (folder: string) => writeFileSync(join(folder, "tsconfig.json"), "mine"),
    (folder: string) => symlinkSync("/nowhere/else", join(folder, "tsconfig.json"))
  ]) {
    const folder = temporaryFolder()
    obstacle(folder)
    const ended = await run(["init"], { cwd: folder })
    expect(ended).toMatchObject({ code: 1, stdout: "" })
    expect(ended.stderr).toMatch(/^effx: init overwrites nothing, and .* already has tsconfig\.json\n$/)
    expect(readdirSync(folder)).toEqual(["tsconfig.json"])
  }
})

it("refuses, and writes nothing, where a file stands in the place of a folder", async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, "src"), "")
  for (const [dir, file] of [
    ["src", "src"],
    [".", "src"]
  ] as const) {
    expect(await run(["init", dir], { cwd })).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `effx: init needs a folder, and ${join(cwd, file)} is none\n`
    })
  }
  expect(readdirSync(cwd)).toEqual(["src"])
})

it("writes beside files of other names, into the working directory", async () => {
  const cwd = temporaryFolder("1 Ünusual name")
  writeFileSync(join(cwd, "README.md"), "mine")
  expect(await run(["init"], { cwd })).toMatchObject({ code: 0, stderr: "" })
  expect(existsSync(join(cwd, "src/operations.ts"))).toBe(true)
  expect(JSON.parse(readFileSync(join(cwd, "package.json"), "utf8")).name).toMatch(/^[a-z0-9][a-z0-9._~-]*$/)
})

it("names the program as the reader can call it", async () => {
  const top = temporaryFolder()
  const bin = join(top, "bin")
  mkdirSync(bin)
  symlinkSync(realpathSync(effx), join(bin, "effx"))
  const PATH = `${bin}:/usr/bin:/bin`
  expect(steps((await run(["init", "a"], { cwd: top, env: { PATH } })).stdout)).toContain("effx check")
  expect(steps((await run(["init", "b"], { cwd: top, env: { PATH: "/usr/bin:/bin" } })).stdout)).toContain(
    `${quoted(realpathSync(effx))} check`
  )
})

it("says in one line where it may not write", async () => {
  const ended = await run(["init", "/proc/demo"])
  expect(ended).toMatchObject({ code: 3, stdout: "" })
  expect(ended.stderr).toMatch(/^effx: cannot write the project to \/proc\/demo: .*\n$/)
})
