/** The file header and the program headers: what the kernel and the loader map, and where. */
import { Result } from "effect"
import { LIMITS } from "../limits.ts"
import type { Bytes } from "./bytes.ts"
import { ElfError, malformed } from "./elf-error.ts"

export const PT = { LOAD: 1, DYNAMIC: 2, INTERP: 3, GNU_STACK: 0x6474e551, GNU_RELRO: 0x6474e552 } as const
export const PF = { X: 1, W: 2 } as const

export interface Segment {
  readonly type: number
  readonly flags: number
  readonly offset: number
  readonly address: number
  readonly fileSize: number
}

export interface Layout {
  readonly type: "EXEC" | "DYN"
  readonly machine: number
  readonly segments: ReadonlyArray<Segment>
}

/** Whether a file claims to be ELF. */
export const isElf = (bytes: Bytes): boolean => bytes.u32(0) === 0x464c457f

const PROGRAM_HEADER_BYTES = 56
const TYPES = new Map([
  [2, "EXEC"],
  [3, "DYN"]
] as const)

/** Reads the layout; every segment lies inside the file. */
export const readLayout = (bytes: Bytes): Result.Result<Layout, ElfError> => {
  if (!isElf(bytes)) return Result.fail(new ElfError({ reason: "NotElf", message: "it is not an ELF file" }))
  const [kind, order, type, machine] = [bytes.u8(4), bytes.u8(5), bytes.u16(16), bytes.u16(18)]
  const [table, entrySize, count] = [bytes.u64(32), bytes.u16(54), bytes.u16(56)]
  if (kind !== 2 || order !== 1) {
    return Result.fail(new ElfError({ reason: "Unsupported", message: "it is not 64-bit little-endian ELF" }))
  }
  if (table === undefined || machine === undefined || count === undefined || entrySize === undefined) {
    return Result.fail(malformed("its header is cut off"))
  }
  const program = TYPES.get(type as 2 | 3)
  if (program === undefined) {
    return Result.fail(new ElfError({ reason: "Unsupported", message: "it is neither a program nor a library" }))
  }
  if (count === 0 || count > LIMITS.elfSegments) return Result.fail(malformed(`it has ${count} segments`))
  if (entrySize !== PROGRAM_HEADER_BYTES) return Result.fail(malformed("its program headers have a wrong size"))
  const segments: Array<Segment> = []
  for (let index = 0; index < count; index++) {
    const at = table + index * PROGRAM_HEADER_BYTES
    const segment = segmentAt(bytes, at)
    if (segment === undefined) return Result.fail(malformed("its program headers end outside of the file"))
    if (segment.offset + segment.fileSize > bytes.length) {
      return Result.fail(malformed("a segment ends outside of the file"))
    }
    segments.push(segment)
  }
  return Result.succeed({ type: program, machine, segments })
}

const segmentAt = (bytes: Bytes, at: number): Segment | undefined => {
  const [type, flags, offset] = [bytes.u32(at), bytes.u32(at + 4), bytes.u64(at + 8)]
  const [address, fileSize] = [bytes.u64(at + 16), bytes.u64(at + 32)]
  return type === undefined ||
    flags === undefined ||
    offset === undefined ||
    address === undefined ||
    fileSize === undefined
    ? undefined
    : { type, flags, offset, address, fileSize }
}

/** Where in the file an address is mapped from; `undefined` where no segment covers it. */
export const offsetOf = (segments: ReadonlyArray<Segment>, address: number): number | undefined => {
  const segment = segments.find(
    (candidate) =>
      candidate.type === PT.LOAD && address >= candidate.address && address < candidate.address + candidate.fileSize
  )
  return segment === undefined ? undefined : segment.offset + (address - segment.address)
}
