/**
 * The package's one host module: descriptors. What is verified must be read through a descriptor that follows no link and stays
 * open, which no service offers; and hashing comes before anything may wait. Nothing here throws: what cannot be done says why.
 */
import { spawn } from "node:child_process"
import { createHash, createPublicKey, verify } from "node:crypto"
import * as fs from "node:fs"
import { gunzipSync } from "node:zlib"
import { LIMITS } from "./limits.ts"

/** Why the system refused, such as `ENOENT`. */
export type Refusal = { readonly _tag: "Refused"; readonly code: string }

export type EntryKind = "file" | "folder" | "link" | "other"

/** What is at a path, without following a link there. */
export interface Status {
  readonly kind: EntryKind
  /** The lowest twelve bits: permissions, set-id and sticky. */
  readonly mode: number
  readonly size: number
  /** Device and file number: the same for as long as it is the same file. */
  readonly identity: string
}

export interface Entry {
  readonly name: string
  readonly kind: EntryKind
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : String(error)

const attempt = <A>(run: () => A): A | Refusal => {
  try {
    return run()
  } catch (error) {
    return { _tag: "Refused", code: codeOf(error) }
  }
}

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === "object" && value !== null && "_tag" in value && value._tag === "Refused"

const kindOf = (entry: fs.Stats | fs.Dirent): EntryKind =>
  entry.isFile() ? "file" : entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "other"

const statusOf = (stats: fs.Stats): Status => ({
  kind: kindOf(stats),
  mode: stats.mode & 0o7777,
  size: stats.size,
  identity: `${stats.dev}:${stats.ino}`
})

/** What is at a path; links are not followed. */
export const status = (path: string): Status | Refusal => attempt(() => statusOf(fs.lstatSync(path)))

/** The entries of a folder, in no particular order. */
export const entries = (folder: string): ReadonlyArray<Entry> | Refusal =>
  attempt(() =>
    fs.readdirSync(folder, { withFileTypes: true }).map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
  )

/** The path with every link resolved. */
export const realPath = (path: string): string | Refusal => attempt(() => fs.realpathSync.native(path))

/**
 * Opens a file for reading; refuses a link at the path's end with `ELOOP`. A pipe does not block: it is opened without waiting for
 * a writer, and its status says that it is no regular file.
 */
export const open = (path: string): number | Refusal =>
  attempt(() => fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK))

export const statusOfDescriptor = (descriptor: number): Status | Refusal =>
  attempt(() => statusOf(fs.fstatSync(descriptor)))

export const close = (descriptor: number): void => {
  attempt(() => fs.closeSync(descriptor))
}

/** All bytes behind a descriptor, from its start, wherever it stands. */
export const bytesOfDescriptor = (descriptor: number, size: number): Uint8Array | Refusal =>
  attempt(() => {
    const bytes = new Uint8Array(size)
    let at = 0
    while (at < size) {
      const count = fs.readSync(descriptor, bytes, at, size - at, at)
      if (count === 0) return bytes.subarray(0, at)
      at += count
    }
    return bytes
  })

/** Below this, a buffer of the file's own size costs less than the first use of a whole block. */
const SMALL = 131_072

let block: Uint8Array | undefined

const bufferFor = (size: number): Uint8Array => {
  if (size < SMALL) return new Uint8Array(size + 1)
  block ??= new Uint8Array(LIMITS.hashBlock)
  return block
}

/**
 * The SHA-256 of what is behind a descriptor, from its start, and how many bytes that were. One block is in memory at a time, and
 * reading stops one byte after `expectedSize`.
 */
export const hashOfDescriptor = (
  descriptor: number,
  expectedSize: number
): { readonly sha256: string; readonly size: number } | Refusal =>
  attempt(() => {
    const buffer = bufferFor(expectedSize)
    const hash = createHash("sha256")
    let at = 0
    while (at <= expectedSize) {
      const count = fs.readSync(descriptor, buffer, 0, Math.min(buffer.length, expectedSize + 1 - at), at)
      if (count === 0) break
      hash.update(buffer.subarray(0, count))
      at += count
    }
    return { sha256: hash.digest("hex"), size: at }
  })

/** SHA-256 of bytes in lower-case hex. */
export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/** SHA-256 of bytes that come one after the other. */
export interface Sha256Stream {
  readonly update: (bytes: Uint8Array) => void
  /** In lower-case hex; ends the stream. */
  readonly hex: () => string
}

export const sha256Stream = (): Sha256Stream => {
  const hash = createHash("sha256")
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest("hex") }
}

/** SHA-256 of bytes without one stretch of them. */
export const sha256Without = (bytes: Uint8Array, from: number, to: number): string =>
  createHash("sha256").update(bytes.subarray(0, from)).update(bytes.subarray(to)).digest("hex")

