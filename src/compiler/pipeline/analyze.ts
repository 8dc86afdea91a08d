/** Runs every analysis that sees the normalized IR as a whole. */
import type { Diagnostic } from "@effx/diagnostics"
import { Result } from "effect"
import type { AnalyzeInput } from "../extension.ts"
import type { Supervisor } from "./extension-contract.ts"

export const analyze = (input: AnalyzeInput, supervisors: ReadonlyArray<Supervisor>): ReadonlyArray<Diagnostic> =>
  supervisors.flatMap((supervisor) =>
    supervisor.extension.analyses.flatMap((analysis) => {
      if (!("analyze" in analysis)) return []
      const callback = `the analysis ${analysis.name}`
      const returned = supervisor.run(callback, undefined, () => analysis.analyze(input))
      return Result.isFailure(returned) ? returned.failure : supervisor.admit(callback, returned.success ?? [])
    })
  )
