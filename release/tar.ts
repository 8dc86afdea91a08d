/**
 * Deterministic archives: the same files give the same bytes on every machine, at every time, for every user.
 *
 * POSIX ustar with numeric owner 0, sorted entries, normalised modes and one fixed time; gzip without name or time.
 */
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
    if (encoder.encode(prefix).length <= 155 && encoder.encode(name).length <= 100) return [prefix, name]
  }
  throw new RangeError(`${path} is too long for an archive`)
}

const header = (entry: TarEntry): Uint8Array => {
  const block = new Uint8Array(BLOCK)
  const put = (offset: number, text: string) => block.set(encoder.encode(text), offset)
  const [prefix, name] = split(entry.path)
  put(0, name)
  put(100, octal(entry.executable === true ? 0o755 : 0o644, 8))
  put(108, octal(0, 8))
  put(116, octal(0, 8))
  put(124, octal(entry.bytes.length, 12))
  put(136, octal(FIXED_TIME, 12))
  put(148, "        ")
  put(156, "0")
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

/** The archive of the entries in the order of their paths. */
export const tar = (entries: ReadonlyArray<TarEntry>): Uint8Array => {
  const sorted = entries.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  const blocks = sorted.flatMap((entry) => {
    const padding = new Uint8Array((BLOCK - (entry.bytes.length % BLOCK)) % BLOCK)
    return [header(entry), entry.bytes, padding]
  })
  return Buffer.concat([...blocks, new Uint8Array(BLOCK * 2)])
}

export const tarGz = (entries: ReadonlyArray<TarEntry>): Uint8Array => gzipSync(tar(entries), { level: 9 })
