/** What an archive may be: the form that effx packs and no other, however its bytes arrive. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { tarReader } from "@effx/integrity"
import { Result, Schema } from "effect"
import { afterAll, describe } from "vitest"
import { type TarEntry, tar } from "../../release/tar.ts"
import { LIMITS } from "../../src/integrity/limits.ts"

const folder = mkdtempSync(join(tmpdir(), "effx-tar-reader-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const text = (value: string) => new TextEncoder().encode(value)

const ENTRIES: ReadonlyArray<TarEntry> = [
  { path: "top/bin/run", bytes: text("#!/bin/sh\n"), executable: true },
  { path: "top/block", bytes: text("x".repeat(512)) },
  { path: "top/empty", bytes: text("") },
  { path: `top/${"folder/".repeat(15)}größe`, bytes: text("1") }
]
const GOOD = tar(ENTRIES)

const read = (bytes: Uint8Array, chunk = bytes.length) => {
  const reader = tarReader((path) => path === "block")
  for (let at = 0; at < bytes.length; at += chunk) reader.push(bytes.subarray(at, at + chunk))
  return reader.end()
}

/** The archive with bytes of its first header replaced and the header's sum put right again. */
const reheaded = (offset: number, bytes: Uint8Array): Uint8Array => {
  const copy = new Uint8Array(GOOD)
  copy.set(bytes, offset)
  copy.set(text("        "), 148)
  const sum = copy.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  copy.set(text(`${sum.toString(8).padStart(6, "0")}\0 `), 148)
  return copy
}

const failure = (bytes: Uint8Array): string | undefined => {
  const contents = read(bytes)
  return Result.isFailure(contents) ? contents.failure : undefined
}

it("reads paths, modes, sizes and digests, and keeps what it is asked to keep", () => {
  const contents = Result.getOrThrow(read(GOOD))
  expect(contents.top).toBe("top")
  expect([...contents.files].map(([path, { bytes, mode, size }]) => [path, mode, size, bytes?.length])).toEqual([
    ["bin/run", "755", 10, undefined],
    ["block", "644", 512, 512],
    ["empty", "644", 0, undefined],
    [`${"folder/".repeat(15)}größe`, "644", 1, undefined]
  ])
  expect(contents.files.get("empty")?.sha256).toMatch(/^e3b0c442/)
})

it.prop(
  "reads the same however the bytes are cut",
  { chunk: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_000 })) },
  ({ chunk }) => expect(read(GOOD, chunk)).toEqual(read(GOOD)),
  { arbitrary: { runs: 100 } }
)

it.prop(
  "refuses every archive that ends early",
  { end: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: GOOD.length - 1 })) },
  ({ end }) => expect(Result.isFailure(read(GOOD.subarray(0, end)))).toBe(true),
  { arbitrary: { runs: 200 } }
)

it.prop(
  "never throws, whatever the bytes are",
  { place: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: GOOD.length - 1 })), bytes: Schema.Uint8Array },
  ({ bytes, place }) => {
    const copy = new Uint8Array(GOOD)
    copy.set(bytes.subarray(0, copy.length - place), place)
    const contents = read(copy)
    expect(Result.isFailure(contents) || contents.success.files.size <= ENTRIES.length).toBe(true)
    expect(() => read(bytes)).not.toThrow()
  },
  { arbitrary: { runs: 300 } }
)

