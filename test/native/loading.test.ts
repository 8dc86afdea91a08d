/** How the compiled library is loaded from JavaScript: only the right one, and never called after it was let go. */
import { spawnSync } from "node:child_process"
import { closeSync, constants, fstatSync, openSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { ABI, Found, KINDS, TRANSFER_BYTES } from "../../src/stdio/abi.ts"
import { errno, errnoName, loadShim, type Shim, UNLOADED } from "../../src/stdio/host.ts"
import { buildShim, compiler, root, run, scratch } from "./toolchain.ts"

/** The numbers that the header defines, by name without prefix. */
const header = new Map(
  Array.from(
    readFileSync(join(root, "native/effx_stdio.h"), "utf8").matchAll(/^#define EFFX_STDIO_(\w+) (\d+)$/gm),
    ([, name = "", number]) => [name, Number(number)] as const
  )
)

/** `InputReady` as the header writes it: `INPUT_READY`. */
const upper = (name: string): string => name.replaceAll(/(?<=[a-z])[A-Z]/g, "_$&").toUpperCase()

it("JavaScript knows the header's numbers, and no others", () => {
  const known = new Map([
    ["ABI", ABI],
    ["TRANSFER", TRANSFER_BYTES],
    ...KINDS.map((kind, number) => [upper(kind), number] as const),
    ...Object.entries(Found).map(([name, bit]) => [upper(name), bit] as const)
  ])
  expect(header).toEqual(known)
})

describe.skipIf(compiler === undefined)("loading the shim (needs a C compiler)", () => {
  const folder = scratch()
  const library = compiler === undefined ? "" : buildShim(folder)

  const loaded = (path = library): Shim => {
    const loading = loadShim(path)
    if (loading._tag !== "Loaded") throw new Error(JSON.stringify(loading))
    return loading.shim
  }

  /** Compiles a library that is not the shim. */
  const foreign = (name: string, source: string): string => {
    const path = join(folder, name)
    writeFileSync(`${path}.c`, source)
    run(compiler ?? "cc", ["-shared", "-fPIC", "-o", path, `${path}.c`])
    return path
  }

  it("every call reaches the library with the right types", () => {
    const shim = loaded()
    const wake = shim.wakeOpen()
    const client = shim.clientOpen(process.pid)
    expect(wake).toBeGreaterThan(2)
    expect(client).toBeGreaterThan(2)
    expect(shim.wait(-1, wake, client, -1, 0)).toBe(0)
    expect(shim.wakeSignal(wake)).toBe(0)
    expect(shim.wait(-1, wake, client, -1, -1)).toBe(Found.Woken)
    expect(shim.wakeDrain(wake)).toBe(0)
    expect(shim.wait(-1, wake, client, -1, 1)).toBe(0)

    const path = join(folder, "fifo")
    run("mkfifo", [path])
    const fifo = openSync(path, constants.O_RDWR)
    expect(KINDS[shim.kind(fifo)]).toBe("fifo")
    const writer = shim.writerOpen(fifo)
    expect(shim.wait(fifo, wake, client, writer, 0)).toBe(Found.OutputReady)
    const bytes = new TextEncoder().encode("--hello--")
    expect(shim.write(writer, bytes.subarray(2, 7))).toBe(5)
    expect(shim.wait(fifo, wake, client, writer, 0)).toBe(Found.InputReady | Found.OutputReady)
    const shared = new Uint8Array(new SharedArrayBuffer(16), 4, 8)
    expect(shim.read(fifo, shared)).toBe(5)
    expect(new TextDecoder().decode(Uint8Array.from(shared.subarray(0, 5)))).toBe("hello")
    expect(shim.read(fifo, shared)).toBe(-errno.EAGAIN)
    expect(shim.read(fifo, new Uint8Array(TRANSFER_BYTES))).toBe(-errno.EAGAIN)
    expect(shim.read(fifo, new Uint8Array(TRANSFER_BYTES + 1))).toBe(-errno.EINVAL)
    expect(shim.write(writer, new Uint8Array(TRANSFER_BYTES + 1))).toBe(-errno.EINVAL)
    expect(shim.write(writer, new Uint8Array(TRANSFER_BYTES))).toBe(65_536)
    expect(errnoName(shim.write(writer, bytes))).toBe("EAGAIN")
    for (const descriptor of [writer, fifo, client, wake]) expect(shim.close(descriptor)).toBe(0)
    expect(errnoName(shim.close(writer))).toBe("EBADF")
    shim.unload()
  })

  it("let go, every call is refused and none is made", () => {
    const shim = loaded()
    const descriptor = openSync("/dev/null", "r+")
    shim.unload()
    shim.unload()
    const { unload: _, ...calls } = shim
    expect(Object.keys(calls)).toHaveLength(10)
    for (const call of Object.values(calls) as ReadonlyArray<(...args: ReadonlyArray<unknown>) => number>) {
      expect(call(descriptor, new Uint8Array(1), -1, -1, 0)).toBe(UNLOADED)
    }
    expect(fstatSync(descriptor).isCharacterDevice()).toBe(true)
    closeSync(descriptor)
  })

  it("a library of another ABI is refused before anything else of it is called", () => {
    const calls = [
      "kind",
      "wait",
      "read",
      "writer_open",
      "write",
      "client_open",
      "wake_open",
      "wake_signal",
      "wake_drain",
      "close"
    ]
    const stubs = calls.map((call) => `int effx_stdio_${call}() { __builtin_trap(); }`).join("\n")
    const older = foreign("older.so", `int effx_stdio_abi(void) { return ${ABI - 1}; }\n${stubs}\n`)
    const newer = foreign("newer.so", `int effx_stdio_abi(void) { return ${ABI + 1}; }\n`)
    expect(loadShim(older)).toEqual({ _tag: "AbiMismatch", found: ABI - 1 })
    expect(loadShim(newer)).toEqual({ _tag: "AbiMismatch", found: ABI + 1 })
  })

  it("what is no such library is refused with the loader's reason", () => {
    const text = join(folder, "text.so")
    writeFileSync(text, "no library\n")
    const stranger = foreign("stranger.so", "int stranger(void) { return 1; }\n")
    const partial = foreign("partial.so", `int effx_stdio_abi(void) { return ${ABI}; }\n`)
    for (const path of [text, stranger, partial, join(folder, "missing.so"), folder]) {
      expect(loadShim(path)).toMatchObject({ _tag: "LibraryUnloadable", detail: expect.stringMatching(/\S/) })
    }
  })

  it("a path that is not absolute is refused, also where the library lies in the working directory", () => {
    const before = process.cwd()
    process.chdir(folder)
    for (const path of ["effx-stdio.so", "./effx-stdio.so", "", `${library}\0.so`, "libc.so.6"]) {
      expect(loadShim(path)).toEqual({ _tag: "LibraryPath" })
    }
    process.chdir(before)
  })

  it("loads through a descriptor, whatever the file's name has come to", () => {
    const descriptor = openSync(library, "r")
    const shim = loaded(`/proc/self/fd/${descriptor}`)
    expect(KINDS[shim.kind(descriptor)]).toBe("regular")
    shim.unload()
    closeSync(descriptor)
  })

  it("8 workers load it at once, 200 times, without a crash", () => {
    const result = spawnSync(process.execPath, [join(import.meta.dirname, "workers.ts"), library, "8", "200"], {
      encoding: "utf8"
    })
    expect(`${result.stdout}${result.stderr}`).toBe("1600 loads\n")
    expect(result.status).toBe(0)
  }, 300_000)
})
