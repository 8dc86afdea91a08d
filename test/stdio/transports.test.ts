/** Standard input and output of every kind: what is supported works, the rest is refused before anything is written. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { scratch, tool } from "../native/toolchain.ts"
import { commandLine, hasCompiler, pattern, quoted, shell, start } from "./harness.ts"

describe.skipIf(!hasCompiler)("standard input and output (needs a C compiler)", () => {
  const folder = scratch()

  it("echoes a megabyte over what this runtime gives a child", async () => {
    const server = start("echo")
    server.child.stdin?.end(pattern(1_000_000))
    expect((await server.output).equals(pattern(1_000_000))).toBe(true)
    expect(await server.exit).toBe(0)
    expect(await server.reported("left")).toEqual({ event: "left", after: "Closed", ended: true })
  })

  it("echoes a megabyte over pipes", async () => {
    const file = join(folder, "megabyte")
    writeFileSync(file, pattern(1_000_000))
    const server = shell(`cat ${quoted(file)} | ${commandLine("echo")} | cat`)
    expect((await server.output).equals(pattern(1_000_000))).toBe(true)
    expect(await server.reported("started")).toEqual({ event: "started", input: "fifo", output: "fifo" })
  })

  it("echoes a megabyte from a regular file", async () => {
    const file = join(folder, "input")
    writeFileSync(file, pattern(1_000_000))
    const server = shell(`${commandLine("echo")} <${quoted(file)} | cat`)
    expect((await server.output).equals(pattern(1_000_000))).toBe(true)
    expect(await server.reported("started")).toEqual({ event: "started", input: "regular", output: "fifo" })
    expect(await server.reported("input-ended")).toEqual({ event: "input-ended", how: "EndOfInput" })
  })

  it.skipIf(tool("node") === undefined)("echoes over the sockets that Node gives a child (needs node)", async () => {
    const program = `
      const child = require("node:child_process").spawn(process.argv[1], process.argv.slice(2), { stdio: ["pipe", "pipe", "inherit"] })
      child.stdout.pipe(process.stdout)
      child.stdin.end("hello, world")`
    const server = shell(`${tool("node")} -e ${quoted(program)} ${commandLine("echo")}`)
    expect((await server.output).toString()).toBe("hello, world")
    expect(await server.reported("started")).toEqual({ event: "started", input: "socket", output: "socket" })
  })

  it.skipIf(tool("script") === undefined)("echoes over a terminal (needs script)", async () => {
    const reports = join(folder, "terminal")
    // The terminal is made raw, so that bytes pass as they are; ^D is then no end, closing the terminal is.
    const command = `stty raw -echo; echo ready; exec ${commandLine("echo")} 2>${quoted(reports)}`
    const server = shell(`exec script -qec ${quoted(command)} /dev/null`)
    let seen = ""
    await new Promise<void>((resolve) => {
      server.child.stdout?.on("data", (part: Buffer) => {
        const before = seen
        seen += part.toString()
        if (!before.includes("ready") && seen.includes("ready")) server.child.stdin?.write("hello, terminal")
        if (seen.includes("hello, terminal")) resolve()
      })
    })
    expect(readFileSync(reports, "utf8")).toContain('{"event":"started","input":"terminal","output":"terminal"}')
    server.child.kill("SIGKILL")
    await server.exit
  })

  const refused = [
    ["standard input from /dev/null", "</dev/null | cat", "UnsupportedInput", "other"],
    ["a closed standard input", "<&- | cat", "UnsupportedInput", "other"],
    ["standard output to /dev/null", ">/dev/null", "UnsupportedOutput", "other"],
    ["standard output to a full device", ">/dev/full", "UnsupportedOutput", "other"]
  ] as const
  for (const [title, redirection, tag, kind] of refused) {
    it(`refuses ${title}`, async () => {
      const server = shell(`${commandLine("echo")} ${redirection}`)
      expect(await server.reported("failed")).toMatchObject({ reason: { _tag: tag, kind } })
      expect((await server.output).length).toBe(0)
    })
  }

  it("refuses a regular file as standard output and leaves it as it was", async () => {
    const file = join(folder, "protocol.log")
    writeFileSync(file, "before\n")
    const server = shell(`echo hello | ${commandLine("echo")} >>${quoted(file)}`)
    const report = await server.reported("failed")
    expect(report.reason).toEqual({ _tag: "UnsupportedOutput", kind: "regular" })
    expect(report.message).toBe("Standard output is a regular file; connect a pipe, a socket or a terminal")
    await server.exit
    expect(readFileSync(file, "utf8")).toBe("before\n")
  })

  it("leaves what it refuses unread", async () => {
    const server = shell(`echo hello | { ${commandLine("echo")} >/dev/null; cat; }`)
    expect((await server.output).toString()).toBe("hello\n")
  })

  it("leaves the descriptors' flags to the next program as they were", async () => {
    const flags = (descriptor: number): string => `grep flags /proc/self/fdinfo/${descriptor} >&2`
    const command = `echo one | { ${flags(0)}; ${flags(1)}; ${commandLine("echo")}; ${flags(0)}; ${flags(1)}; } | cat`
    const said: Array<string> = []
    const server = shell(command)
    server.child.stderr?.on("data", (part: string) => {
      said.push(...part.split("\n").filter((line) => line.startsWith("flags")))
    })
    expect((await server.output).toString()).toBe("one\n")
    expect(said).toHaveLength(4)
    expect(said.slice(2)).toEqual(said.slice(0, 2))
  })
})