describe("refused", () => {
  it.each<readonly [string, Uint8Array, RegExp]>([
    ["nothing at all", new Uint8Array(), /ends too early/],
    ["an empty archive", new Uint8Array(1_024), /is empty/],
    ["bytes behind the end", new Uint8Array([...GOOD, ...GOOD]), /goes on after its end/],
    ["another sum", new Uint8Array([1, ...GOOD.subarray(1)]), /no POSIX ustar archive/],
    ["the format of GNU", reheaded(257, text("ustar  \0")), /no POSIX ustar archive/],
    ["a symbolic link", reheaded(156, text("2")), /neither a file nor a folder/],
    ["a device", reheaded(156, text("3")), /neither a file nor a folder/],
    ["a long name's header", reheaded(156, text("L")), /neither a file nor a folder/],
    ["an extended header", reheaded(156, text("x")), /neither a file nor a folder/],
    ["a folder that is named like a file", reheaded(156, text("5")), /contradicts itself/],
    ["an owner", reheaded(108, text("0001750")), /has an owner/],
    ["a group", reheaded(116, text("0001750")), /has an owner/],
    ["a set-id bit", reheaded(100, text("0004755")), /neither 644 nor 755/],
    ["a file that all may write", reheaded(100, text("0000666")), /neither 644 nor 755/],
    ["a path that is not UTF-8", reheaded(4, new Uint8Array([0xff])), /not UTF-8/],
    [
      "a path that leaves the top folder",
      reheaded(0, text("top/../run\0")),
      /a path with an empty segment, \. or \.\./
    ],
    ["an absolute path", reheaded(0, text("/op/bin/run")), /./],
    ["a path without a top folder", reheaded(0, text("run\0")), /not below the one top folder/],
    ["a second top folder", reheaded(0, text("pot/bin/run")), /not below the one top folder/],
    ["a size that is no number", reheaded(124, text("x")), /contradicts itself/],
    ["a file larger than the archive", reheaded(124, text("77777777777")), /./]
  ])("%s", (_, bytes, reason) => expect(failure(bytes)).toMatch(reason))

  it("a path twice", () => {
    const twice = tar([
      { path: "top/a", bytes: text("1") },
      { path: "top/a", bytes: text("2") }
    ])
    expect(failure(twice)).toBe("top/a is there twice")
  })
})

describe("its bounds", () => {
  it("keeps a file of as many bytes as it may, and refuses one more", () => {
    const sized = (size: number) => tarHeader("top/block", size)
    const reader = (size: number) => tarReader((path) => path === "block").push(sized(size))
    expect(reader(LIMITS.keptBytes)).toBe(undefined)
    expect(reader(LIMITS.keptBytes + 1)).toBe("top/block is too large")
  })

  it("takes as many entries as it may, and refuses one more", { timeout: 120_000 }, () => {
    const reader = tarReader(() => false)
    const push = (name: string) => reader.push(tarHeader(`top/${name}`, 0))
    for (let at = 0; at < LIMITS.treeEntries; at++) if (push(String(at)) !== undefined) expect(at).toBe(-1)
    expect(push("more")).toBe("it has too many entries")
  })

  it("takes as many bytes as it may, and refuses one more", () => {
    const reader = tarReader(() => false)
    const zeros = new Uint8Array(1 << 20)
    for (let at = 0; at < LIMITS.unpackedBytes; at += zeros.length) expect(reader.push(zeros)).toBe(undefined)
    expect(reader.push(new Uint8Array(1))).toBe(`it unpacks to more than ${LIMITS.unpackedBytes} bytes`)
  })
})

/** The header of a file, without its bytes. */
const tarHeader = (path: string, size: number): Uint8Array => {
  const block = new Uint8Array(tar([{ path, bytes: text("") }]).subarray(0, 512))
  block.set(text(`${size.toString(8).padStart(11, "0")}\0        `), 124)
  block.set(text("        "), 148)
  block.set(text("00000000000\0"), 136)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.set(text(`${sum.toString(8).padStart(6, "0")}\0 `), 148)
  return block
}

it("reads what the system's tar packs in that format", () => {
  writeFileSync(join(folder, "file"), "content")
  const flags = ["--format=ustar", "--owner=0", "--group=0", "--mode=644", "--transform=s,^,top/,"]
  expect(spawnSync("tar", [...flags, "-cf", "x.tar", "file"], { cwd: folder }).status).toBe(0)
  const contents = Result.getOrThrow(read(readFileSync(join(folder, "x.tar"))))
  expect([...contents.files.keys()]).toEqual(["file"])
})
