/**
 * Every kind of standard input and output that a server may get, and those that it refuses before any byte of the protocol (Spec 0018,
 * Linux platform amendment and amendment B).
 */
import { spawn } from "node:child_process"
import { openSync, readFileSync, readlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { onTestFinished } from "vitest"
import { childrenOf } from "../../children.ts"
import { tool } from "../../native/toolchain.ts"
import { effx, shell, temporaryFolder } from "../effx.ts"
import { withoutProcesses } from "./driver.ts"
import { frame, INITIALIZE, observe, startRaw, WHOLE_SESSION } from "./raw.ts"

const folder = (): string => {
  const made = temporaryFolder("effx lsp")
  writeFileSync(join(made, "tsconfig.json"), "{}\n")
  writeFileSync(join(made, "a.ts"), "export {}\n")
  writeFileSync(join(made, "session"), WHOLE_SESSION)
  return made
}

/** Runs a line of shell whose output is the server's, and in which `$effx` is the program. */
const inShell = (cwd: string, line: string) =>
  observe(
    spawn("/bin/bash", ["-c", line], {
      cwd,
      env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", effx },
      stdio: ["pipe", "pipe", "pipe"]
    })
  )

/** Ends a line of bash with the exit code of a part of its last pipeline. */
const withCodeOf = (line: string, part: number): string => `${line}; exit "\${PIPESTATUS[${part}]}"`

/** The line about the flags of a descriptor, as the kernel has it. */
const flagsOf = (pid: number, descriptor: number): string =>
  /flags:.*/.exec(readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, "utf8"))?.[0] ?? "?"

describe("a whole session", () => {
  it.each([
    ["pipes", withCodeOf('cat session | "$effx" lsp | cat', 1)],
    ["a regular file as input", withCodeOf('"$effx" lsp <session | cat', 0)],
    ["a named pipe as input", withCodeOf('mkfifo p; cat session >p & "$effx" lsp <p | cat', 0)]
  ])("runs over %s", async (_, line) => {
    const server = inShell(folder(), line)
    expect(await server.ended).toBe(0)
    expect(server.messages.map(({ id }) => id)).toEqual(expect.arrayContaining([1, 2]))
  })

  it("runs over sockets, and leaves the flags of its descriptors as they were", async () => {
    const cwd = folder()
    const note = 'found=$(for d in 0 1; do grep flags: "/proc/$$/fdinfo/$d"; done); echo "$found" >found; exec "$@"'
    const server = startRaw(cwd, { through: ["/bin/sh", "-c", note, "sh"] })
    await server.request("initialize", INITIALIZE)
    expect(readlinkSync(`/proc/${server.pid}/fd/0`)).toMatch(/^socket:/)
    const found = readFileSync(join(cwd, "found"), "utf8").trimEnd().split("\n")
    expect([0, 1].map((descriptor) => flagsOf(server.pid, descriptor))).toEqual(found)
    await server.request("shutdown")
    server.send({ jsonrpc: "2.0", method: "exit" })
    expect(await server.ended).toBe(0)
  })

  it.skipIf(tool("script") === undefined)("runs over a terminal (needs script)", async () => {
    const cwd = folder()
    // Raw, so that bytes pass as they are.
    const command = 'stty raw -echo; echo ready; exec "$effx" lsp 2>errors'
    const child = spawn("script", ["-qec", command, "/dev/null"], {
      cwd,
      env: { ...process.env, effx },
      stdio: ["pipe", "pipe", "inherit"]
    })
    onTestFinished(() => void child.kill("SIGKILL"))
    let seen = ""
    const until = (text: string) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!seen.includes(text)) return
          child.stdout.off("data", look)
          resolve()
        }
        child.stdout.on("data", look)
        look()
      })
    child.stdout.on("data", (chunk: Buffer) => {
      seen += chunk.toString()
    })
    await until("ready")
    child.stdin.write(WHOLE_SESSION)
    await until('"id":2')
    const code = await new Promise((resolve) => child.on("close", resolve))
    const errors = readFileSync(join(cwd, "errors"), "utf8")
    expect(code, errors).toBe(0)
    expect(errors).toMatch(/^effx: this is a language server, which an editor starts;/)
    expect(seen.replace(/^ready\r?\n/, "")).toMatch(/^Content-Length: \d+\r\n\r\n\{"jsonrpc":"2.0",/)
  })
})

