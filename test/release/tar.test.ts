/** Archives are the same bytes whatever the order of their entries, and the system's tar reads them. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { FIXED_TIME, type TarEntry, tar, tarGz } from "../../release/tar.ts"

const text = (value: string) => new TextEncoder().encode(value)

const long = `${"folder/".repeat(15)}file with é.txt`

const entries: ReadonlyArray<TarEntry> = [
  { path: "b", bytes: text("x".repeat(512)) },
  { path: "a/run", bytes: text("#!/bin/sh\n"), executable: true },
  { path: "a/empty", bytes: text("") },
  { path: long, bytes: text("1") }
]

it("does not depend on the order of entries", () => {
  expect(Buffer.from(tarGz(entries.toReversed()))).toEqual(Buffer.from(tarGz(entries)))
})

it("is what tar reads: names, contents, modes and times", () => {
  const folder = mkdtempSync(join(tmpdir(), "effx-tar-"))
  try {
    writeFileSync(join(folder, "x.tar"), tar(entries))
    execFileSync("tar", ["-xpf", "x.tar"], { cwd: folder })
    for (const { bytes, executable = false, path } of entries) {
      const { mode, mtimeMs } = statSync(join(folder, path))
      expect([mode & 0o777, mtimeMs]).toEqual([executable ? 0o755 : 0o644, FIXED_TIME * 1000])
      expect(new Uint8Array(readFileSync(join(folder, path)))).toEqual(new Uint8Array(bytes))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

it("refuses a path that the format cannot hold", () => {
  expect(() => tar([{ path: "x".repeat(101), bytes: text("") }])).toThrow(RangeError)
})
