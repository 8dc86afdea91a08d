/**
 * The life of the packed server: exit codes and errors of LSP 3.17, the client's death, signals, and framing (gate 6 of Spec 0018). What
 * one process can show together is shown by one.
 */
import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { onTestFinished } from "vitest"
import { childrenOf } from "../../children.ts"
import { eventually, isRunning, project } from "../dev/driver.ts"
import { effx, run, temporaryFolder } from "../effx.ts"
import { withoutProcesses } from "./driver.ts"
import { frame, INITIALIZE, type RawServer, startRaw } from "./raw.ts"

/** A project that costs nothing to open. */
const folder = (files: Readonly<Record<string, string>> = {}): string => {
  const made = temporaryFolder("effx lsp")
  for (const [name, text] of Object.entries({ "tsconfig.json": "{}\n", "a.ts": "export {}\n", ...files })) {
    writeFileSync(join(made, name), text)
  }
  return made
}

const running = async (cwd = folder(), args: ReadonlyArray<string> = []): Promise<RawServer> => {
  const server = startRaw(cwd, { args })
  await server.request("initialize", INITIALIZE)
  server.send({ jsonrpc: "2.0", method: "initialized", params: {} })
  return server
}

const codeOf = async (server: RawServer, method: string, params?: unknown) =>
  (await server.request(method, params)).error?.code

/** Milliseconds until something is over. */
const lasting = async (over: Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await over
  return performance.now() - began
}

describe("a lifecycle", () => {
  it("refuses what comes too early, twice, unknown or too late, and ends with 0 after shutdown and exit", async () => {
    const server = startRaw(folder())
    expect(await codeOf(server, "textDocument/hover", {})).toBe(-32002)
    expect(await codeOf(server, "shutdown")).toBe(-32002)
    expect((await server.request("initialize", INITIALIZE)).error).toBe(undefined)
    server.send({ jsonrpc: "2.0", method: "initialized", params: {} })
    expect(await codeOf(server, "initialize", INITIALIZE)).toBe(-32600)
    expect(await codeOf(server, "textDocument/hover", {})).toBe(-32601)
    // None of these is answered with more than it is due.
    server.send({ jsonrpc: "2.0", method: "$/unknown" })
    server.send({ jsonrpc: "2.0", method: "textDocument/didOpen", params: [] })
    server.send({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: "none" } })
    server.send("{")
    server.send('{"jsonrpc":"2.0","id":9}')
    expect(await codeOf(server, "textDocument/hover", {})).toBe(-32601)
    expect(server.messages.filter(({ id }) => id === null).map(({ error }) => error?.code)).toEqual([-32700])
    expect(server.messages.find(({ id }) => id === 9)?.error?.code).toBe(-32600)
    expect((await server.request("shutdown", null)).result).toBe(null)
    expect(await codeOf(server, "shutdown")).toBe(-32600)
    expect(await codeOf(server, "textDocument/hover", {})).toBe(-32600)
    const children = childrenOf(server.pid)
    server.send({ jsonrpc: "2.0", method: "exit" })
    expect(await server.ended).toBe(0)
    await withoutProcesses(children)
  })

  it("ends with 1 by exit alone, by exit before initialize, by the end of the input, also within a message", async () => {
    const [alone, before, input, within] = [await running(), startRaw(folder()), await running(), await running()]
    const all = [alone, before, input, within]
    const children = all.flatMap(({ pid }) => childrenOf(pid))
    alone.send({ jsonrpc: "2.0", method: "exit" })
    before.send({ jsonrpc: "2.0", method: "exit" })
    input.child.stdin?.end()
    within.child.stdin?.end("Content-Length: 10\r\n\r\n{")
    expect(await Promise.all(all.map(({ ended }) => ended))).toEqual([1, 1, 1, 1])
    expect(within.stderr()).toContain("within a message")
    await withoutProcesses(children)
  })
})

