/** Reads what lies at the places of an output set now, following no link below its folders. */
import { sha256Hex } from "@effx/ir"
import { Effect, FileSystem, Option, Path } from "effect"
import { errnoOf, explainErrno } from "../errno.ts"
import { OutputConflict } from "./errors.ts"
import { decodeJournal, decodeManifest, type Journal, type Manifest } from "./manifest.ts"
import { JOURNAL, MANIFEST, type OutputSet } from "./output-set.ts"
import type { Found, OutputFile, OutputState } from "./plan.ts"

const KINDS: Readonly<Record<string, string>> = {
  Directory: "a folder",
  SymbolicLink: "a symbolic link",
  FIFO: "a pipe",
  Socket: "a socket",
  BlockDevice: "a device",
  CharacterDevice: "a device"
}

const ABSENT: Found = { _tag: "Absent" }

const OUTSIDE: Found = {
  _tag: "Blocked",
  reason: "lies neither in the project nor in its outDir, so effx does not write it"
}

/** The bytes at a place, or what is there instead. */
const lookAt = Effect.fnUntraced(function* (set: OutputSet, name: string) {
  const path = yield* Path.Path
  const fs = yield* FileSystem.FileSystem
  const place = set.place(name)
  if (place === undefined) return { found: OUTSIDE }
  const parts = path.relative(place.base, place.file).split("/")
  let at = place.base
  for (const [index, part] of parts.entries()) {
    at = path.join(at, part)
    const info = yield* Effect.result(fs.lstat(at))
    if (info._tag === "Failure") {
      const errno = errnoOf(info.failure)
      if (errno === "ENOENT" || errno === "ENOTDIR") return { found: ABSENT }
      return { found: blocked(`cannot be examined: ${explainErrno(info.failure)}`) }
    }
    const last = index === parts.length - 1
    const kind = KINDS[info.success.type] ?? "something else"
    if (!last && info.success.type !== "Directory") {
      const shown = parts.slice(0, index + 1).join("/")
      return {
        found: blocked(`needs the folder ${shown}, but ${kind === "something else" ? "a file" : kind} is there`)
      }
    }
    if (last && info.success.type !== "File") {
      return { found: blocked(`cannot be written: ${kind} is in its place`) }
    }
  }
  const bytes = yield* Effect.result(fs.readFile(place.file))
  return bytes._tag === "Failure"
    ? { found: blocked(`cannot be read: ${explainErrno(bytes.failure)}`) }
    : { found: { _tag: "File", hash: sha256Hex(bytes.success) } satisfies Found as Found, bytes: bytes.success }
})

const blocked = (reason: string): Found => ({ _tag: "Blocked", reason })

/** What a set's records say and what lies on disk. */
export interface ReadState extends OutputState {
  readonly manifest: Manifest | undefined
  readonly journal: Journal | undefined
}

const foreignProject = (set: OutputSet, project: string) =>
  new OutputConflict({
    conflicts: [
      {
        path: MANIFEST,
        reason: `belongs to ${project}, so ${set.project} cannot use the same folder; give each project a folder of its own`
      }
    ]
  })

/**
 * Reads the state of a set.
 *
 * @param next what is about to be written, whose places are looked at too
 * @returns fails when another project of the folder owns the set
 */
export const readState = Effect.fnUntraced(function* (set: OutputSet, next: ReadonlyArray<OutputFile>) {
  const text = ({ bytes }: { readonly bytes?: Uint8Array }) =>
    bytes === undefined ? Option.none<string>() : Option.some(new TextDecoder().decode(bytes))
  const own = yield* lookAt(set, MANIFEST)
  const manifest = Option.getOrUndefined(Option.flatMap(text(own), decodeManifest))
  const journal = Option.getOrUndefined(Option.flatMap(text(yield* lookAt(set, JOURNAL)), decodeJournal))
  for (const record of [manifest, journal]) {
    if (record !== undefined && record.project !== set.project) return yield* foreignProject(set, record.project)
  }
  const owned = new Map<string, Set<string>>()
  const claim = (path: string, hashes: Iterable<string>) => {
    if (set.place(path) === undefined) return
    owned.set(path, new Set([...(owned.get(path) ?? []), ...hashes]))
  }
  for (const [path, hash] of Object.entries(manifest?.files ?? {})) claim(path, [hash])
  for (const [path, hashes] of Object.entries(journal?.files ?? {})) claim(path, hashes)
  // The record itself is ours by name; a damaged one counts as edited.
  claim(MANIFEST, manifest !== undefined && own.found._tag === "File" ? [own.found.hash] : [])
  const names = [...new Set([...next.map(({ path }) => path), ...owned.keys()])]
  const found = yield* Effect.forEach(
    names,
    (name) => Effect.map(lookAt(set, name), (result) => [name, result.found] as const),
    { concurrency: 16 }
  )
  const state: ReadState = { found: new Map(found), owned, manifest, journal }
  return state
})
