/**
 * Reads what an ELF file says about itself.
 *
 * Total: whatever the bytes are, the answer is facts or an `ElfError`, after work bounded by the file's size. Judging the facts is
 * left to elf/policy.ts.
 */
import { Result } from "effect"
import { LIMITS } from "../limits.ts"
import { type Bytes, bytesOf } from "./bytes.ts"
import { type Dynamic, readDynamic } from "./dynamic.ts"
import { type ElfError, malformed } from "./elf-error.ts"
import type { ElfFacts } from "./facts.ts"
import { glibcFloorOf } from "./glibc-version.ts"
import { type Layout, PF, PT, readLayout } from "./segments.ts"
import { readVersions, type Versions } from "./versions.ts"

const MACHINES = new Map([
  [3, "x86"],
  [40, "arm"],
  [62, "x86-64"],
  [183, "aarch64"],
  [243, "riscv"]
])

const NO_VERSIONS: Versions = { needs: [], symbols: [] }

/** The facts of an ELF file. */
export const readElf = (array: Uint8Array): Result.Result<ElfFacts, ElfError> => {
  const bytes = bytesOf(array)
  return Result.flatMap(readLayout(bytes), (layout) =>
    Result.flatMap(interpreterOf(bytes, layout), (interpreter) =>
      Result.flatMap(readDynamic(bytes, layout.segments), (dynamic) =>
        Result.map(dynamic === undefined ? Result.succeed(NO_VERSIONS) : readVersions(bytes, dynamic), (versions) =>
          factsOf(layout, interpreter, dynamic, versions)
        )
      )
    )
  )
}

const interpreterOf = (bytes: Bytes, { segments }: Layout): Result.Result<string | undefined, ElfError> => {
  const segment = segments.find(({ type }) => type === PT.INTERP)
  if (segment === undefined) return Result.succeed(undefined)
  const text = bytes.text(segment.offset, Math.min(LIMITS.elfName, segment.fileSize))
  return text === undefined ? Result.fail(malformed("its interpreter is not a name")) : Result.succeed(text)
}

const factsOf = (
  { machine, segments, type }: Layout,
  interpreter: string | undefined,
  dynamic: Dynamic | undefined,
  { needs, symbols }: Versions
): ElfFacts => {
  const stack = segments.find((segment) => segment.type === PT.GNU_STACK)
  const floor = glibcFloorOf(needs)
  return {
    record: {
      bindNow: dynamic?.bindNow ?? false,
      class: "ELF64",
      executableStack: stack === undefined || (stack.flags & PF.X) !== 0,
      ...(floor !== undefined && { glibcFloor: floor }),
      ...(interpreter !== undefined && { interpreter }),
      machine: MACHINES.get(machine) ?? `machine ${machine}`,
      needed: dynamic?.needed ?? [],
      relro: segments.some((segment) => segment.type === PT.GNU_RELRO),
      ...(dynamic?.rpath !== undefined && { rpath: dynamic.rpath }),
      ...(dynamic?.runpath !== undefined && { runpath: dynamic.runpath }),
      ...(dynamic?.soname !== undefined && { soname: dynamic.soname }),
      textRelocations: dynamic?.textRelocations ?? false,
      type,
      versions: needs,
      writableCode: segments.some(({ flags, type }) => type === PT.LOAD && (flags & PF.X) !== 0 && (flags & PF.W) !== 0)
    },
    symbols
  }
}