/** How `needle` occurs in `bytes`: where first, or -1. */
export const indexOfBytes = (bytes: Uint8Array, needle: string): number =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(needle)

/** What gzip packed. */
export const gunzip = (bytes: Uint8Array): Uint8Array | Refusal =>
  attempt(() => gunzipSync(bytes, { maxOutputLength: LIMITS.unpackedBytes }))

export const processId: number = process.pid

/** Whether a path leads to a folder, links followed. */
export const isFolder = (path: string): boolean => {
  const stats = attempt(() => fs.statSync(path))
  return !isRefusal(stats) && stats.isDirectory()
}

/** Whether a path leads to a file that may be executed, links followed. */
export const isExecutable = (path: string): boolean =>
  !isRefusal(attempt(() => fs.accessSync(path, fs.constants.X_OK))) && !isFolder(path)

/**
 * All bytes of a regular file, links followed.
 *
 * @returns `undefined` when there are more than `most`
 */
export const bytesOfFile = (path: string, most: number): Uint8Array | Refusal | undefined => {
  const descriptor = attempt(() => fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK))
  if (isRefusal(descriptor)) return descriptor
  const found = statusOfDescriptor(descriptor)
  const bytes = isRefusal(found)
    ? found
    : found.kind !== "file"
      ? ({ _tag: "Refused", code: "no regular file" } as const)
      : found.size > most
        ? undefined
        : bytesOfDescriptor(descriptor, found.size)
  close(descriptor)
  return bytes
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** What base64 encodes, by the standard alphabet with padding; `undefined` when the text is none. */
export const fromBase64 = (text: string): Uint8Array | undefined =>
  BASE64.test(text) ? new Uint8Array(Buffer.from(text, "base64")) : undefined

export interface PublicKey {
  /** SHA-256 of the SubjectPublicKeyInfo in lower-case hex. */
  readonly id: string
  readonly verifies: (message: Uint8Array, signature: Uint8Array) => boolean
}

/** The Ed25519 public key of a PEM file; `undefined` when it is something else. A private key is something else. */
export const ed25519PublicKey = (pem: Uint8Array): PublicKey | undefined => {
  const text = Buffer.from(pem).toString("latin1")
  if (!text.includes("-----BEGIN PUBLIC KEY-----")) return undefined
  const key = attempt(() => createPublicKey(text))
  if (isRefusal(key) || key.asymmetricKeyType !== "ed25519") return undefined
  const encoded = key.export({ type: "spki", format: "der" })
  return {
    id: sha256(encoded),
    verifies: (message, signature) => attempt(() => verify(null, message, key, signature)) === true
  }
}

/**
 * Unpacks bytes through a program that reads xz from standard input and writes to standard output.
 *
 * @param take gets what is unpacked; unpacking stops once it returns a problem
 * @param end gets that problem, or what the program failed with, or nothing; called once
 * @returns stops the program
 */
export const unpack = (
  program: string,
  bytes: Uint8Array,
  take: (chunk: Uint8Array) => string | undefined,
  end: (problem: string | undefined) => void
): (() => void) => {
  const child = spawn(program, ["--decompress", "--stdout", "--format=xz"], {
    cwd: "/",
    env: { LC_ALL: "C" },
    stdio: ["pipe", "pipe", "pipe"]
  })
  let problem: string | undefined
  let said = ""
  let isEnded = false
  const finish = (found: string | undefined): void => {
    if (isEnded) return
    isEnded = true
    end(found)
  }
  const stop = (): void => void child.kill("SIGKILL")
  child.on("error", (error) => finish(`${program} cannot be started: ${codeOf(error)}`))
  child.stdout.on("data", (chunk: Uint8Array) => {
    if (problem !== undefined) return
    problem = take(chunk)
    if (problem !== undefined) stop()
  })
  child.stderr.on("data", (chunk: Uint8Array) => {
    said = `${said}${String(chunk)}`.slice(0, LIMITS.quotedReason)
  })
  // It stops reading when the bytes are no xz file.
  child.stdin.on("error", () => undefined)
  child.stdin.end(bytes)
  child.on("close", (code) => finish(problem ?? (code === 0 ? undefined : (said.split("\n")[0] ?? "nothing of xz"))))
  return stop
}

/** The version of the C library that runs this process, where it is glibc. */
export const glibcVersion = (): string | undefined => {
  const report = process.report.getReport() as { readonly header?: { readonly glibcVersionRuntime?: string } }
  return /^\d+(\.\d+)+/.exec(report.header?.glibcVersionRuntime ?? "")?.[0]
}
