/**
 * Reads an archive of the form that effx packs, as it streams by: POSIX ustar, one top folder, regular files and folders of owner 0 with
 * the modes 644 and 755, each path once. Anything else is a reason to refuse, never an exception; memory is bounded.
 */
import { Result } from "effect"
import * as host from "../host.ts"
import { LIMITS } from "../limits.ts"
import { pathProblem } from "../path-rule.ts"
import { textOf } from "./json.ts"

export interface PackedFile {
  readonly mode: "644" | "755"
  readonly size: number
  readonly sha256: string
  /** Of files that are kept. */
  readonly bytes?: Uint8Array
}

export interface TarContents {
  /** The top folder's name. */
  readonly top: string
  /** By path below the top folder. */
  readonly files: ReadonlyMap<string, PackedFile>
  /** Of the uncompressed archive. */
  readonly sha256: string
  readonly size: number
}

export interface TarReader {
  /** Takes the next bytes; returns why the archive is refused as soon as that is known. */
  readonly push: (chunk: Uint8Array) => string | undefined
  readonly end: () => Result.Result<TarContents, string>
}

const BLOCK = 512

interface Header {
  readonly path: string
  readonly isFolder: boolean
  readonly mode: "644" | "755"
  readonly size: number
}

/** @param keeps which files' bytes are kept, by path below the top folder */
export const tarReader = (keeps: (path: string) => boolean): TarReader => {
  const whole = host.sha256Stream()
  const files = new Map<string, PackedFile>()
  const folders = new Set<string>()
  const block = new Uint8Array(BLOCK)
  let top: string | undefined
  let total = 0
  let filled = 0
  let zeroBlocks = 0
  let padding = 0
  let problem: string | undefined
  let current: (Header & { readonly hash: host.Sha256Stream; readonly kept: Uint8Array | undefined }) | undefined
  let left = 0

  const enter = (header: Header): string | undefined => {
    const slash = header.path.indexOf("/")
    const folder = slash < 0 ? header.path : header.path.slice(0, slash)
    top ??= folder
    if (folder !== top || slash < 0) return `${header.path} is not below the one top folder`
    const inside = header.path.slice(slash + 1).replace(/\/$/, "")
    if (header.isFolder) {
      if (folders.has(inside)) return `${header.path} is there twice`
      folders.add(inside)
      return folders.size + files.size > LIMITS.treeEntries ? "it has too many entries" : undefined
    }
    if (pathProblem(inside) !== undefined) return `it has ${pathProblem(inside)}`
    if (files.has(inside) || folders.has(inside)) return `${header.path} is there twice`
    if (folders.size + files.size >= LIMITS.treeEntries) return "it has too many entries"
    const isKept = keeps(inside)
    if (isKept && header.size > LIMITS.keptBytes) return `${header.path} is too large`
    current = {
      ...header,
      path: inside,
      hash: host.sha256Stream(),
      kept: isKept ? new Uint8Array(header.size) : undefined
    }
    left = header.size
    padding = (BLOCK - (header.size % BLOCK)) % BLOCK
    if (left === 0) leave()
    return undefined
  }

  const leave = (): void => {
    if (current === undefined) return
    const { hash, kept, mode, path, size } = current
    files.set(path, { mode, size, sha256: hash.hex(), ...(kept !== undefined && { bytes: kept }) })
    current = undefined
  }

  const header = (): string | undefined => {
    if (block.every((byte) => byte === 0)) {
      zeroBlocks++
      return undefined
    }
    if (zeroBlocks > 0) return "it goes on after its end"
    const read = readHeader(block)
    return Result.isFailure(read) ? read.failure : enter(read.success)
  }

  const body = (bytes: Uint8Array): void => {
    if (current === undefined) return
    current.hash.update(bytes)
    current.kept?.set(bytes, current.size - left)
    left -= bytes.length
    if (left === 0) leave()
  }

  const take = (chunk: Uint8Array): string | undefined => {
    for (let at = 0; at < chunk.length; ) {
      const rest = chunk.length - at
      if (current !== undefined) {
        const count = Math.min(left, rest)
        body(chunk.subarray(at, at + count))
        at += count
      } else if (padding > 0) {
        const count = Math.min(padding, rest)
        padding -= count
        at += count
      } else {
        const count = Math.min(BLOCK - filled, rest)
        block.set(chunk.subarray(at, at + count), filled)
        filled += count
        at += count
        if (filled < BLOCK) continue
        filled = 0
        const wrong = header()
        if (wrong !== undefined) return wrong
      }
    }
    return undefined
  }

  return {
    push: (chunk) => {
      if (problem !== undefined) return problem
      total += chunk.length
      if (total > LIMITS.unpackedBytes) problem = `it unpacks to more than ${LIMITS.unpackedBytes} bytes`
      else {
        whole.update(chunk)
        problem = take(chunk)
      }
      return problem
    },
    end: () => {
      if (problem !== undefined) return Result.fail(problem)
      if (current !== undefined || padding > 0 || filled > 0 || zeroBlocks < 2) return Result.fail("it ends too early")
      return top === undefined
        ? Result.fail("it is empty")
        : Result.succeed({ top, files, sha256: whole.hex(), size: total })
    }
  }
}

const OCTAL = /^[0-7]+$/

const readHeader = (block: Uint8Array): Result.Result<Header, string> => {
  const field = (from: number, size: number): string | undefined => {
    const bytes = block.subarray(from, from + size)
    const end = bytes.indexOf(0)
    return textOf(end < 0 ? bytes : bytes.subarray(0, end))
  }
  const number = (from: number, size: number): number | undefined => {
    const text = field(from, size)?.trim() ?? ""
    return OCTAL.test(text) ? Number.parseInt(text, 8) : undefined
  }
  const [name, prefix] = [field(0, 100), field(345, 155)]
  if (name === undefined || prefix === undefined) return Result.fail("it has a path that is not UTF-8")
  const path = prefix === "" ? name : `${prefix}/${name}`
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  if (field(257, 6) !== "ustar" || field(263, 2) !== "00" || number(148, 8) !== sum) {
    return Result.fail("it is no POSIX ustar archive")
  }
  const [mode, size, type] = [number(100, 8), number(124, 12), field(156, 1)]
  const isFolder = type === "5"
  if (type !== "0" && !isFolder) return Result.fail(`${path} is neither a file nor a folder`)
  if (isFolder !== path.endsWith("/") || (isFolder && size !== 0) || size === undefined) {
    return Result.fail(`${path} contradicts itself`)
  }
  if (number(108, 8) !== 0 || number(116, 8) !== 0) return Result.fail(`${path} has an owner`)
  if (mode !== 0o644 && mode !== 0o755) return Result.fail(`${path} has a mode that is neither 644 nor 755`)
  return Result.succeed({ path, isFolder, mode: mode === 0o755 ? "755" : "644", size })
}
