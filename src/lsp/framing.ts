/**
 * Bytes to message bodies and back (LSP 3.17, Base Protocol). The library's buffer finds header parts; this module holds it to the
 * bounds and to what a header may say.
 *
 * Guarantees: chunk boundaries mean nothing; at most one body and one chunk are held; a body beyond its bound is refused before it
 * is read; after a problem nothing is read any more, since where the next message begins would be a guess.
 */
import { Result } from "effect"
import { AbstractMessageBuffer } from "vscode-jsonrpc"
import { LIMITS } from "./limits.ts"

export interface FrameReader {
  readonly append: (chunk: Uint8Array) => void
  /** The next complete body; undefined when more bytes are needed; fails for ever once the framing is broken. */
  readonly next: () => Result.Result<Uint8Array | undefined, string>
  /** How many bytes of an incomplete message there are. */
  readonly pending: () => number
}

const latin1 = new TextDecoder("latin1")
const encoder = new TextEncoder()

/** The library's buffer over plain bytes. Headers are read as Latin-1, so that what is not ASCII shows. */
class ByteBuffer extends AbstractMessageBuffer {
  protected override emptyBuffer(): Uint8Array {
    return new Uint8Array()
  }
  protected override fromString(value: string): Uint8Array {
    return encoder.encode(value)
  }
  protected override toString(value: Uint8Array): string {
    return latin1.decode(value)
  }
  protected override asNative(buffer: Uint8Array, length?: number): Uint8Array {
    return buffer.subarray(0, length)
  }
  protected override allocNative(length: number): Uint8Array {
    return new Uint8Array(length)
  }
}

const PRINTABLE = /^[\t\x20-\x7e]*$/
const UTF8 = /^utf-?8$/i

/** What is wrong with a media type, if anything: its charset has to be UTF-8. */
const contentTypeProblem = (value: string): string | undefined => {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)"?/i.exec(value)?.[1]
  return charset === undefined || UTF8.test(charset) ? undefined : `the charset ${charset} is not supported, only utf-8`
}

const lengthOf = (headers: ReadonlyMap<string, string>): Result.Result<number, string> => {
  for (const [name, value] of headers) {
    if (!PRINTABLE.test(name) || !PRINTABLE.test(value)) return Result.fail("a header is not ASCII")
  }
  const problem = contentTypeProblem(headers.get("content-type") ?? "")
  if (problem !== undefined) return Result.fail(problem)
  const value = headers.get("content-length")
  if (value === undefined) return Result.fail("a header part has no Content-Length")
  if (!/^\d{1,16}$/.test(value)) return Result.fail(`Content-Length is ${JSON.stringify(value.slice(0, 40))}`)
  const length = Number(value)
  if (length > LIMITS.bodyBytes) {
    return Result.fail(`a message has ${length} bytes, and at most ${LIMITS.bodyBytes} are read`)
  }
  return Result.succeed(length)
}

export const makeFrameReader = (): FrameReader => {
  const buffer = new ByteBuffer()
  let awaited: number | undefined
  let broken: string | undefined
  const fail = (problem: string): Result.Result<never, string> => {
    broken = problem
    return Result.fail(problem)
  }
  const header = (): Result.Result<number | undefined, string> => {
    const before = buffer.numberOfBytes
    const read = Result.try({ try: () => buffer.tryReadHeaders(true), catch: () => "a header has no colon" })
    if (Result.isFailure(read)) return Result.fail(read.failure)
    const bytes = read.success === undefined ? before : before - buffer.numberOfBytes
    // Of an incomplete header part, one more byte than allowed is enough to know.
    if (bytes > LIMITS.headerBytes) {
      return Result.fail(`a header part has more than ${LIMITS.headerBytes} bytes`)
    }
    return read.success === undefined ? Result.succeed(undefined) : lengthOf(read.success)
  }
  return {
    append: (chunk) => {
      if (broken === undefined && chunk.length > 0) buffer.append(chunk)
    },
    pending: () => buffer.numberOfBytes + (awaited === undefined ? 0 : 1),
    next: () => {
      if (broken !== undefined) return Result.fail(broken)
      if (awaited === undefined) {
        const length = header()
        if (Result.isFailure(length)) return fail(length.failure)
        if (length.success === undefined) return Result.succeed(undefined)
        awaited = length.success
      }
      const body = buffer.tryReadBody(awaited)
      if (body !== undefined) awaited = undefined
      return Result.succeed(body)
    }
  }
}

/** A message as bytes, header part included. */
export const encodeFrame = (message: object): Uint8Array => {
  const body = encoder.encode(JSON.stringify(message))
  const head = encoder.encode(`Content-Length: ${body.length}\r\n\r\n`)
  const frame = new Uint8Array(head.length + body.length)
  frame.set(head)
  frame.set(body, head.length)
  return frame
}