describe("frames", () => {
  it("may come in any pieces, several at once, and with header names in any case", async () => {
    const server = startRaw(folder())
    const first = frame({ jsonrpc: "2.0", id: "é𝔸", method: "initialize", params: INITIALIZE })
    for (const byte of first) server.write(Buffer.of(byte))
    await server.until(({ id }) => id === "é𝔸")
    const body = '{"jsonrpc":"2.0","id":1,"method":"x"}'
    const odd = `CONTENT-TYPE: application/vscode-jsonrpc; charset=utf8\r\ncontent-length:${body.length}\r\n\r\n${body}`
    server.write(Buffer.concat([Buffer.from(odd), frame({ jsonrpc: "2.0", id: 2, method: "y" })]))
    await server.until(({ id }) => id === 1)
    await server.until(({ id }) => id === 2)
    server.child.stdin?.end()
    expect(await server.ended).toBe(1)
  })

  it.each([
    ["a header without colon", "garbage\r\n\r\n", "colon"],
    ["a negative length", "Content-Length: -5\r\n\r\n", "Content-Length"],
    ["a body that is too long", `Content-Length: ${8 * 1024 * 1024 + 1}\r\n\r\n`, "8388608"],
    ["a header part that is too long", "x".repeat(8 * 1024 + 1), "8192"],
    ["another charset", "Content-Length: 2\r\nContent-Type: a; charset=utf-16\r\n\r\n{}", "utf-16"]
  ])("close the session with a reason where they cannot be read: %s", async (_, bytes, reason) => {
    const server = startRaw(folder())
    server.write(bytes)
    expect(await server.ended).toBe(1)
    expect(server.stderr()).toMatch(/^effx: the session ends: [^\n]*\n$/)
    expect(server.stderr()).toContain(reason)
    expect(server.messages).toEqual([])
  })

  it("hold a body of as many bytes as allowed", async () => {
    const server = startRaw(folder())
    const head = '{"jsonrpc":"2.0","id":1,"method":"x","params":"'
    server.send(`${head}${"x".repeat(8 * 1024 * 1024 - head.length - 2)}"}`)
    expect((await server.until(({ id }) => id === 1)).error?.code).toBe(-32002)
    server.child.stdin?.end()
    expect(await server.ended).toBe(1)
  })
})

/** Holds a time against its bound where other tests have the machine as well: the best of a few attempts counts. */
const withinASecond = async (attempt: () => Promise<number>): Promise<void> => {
  const times: Array<number> = []
  while (times.length < 4 && !times.some((time) => time < 1_000)) times.push(await attempt())
  expect(Math.min(...times), `${times}`).toBeLessThan(1_000)
}

describe("the client's death", () => {
  it("ends the server within a second, by the process that initialize named", async () => {
    const cwd = folder()
    await withinASecond(async () => {
      const client = spawn("sleep", ["1000"], { stdio: "ignore" })
      onTestFinished(() => void client.kill("SIGKILL"))
      const server = startRaw(cwd)
      await server.request("initialize", { ...INITIALIZE, processId: client.pid })
      const children = childrenOf(server.pid)
      client.kill("SIGKILL")
      const time = await lasting(server.ended)
      expect(await server.ended).toBe(1)
      await withoutProcesses(children)
      return time
    })
  })

  it("ends the server within a second, by its pipes, in the middle of everything", async () => {
    const cwd = project()
    const program = `
      const { bytes, effx } = process.env
      const child = require("node:child_process").spawn(effx, ["lsp"], { stdio: ["pipe", "pipe", "ignore"] })
      child.stdin.write(Buffer.from(bytes, "base64"))
      child.stdout.once("data", () => console.log(child.pid))
      setInterval(() => {}, 1000)`
    const bytes = frame({ jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE }).toString("base64")
    await withinASecond(async () => {
      const client = spawn(process.execPath, ["-e", program], {
        cwd,
        env: { PATH: process.env.PATH ?? "", bytes, effx },
        stdio: ["ignore", "pipe", "inherit"]
      })
      onTestFinished(() => void client.kill("SIGKILL"))
      const pid = Number(await new Promise((resolve) => client.stdout?.once("data", resolve)))
      const all = [pid, ...childrenOf(pid)]
      client.kill("SIGKILL")
      return lasting(eventually(() => !all.some(isRunning)))
    })
  })

  it("is not looked for where the process cannot be seen", async () => {
    const server = startRaw(folder())
    // Above the highest number that the system gives.
    await server.request("initialize", { ...INITIALIZE, processId: 2 ** 22 + 1 })
    expect(await codeOf(server, "x")).toBe(-32601)
    expect(server.stderr()).toContain("does not exist, or cannot be seen")
    server.child.stdin?.end()
    expect(await server.ended).toBe(1)
  })
})

describe("a signal", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129]
  ] as const)("ends it as the system says: %s", async (signal, code) => {
    const server = await running()
    const children = childrenOf(server.pid)
    server.child.kill(signal)
    expect(await server.ended).toBe(code)
    await withoutProcesses(children)
  })
})

it("keeps what a trusted config prints out of the protocol", async () => {
  const config = `
    console.log("from log", { a: 1 })
    console.info("from info")
    console.table([{ b: 2 }])
    console.error("from error")
    export default {}\n`
  const server = await running(folder({ "effx.config.ts": config }), ["--trust-config"])
  await server.request("shutdown")
  server.send({ jsonrpc: "2.0", method: "exit" })
  expect(await server.ended).toBe(0)
  for (const what of ["from log { a: 1 }", "from info", "from error"]) expect(server.stderr()).toContain(what)
})

it("says what is wrong with the command line before anything else, and nothing on standard output", async () => {
  const server = startRaw(folder(), { args: ["--nonsense"] })
  expect(await server.ended).toBe(2)
  expect(server.stderr()).toMatch(/^effx: unknown flag --nonsense/)
  const help = await run(["lsp", "--help"])
  expect(help).toMatchObject({ code: 0, stdout: "" })
  expect(help.stderr).toContain("--trust-config")
})
