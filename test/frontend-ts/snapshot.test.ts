/** The snapshot is one coherent, immutable, total view of disk and overlays, and its ledger says what was asked. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { aliased } from "../../src/frontend-ts/aliased.ts"
import type { Input } from "../../src/frontend-ts/ledger.ts"
import { takeSnapshot } from "../../src/frontend-ts/snapshot.ts"

const inFolder = (run: (folder: string) => void): void => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "effx-snapshot-")))
  try {
    run(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
const find = (inputs: ReadonlyArray<Input>, path: string): Input | undefined =>
  inputs.find((each) => each.path === path)

describe("a snapshot", () => {
  it("answers the same for as long as it lives", () =>
    inFolder((folder) => {
      const file = join(folder, "a.ts")
      writeFileSync(file, "one")
      const snapshot = takeSnapshot()
      expect(snapshot.readFile(file)).toBe("one")
      expect(snapshot.fileExists(join(folder, "b.ts"))).toBe(false)
      writeFileSync(file, "two")
      writeFileSync(join(folder, "b.ts"), "")
      expect(snapshot.readFile(file)).toBe("one")
      expect(snapshot.fileExists(join(folder, "b.ts"))).toBe(false)
      const next = snapshot.next({ changed: [file], created: [join(folder, "b.ts")], deleted: [] }, new Map())
      expect(next.readFile(file)).toBe("two")
      expect(next.fileExists(join(folder, "b.ts"))).toBe(true)
    }))

  it("shows overlays to every kind of question, also in folders that do not exist", () =>
    inFolder((folder) => {
      const file = join(folder, "new/deep/a.ts")
      const snapshot = takeSnapshot(new Map([[file, "text"]]))
      expect(snapshot.readFile(file)).toBe("text")
      expect(snapshot.fileExists(file)).toBe(true)
      expect(snapshot.directoryExists(join(folder, "new"))).toBe(true)
      expect(snapshot.directoryExists(join(folder, "new/deep"))).toBe(true)
      expect(snapshot.fileExists(join(folder, "new"))).toBe(false)
      expect(snapshot.entries(folder)).toMatchObject({ files: [], directories: ["new"] })
      expect(snapshot.entries(join(folder, "new/deep"))).toMatchObject({ files: ["a.ts"], directories: [] })
      expect(snapshot.realpath(file)).toBe(file)
    }))

  it("hides a file that an overlay takes away", () =>
    inFolder((folder) => {
      const file = join(folder, "a.ts")
      writeFileSync(file, "text")
      const snapshot = takeSnapshot(new Map([[file, undefined]]))
      expect(snapshot.readFile(file)).toBeUndefined()
      expect(snapshot.fileExists(file)).toBe(false)
      expect(snapshot.entries(folder).files).toEqual([])
    }))

  it("finds an overlay that was opened under a link", () =>
    inFolder((folder) => {
      mkdirSync(join(folder, "real"))
      writeFileSync(join(folder, "real/a.ts"), "disk")
      symlinkSync("real", join(folder, "link"))
      const snapshot = takeSnapshot(new Map([[join(folder, "link/a.ts"), "overlay"]]))
      expect(snapshot.readFile(join(folder, "real/a.ts"))).toBe("overlay")
      expect(snapshot.readFile(join(folder, "link/a.ts"))).toBe("overlay")
    }))

  it("has an overlay under the links that lead to it, as long as they do, and lets one of its own win", () =>
    inFolder((folder) => {
      for (const name of ["target", "target2"]) mkdirSync(join(folder, name))
      symlinkSync("target", join(folder, "link"))
      const links = new Map([[join(folder, "link"), join(folder, "target")]])
      const overlays = new Map([
        [join(folder, "target/a.ts"), "a"],
        [join(folder, "target2/b.ts"), "b"]
      ])
      expect([...aliased(overlays, links)]).toEqual([...overlays, [join(folder, "link/a.ts"), "a"]])
      const own = new Map([...overlays, [join(folder, "link/a.ts"), "own"]])
      expect([...aliased(own, links)]).toEqual([...own])
      rmSync(join(folder, "link"))
      symlinkSync("target2", join(folder, "link"))
      expect([...aliased(overlays, links)]).toEqual([...overlays])
    }))

  it("learns of links to the folder of an overlay that has no file yet from questions for what is missing", () =>
    inFolder((folder) => {
      mkdirSync(join(folder, "target"))
      symlinkSync("target", join(folder, "link"))
      const learnt = (overlays: ReadonlyMap<string, string>) => {
        const snapshot = takeSnapshot(overlays)
        expect(snapshot.fileExists(join(folder, "link/a.ts"))).toBe(false)
        return aliased(overlays, snapshot.links()).get(join(folder, "link/a.ts"))
      }
      const overlays = new Map([[join(folder, "target/a.ts"), "a"]])
      expect(learnt(overlays)).toBe("a")
      writeFileSync(join(folder, "target/a.ts"), "on disk")
      // The engine asks where it really is, once it is there.
      expect(takeSnapshot(overlays).fileExists(join(folder, "link/a.ts"))).toBe(true)
    }))

  it("finds the link on the way, also where it is called as what it leads to", () =>
    inFolder((folder) => {
      mkdirSync(join(folder, "packages/users/src"), { recursive: true })
      mkdirSync(join(folder, "scope"))
      symlinkSync("../packages/users", join(folder, "scope/users"))
      writeFileSync(join(folder, "packages/users/src/a.ts"), "")
      const snapshot = takeSnapshot()
      for (const name of ["a.ts", "missing.ts", "missing/at/all.ts"]) {
        snapshot.realpath(join(folder, "scope/users/src", name))
        expect(snapshot.links()).toEqual(new Map([[join(folder, "scope/users"), join(folder, "packages/users")]]))
      }
    }))

  it("finds no link where a path is only spelt otherwise", () =>
    inFolder((folder) => {
      mkdirSync(join(folder, "a"))
      const snapshot = takeSnapshot()
      for (const path of [`${folder}/a/`, `${folder}/./a`, `${folder}//a`, "/./", "//"]) snapshot.realpath(path)
      expect(snapshot.links()).toEqual(new Map())
    }))

  it("lists links by what they lead to, and broken ones as files that are not there", () =>
    inFolder((folder) => {
      mkdirSync(join(folder, "dir"))
      symlinkSync("dir", join(folder, "to-dir"))
      symlinkSync("nowhere", join(folder, "broken"))
      symlinkSync("loop", join(folder, "loop"))
      const snapshot = takeSnapshot()
      expect(snapshot.entries(folder)).toEqual({
        files: ["broken", "loop"],
        directories: ["dir", "to-dir"],
        symlinks: ["broken", "loop", "to-dir"]
      })
      expect(snapshot.fileExists(join(folder, "broken"))).toBe(false)
      expect(snapshot.readFile(join(folder, "loop"))).toBeUndefined()
      expect(snapshot.fileExists(join(folder, "loop"))).toBe(false)
      expect(snapshot.realpath(join(folder, "loop"))).toBe(join(folder, "loop"))
    }))

  it("gives texts without byte-order mark and lone surrogates", () =>
    inFolder((folder) => {
      const file = join(folder, "a.ts")
      writeFileSync(file, "\uFEFFtext")
      const overlay = join(folder, "b.ts")
      const snapshot = takeSnapshot(new Map([[overlay, "\uFEFFa\uD800b"]]))
      expect([snapshot.readFile(file), snapshot.hadMark(file)]).toEqual(["text", true])
      expect([snapshot.readFile(overlay), snapshot.hadMark(overlay)]).toEqual(["a\uFFFDb", true])
    }))

  it.prop("never throws and never blocks, whatever is asked", { name: Schema.String }, ({ name }) => {
    const snapshot = takeSnapshot()
    for (const path of [`/tmp/${name}`, name, `${name}\u0000`, "/dev/zero", "/tmp"]) {
      snapshot.readFile(path)
      snapshot.fileExists(path)
      snapshot.directoryExists(path)
      snapshot.entries(path)
      snapshot.realpath(path)
    }
    expect(snapshot.readFile("/dev/zero")).toBeUndefined()
  })
})

describe("the ledger", () => {
  it("has every question with its answer, failed ones too", () =>
    inFolder((folder) => {
      const file = join(folder, "a.ts")
      writeFileSync(file, "text")
      const snapshot = takeSnapshot()
      snapshot.readFile(file)
      snapshot.readFile(join(folder, "missing.ts"))
      snapshot.directoryExists(join(folder, "node_modules"))
      snapshot.entries(folder)
      const inputs = snapshot.inputs()
      expect(find(inputs, file)?.content?._tag).toBe("Content")
      expect(find(inputs, join(folder, "missing.ts"))?.content).toEqual({ _tag: "Missing" })
      expect(find(inputs, join(folder, "node_modules"))?.kind).toBe("none")
      expect(find(inputs, folder)?.entries).toBeDefined()
      expect(inputs.map(({ path }) => path)).toEqual(inputs.map(({ path }) => path).sort())
    }))

  it("is outdated exactly when the disk would answer otherwise", () =>
    inFolder((folder) => {
      const [a, missing] = [join(folder, "a.ts"), join(folder, "b.ts")]
      writeFileSync(a, "text")
      const snapshot = takeSnapshot()
      snapshot.readFile(a)
      snapshot.fileExists(missing)
      snapshot.entries(folder)
      expect(snapshot.outdated()).toBeUndefined()
      writeFileSync(a, "text")
      expect(snapshot.outdated()).toBeUndefined()
      writeFileSync(a, "other")
      expect(snapshot.outdated()).toEqual({ changed: [a], created: [], deleted: [] })
      writeFileSync(missing, "")
      expect(snapshot.outdated()).toEqual({ changed: [a], created: [missing], deleted: [] })
      rmSync(missing)
      writeFileSync(a, "text")
      expect(snapshot.outdated()).toBeUndefined()
      rmSync(a)
      expect(snapshot.outdated()).toEqual({ changed: [], created: [], deleted: [a] })
      mkdirSync(a)
      expect(snapshot.outdated()?.everything).toBe(true)
    }))

  it("keeps what an overlay answered apart from the disk", () =>
    inFolder((folder) => {
      const file = join(folder, "a.ts")
      writeFileSync(file, "disk")
      const snapshot = takeSnapshot(new Map([[file, "overlay"]]))
      snapshot.readFile(file)
      expect(find(snapshot.inputs(), file)?.overlay).toBe(true)
      writeFileSync(file, "other")
      expect(snapshot.outdated()).toBeUndefined()
    }))
})

describe("links", () => {
  it("that lead elsewhere void every answer", () =>
    inFolder((folder) => {
      const link = join(folder, "link")
      for (const name of ["one", "two"]) mkdirSync(join(folder, name))
      symlinkSync("one", link)
      const snapshot = takeSnapshot()
      expect(snapshot.realpath(link)).toBe(join(folder, "one"))
      expect(snapshot.outdated()).toBeUndefined()
      rmSync(link)
      symlinkSync("two", link)
      expect(snapshot.outdated()).toEqual({ changed: [link], created: [], deleted: [], everything: true })
    }))
})

describe("files of dependencies", () => {
  it("are read by the engine itself, and are in the ledger all the same", () =>
    inFolder((folder) => {
      const file = join(folder, "node_modules/p/index.d.ts")
      mkdirSync(join(folder, "node_modules/p"), { recursive: true })
      writeFileSync(file, "export {}")
      const snapshot = takeSnapshot()
      expect(snapshot.isPlain(file)).toBe(true)
      expect(snapshot.isPlain(join(folder, "node_modules/p/missing.d.ts"))).toBe(false)
      expect(snapshot.isPlain(join(folder, "node_modules/p/package.json"))).toBe(false)
      expect(find(snapshot.inputs(), file)?.content?._tag).toBe("Content")
      expect(snapshot.outdated()).toBeUndefined()
      writeFileSync(file, "export const a = 1")
      expect(snapshot.outdated()).toEqual({ changed: [file], created: [], deleted: [] })
    }))

  it("that change before they are hashed are stale for good", () =>
    inFolder((folder) => {
      const file = join(folder, "node_modules/index.d.ts")
      mkdirSync(join(folder, "node_modules"))
      writeFileSync(file, "export {}")
      const snapshot = takeSnapshot()
      expect(snapshot.isPlain(file)).toBe(true)
      writeFileSync(file, "export const a = 1")
      expect(snapshot.outdated()).toEqual({ changed: [file], created: [], deleted: [] })
    }))

  it("are ours when an overlay replaces them", () =>
    inFolder((folder) => {
      const file = join(folder, "node_modules/index.d.ts")
      const snapshot = takeSnapshot(new Map([[file, "export {}"]]))
      expect(snapshot.isPlain(file)).toBe(false)
      expect(snapshot.readFile(file)).toBe("export {}")
    }))
})
