/** Compiles a hand-built `Collected` and shows findings in one line each. */
import {
  builtins,
  type Collected,
  type CompileOptions,
  type CompileResult,
  compile,
  type Extension
} from "@effx/compiler"
import type { Diagnostic } from "@effx/diagnostics"
import { Effect } from "effect"

export const run = (
  collected: Collected,
  options: Partial<CompileOptions> & { readonly and?: ReadonlyArray<Extension> } = {}
): CompileResult => {
  const { and = [], ...rest } = options
  return Effect.runSync(
    compile(collected, {
      extensions: [...builtins, ...and],
      disabledGenerators: [],
      strictAccess: false,
      emit: "all",
      target: "4.1",
      api: { title: "Items", version: "1.0.0" },
      importExtension: ".js",
      generate: false,
      ...rest
    })
  )
}

/** `EFFX2201 error src/main.ts:102:3 message`, with `> ` lines for related places. */
export const show = ({ code, location, message, related, severity }: Diagnostic): string => {
  const at = (place: Diagnostic["location"]) => (place === undefined ? "-" : `${place.file}:${place.line}:${place.col}`)
  return [
    `${code} ${severity} ${at(location)} ${message}`,
    ...related.map((other) => `  > ${at(other.location)} ${other.message}`)
  ].join("\n")
}

/** The findings of a compilation. */
export const findings = (collected: Collected, options: Parameters<typeof run>[1] = {}): ReadonlyArray<string> =>
  run(collected, options).diagnostics.map(show)
