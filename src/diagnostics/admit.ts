/**
 * The gate for diagnostics that come from outside: an extension hands over plain data, possibly made with another copy of
 * this package, and only data of a registered code, of its owner and with an allowed severity becomes a diagnostic.
 */
import { Result, Schema } from "effect"
import type { ContractBreach } from "./catalogue/effx0010.ts"
import { allows } from "./define.ts"
import { type Diagnostic, DiagnosticData } from "./diagnostic.ts"
import { ownerOf, type Registry } from "./registry.ts"

/** Why a value is refused: it breaks the registry's contract (EFFX0010), or is no diagnostic at all (EFFX0011). */
export type Refusal = ContractBreach | { readonly _tag: "NotADiagnostic"; readonly problem: string }

const decode = Schema.decodeUnknownResult(DiagnosticData)

/**
 * Admits one value as a diagnostic.
 *
 * @param registry all entries of the run
 * @param owner who reports: `effx` for built-in extensions, else the npm package of the extension
 */
export const admit = (registry: Registry, owner: string, value: unknown): Result.Result<Diagnostic, Refusal> => {
  const decoded = decode(value)
  if (Result.isFailure(decoded)) {
    return Result.fail({ _tag: "NotADiagnostic", problem: "it is not a diagnostic made by a registered entry" })
  }
  const data = decoded.success
  const codeOwner = ownerOf(data.code)
  if (codeOwner !== undefined && codeOwner !== owner) {
    return Result.fail({ _tag: "ForeignCode", code: data.code, owner: codeOwner })
  }
  const entry = registry.lookup(data.code)
  if (entry === undefined) return Result.fail({ _tag: "UnregisteredCode", code: data.code })
  if (!allows(entry, data.severity)) {
    return Result.fail({ _tag: "WrongSeverity", code: data.code, severity: data.severity })
  }
  return Result.succeed(data as Diagnostic)
}
