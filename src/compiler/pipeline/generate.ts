/** Runs the generators that config left on; their files are checked for form and for claims on one path. */
import type { Diagnostic } from "@effx/diagnostics"
import { sortedBy } from "@effx/ir"
import { Result, Schema } from "effect"
import type { GeneratedFile, GenerateInput } from "../extension.ts"
import { problemOf, type Supervisor } from "./extension-contract.ts"

export interface Generation {
  /** By path. */
  readonly files: ReadonlyArray<GeneratedFile>
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** A POSIX path that stays below the folder that it is relative to. */
const isInside = (path: string): boolean =>
  path !== "" && !path.includes("\\") && path.split("/").every((step) => step !== "" && step !== "." && step !== "..")

const decodeFiles = Schema.decodeUnknownResult(
  Schema.Array(Schema.Struct({ path: Schema.String, text: Schema.String }))
)

export const generate = (
  input: GenerateInput,
  supervisors: ReadonlyArray<Supervisor>,
  disabled: ReadonlyArray<string>
): Generation => {
  const files = new Map<string, { readonly file: GeneratedFile; readonly generator: string }>()
  const diagnostics: Array<Diagnostic> = []
  const generators = supervisors
    .flatMap(({ extension }) => extension.generators.map(({ name }) => name))
    .filter((name) => !disabled.includes(name))
  for (const supervisor of supervisors) {
    for (const generator of supervisor.extension.generators) {
      if (disabled.includes(generator.name)) continue
      const callback = `the generator ${generator.name}`
      const returned = supervisor.run(callback, undefined, () => generator.generate({ ...input, generators }))
      if (Result.isFailure(returned)) {
        diagnostics.push(...returned.failure)
        continue
      }
      const decoded = decodeFiles(returned.success)
      if (Result.isFailure(decoded)) {
        diagnostics.push(supervisor.invalid(callback, problemOf(decoded.failure)))
        continue
      }
      for (const file of decoded.success) {
        const other = files.get(file.path)?.generator
        if (!isInside(file.path)) {
          diagnostics.push(supervisor.invalid(callback, `the path ${file.path} is not inside the output folder`))
        } else if (other !== undefined) {
          diagnostics.push(supervisor.invalid(callback, `the generator ${other} already writes ${file.path}`))
        } else files.set(file.path, { file, generator: generator.name })
      }
    }
  }
  return {
    files: sortedBy(
      Array.from(files.values(), ({ file }) => file),
      ({ path }) => path
    ),
    diagnostics
  }
}
