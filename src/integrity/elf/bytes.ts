/**
 * Little-endian reads from bytes that nobody vouches for. Every read is bounded: outside of the file it answers `undefined`,
 * never a wrong number.
 */
export interface Bytes {
  readonly length: number
  readonly u8: (at: number) => number | undefined
  readonly u16: (at: number) => number | undefined
  readonly u32: (at: number) => number | undefined
  /** A 64-bit field; `undefined` also where it exceeds what a file offset can be. */
  readonly u64: (at: number) => number | undefined
  /** The text before the next zero byte; `undefined` when it is longer than `limit`, unterminated or not UTF-8. */
  readonly text: (at: number, limit: number) => string | undefined
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

export const bytesOf = (array: Uint8Array): Bytes => {
  const view = new DataView(array.buffer, array.byteOffset, array.byteLength)
  const within = (at: number, size: number) => Number.isSafeInteger(at) && at >= 0 && at + size <= array.byteLength
  return {
    length: array.byteLength,
    u8: (at) => (within(at, 1) ? view.getUint8(at) : undefined),
    u16: (at) => (within(at, 2) ? view.getUint16(at, true) : undefined),
    u32: (at) => (within(at, 4) ? view.getUint32(at, true) : undefined),
    u64: (at) => {
      if (!within(at, 8)) return undefined
      const value = view.getBigUint64(at, true)
      return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : undefined
    },
    text: (at, limit) => {
      if (!within(at, 1)) return undefined
      const end = array.subarray(at, Math.min(array.length, at + limit + 1)).indexOf(0)
      return end < 0 ? undefined : decode(array.subarray(at, at + end))
    }
  }
}
