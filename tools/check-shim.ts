/**
 * `tools/check-shim.ts FILE`: the compiled shim loads, answers with the ABI number that `@effx/stdio` expects, and is an ELF file as releases
 * require. Prints its glibc floor; else one line for each thing that is wrong, and ends with 1.
 */
import { dlopen, FFIType } from "bun:ffi"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { Result } from "effect"
import { elfProblems, problemLine, readElf } from "../src/integrity/index.ts"
import { ABI } from "../src/stdio/abi.ts"

const file = resolve(process.argv[2] ?? "dist/shim/effx-stdio.so")
const shipped = "lib/effx/effx-stdio.so"

const problems = (): ReadonlyArray<string> => {
  const elf = readElf(readFileSync(file))
  if (Result.isFailure(elf)) return [`${file}: ${elf.failure.message}`]
  const library = dlopen(file, { effx_stdio_abi: { args: [], returns: FFIType.i32 } })
  const abi = library.symbols.effx_stdio_abi()
  library.close()
  if (abi !== ABI) return [`${file}: expected the ABI ${ABI}, found ${abi}`]
  return elfProblems(shipped, elf.success).map(problemLine)
}

const found = problems()
for (const line of found) process.stderr.write(`${line}\n`)
if (found.length === 0) process.stdout.write(`${file}: ABI ${ABI}\n`)
process.exit(found.length === 0 ? 0 : 1)