it("leaves in the middle of an analysis without a word about its engine", async () => {
  const cwd = folder()
  const leave = async (wait: number) => {
    const server = startRaw(cwd)
    await server.request("initialize", INITIALIZE)
    await new Promise((resolve) => setTimeout(resolve, wait))
    await server.request("shutdown")
    server.send({ jsonrpc: "2.0", method: "exit" })
    expect(await server.ended, server.stderr()).toBe(0)
    expect(server.stderr()).not.toMatch(/engine|panic/)
  }
  // Wherever the engine is: while it starts, loads, is asked, and when all is said.
  for (const wait of [0, 50, 100, 150, 200, 300, 400, 600]) await leave(wait)
})

describe("what no server can use is refused with 2, a reason and not a byte of the protocol", () => {
  it("as output: a regular file, which stays as it was", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "log"), "before\n")
    const file = openSync(join(cwd, "log"), "a")
    const server = startRaw(cwd, { stdio: ["pipe", file, "pipe"] })
    server.write(WHOLE_SESSION)
    expect(await server.ended).toBe(2)
    expect(server.stderr()).toBe("effx: Standard output is a regular file; connect a pipe, a socket or a terminal\n")
    expect(readFileSync(join(cwd, "log"), "utf8")).toBe("before\n")
  })

  it.each([
    ["as input: a device", withCodeOf('"$effx" lsp </dev/null | cat', 0), "Standard input is a device"],
    ["as output: a device", '"$effx" lsp <session >/dev/null', "Standard output is a device"],
    ["as input: a folder", withCodeOf('"$effx" lsp <. | cat', 0), "Standard input is a device or another"]
  ])("%s", async (_, line, reason) => {
    const ended = await shell(`exec /bin/bash -c '${line}'`, { cwd: folder() })
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toContain(reason)
  })
})

describe("a client that does not read", () => {
  const unknown = (count: number): ReadonlyArray<Buffer> =>
    Array.from({ length: count }, (_, id) => frame({ jsonrpc: "2.0", id, method: "x".repeat(8_000) }))
  const opening = frame({ jsonrpc: "2.0", id: "i", method: "initialize", params: INITIALIZE })
  const leaving = [
    { jsonrpc: "2.0", id: "s", method: "shutdown" },
    { jsonrpc: "2.0", method: "exit" }
  ].map(frame)

  it("for two seconds ends the session with a reason", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "flood"), Buffer.concat([opening, ...unknown(600)]))
    const server = inShell(cwd, '{ cat flood; sleep 8; } | { "$effx" lsp; echo "ended with $?" >&2; } | sleep 8')
    const text = await new Promise<string>((resolve) => {
      server.child.stderr?.on("data", () => server.stderr().includes("ended with") && resolve(server.stderr()))
    })
    expect(text).toContain(
      "effx: the session ends: The reader of standard output has taken nothing for 2000 ms\nended with 1\n"
    )
  })

  it("for a while is waited for, and gets everything", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "flood"), Buffer.concat([opening, ...unknown(600), ...leaving]))
    const server = inShell(cwd, withCodeOf('cat flood | "$effx" lsp | { sleep 1; cat; }', 1))
    expect(await server.ended).toBe(0)
    expect(server.messages.filter(({ error }) => error !== undefined)).toHaveLength(600)
  })

  it("any more at all ends the session at once", async () => {
    const server = startRaw(folder())
    await server.request("initialize", INITIALIZE)
    const children = childrenOf(server.pid)
    server.child.stdout?.destroy()
    const code = new Promise((resolve) => server.child.on("exit", resolve))
    server.send({ jsonrpc: "2.0", id: "last", method: "x" })
    expect(await code).toBe(1)
    await withoutProcesses(children)
  })
})
