/**
 * Deterministic archives: the same files give the same bytes on every machine, at every time, for every user.
 *
 * POSIX ustar with numeric owner 0, sorted entries, normalised modes and one time for all; gzip without name or time.
 */
import { createHash } from "node:crypto"
import { closeSync, openSync, readdirSync, readSync, statSync, writeSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"

export interface TarEntry {
  /** POSIX path inside the archive; at most 100 bytes, or split by a slash into 155 and 100. */
  readonly path: string
  readonly bytes: Uint8Array
  readonly executable?: boolean
}

const BLOCK = 512

/** What npm writes for every file: 1985-10-26, since some tools refuse the epoch itself. */
export const FIXED_TIME = 499_162_500

const encoder = new TextEncoder()

const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, "0")}\0`

const split = (path: string): readonly [prefix: string, name: string] => {
  if (encoder.encode(path).length <= 100) return ["", path]
  for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)]
    if (name !== "" && encoder.encode(prefix).length <= 155 && encoder.encode(name).length <= 100) return [prefix, name]
  }
  throw new RangeError(`${path} is too long for an archive`)
}

interface Header {
  /** A folder's ends with a slash. */
  readonly path: string
  readonly size: number
  readonly executable: boolean
  /** Seconds since 1970. */
  readonly time: number
}

const header = ({ executable, path, size, time }: Header): Uint8Array => {
  const block = new Uint8Array(BLOCK)
  const put = (offset: number, text: string) => block.set(encoder.encode(text), offset)
  const [prefix, name] = split(path)
  put(0, name)
  put(100, octal(executable ? 0o755 : 0o644, 8))
  put(108, octal(0, 8))
  put(116, octal(0, 8))
  put(124, octal(size, 12))
  put(136, octal(time, 12))
  put(148, "        ")
  put(156, path.endsWith("/") ? "5" : "0")
  put(257, "ustar\u000000")
  put(345, prefix)
  put(
    148,
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      7
    )} `
  )
  return block
}

const padding = (size: number): Uint8Array => new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK)

const END = new Uint8Array(BLOCK * 2)

const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0

/** The archive of the entries in the order of their paths. */
export const tar = (entries: ReadonlyArray<TarEntry>): Uint8Array => {
  const blocks = entries
    .toSorted(byPath)
    .flatMap(({ bytes, executable = false, path }) => [
      header({ path, executable, size: bytes.length, time: FIXED_TIME }),
      bytes,
      padding(bytes.length)
    ])
  return Buffer.concat([...blocks, END])
}

export const tarGz = (entries: ReadonlyArray<TarEntry>): Uint8Array => gzipSync(tar(entries), { level: 9 })

/** How much of a file is in memory at once. */
const CHUNK = 1_048_576

/**
 * Writes the archive of a folder of regular files to a file; folders have entries too. Throws when there is anything else in it.
 *
 * @param name the archive's top folder
 * @param time of all entries, in seconds since 1970
 * @returns the archive's SHA-256
 */
export const writeTar = (folder: string, name: string, time: number, file: string): string => {
  const hash = createHash("sha256")
  const output = openSync(file, "w", 0o644)
  const put = (bytes: Uint8Array): void => {
    hash.update(bytes)
    for (let at = 0; at < bytes.length; ) at += writeSync(output, bytes, at)
  }
  const chunk = new Uint8Array(CHUNK)
  const putFile = (path: string, size: number): void => {
    const input = openSync(path, "r")
    let total = 0
    for (let count = readSync(input, chunk); count > 0; count = readSync(input, chunk)) {
      put(chunk.subarray(0, count))
      total += count
    }
    closeSync(input)
    if (total !== size) throw new Error(`${path} changed while it was packed`)
    put(padding(size))
  }
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const inside = join(entry.parentPath, entry.name).slice(folder.length)
    if (entry.isDirectory()) return { path: `${name}${inside}/`, folder: true }
    if (entry.isFile()) return { path: `${name}${inside}`, folder: false }
    throw new Error(`${inside} is neither a file nor a folder`)
  })
  for (const entry of [{ path: `${name}/`, folder: true }, ...entries.toSorted(byPath)]) {
    if (entry.folder) {
      put(header({ path: entry.path, size: 0, executable: true, time }))
      continue
    }
    const place = folder + entry.path.slice(name.length)
    const { mode, size } = statSync(place)
    put(header({ path: entry.path, size, executable: (mode & 0o111) !== 0, time }))
    putFile(place, size)
  }
  put(END)
  closeSync(output)
  return hash.digest("hex")
}
