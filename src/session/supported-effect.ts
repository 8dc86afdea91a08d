/** Whether the project's Effect and the chosen target can be served, as EFFX2701. */
import { TARGETS, type Target } from "@effx/compiler"
import { type Diagnostic, EFFX2701, type Occurrence } from "@effx/diagnostics"

export const SUPPORTED = "4.0.0-rc.116, 4.0.x and 4.1.x"

/** The target that an exact version of Effect belongs to: that very candidate, or the released minors. */
export const targetOfVersion = (version: string): Target | undefined =>
  TARGETS.find((target) => version === target) ??
  TARGETS.find((target) => /^\d+\.\d+$/.test(target) && version.startsWith(`${target}.`) && !version.includes("-"))

export interface EffectFacts {
  readonly installed: string | undefined
  /** Every copy that the program reaches. */
  readonly copies: ReadonlyArray<{ readonly version: string; readonly folder: string }>
  /** The target that a flag or config chose. */
  readonly chosen?: { readonly target: string; readonly occurrence: Occurrence } | undefined
  /** Where the project declares its Effect. */
  readonly occurrence: Occurrence
}

export interface EffectDecision {
  /** What the generators write for; the newest target where none can be decided, with a diagnostic. */
  readonly target: Target
  /** Whether source can be read with the installed Effect at all. */
  readonly usable: boolean
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

const NEWEST: Target = "4.1"
/** The one target whose modules lie elsewhere, so that it fits no other installed version. */
const APART: Target = "4.0.0-rc.116"

/** Decides the target: a supported choice, else what the installed Effect is. */
export const decideTarget = ({ chosen, copies, installed, occurrence }: EffectFacts): EffectDecision => {
  const own = installed === undefined ? undefined : targetOfVersion(installed)
  const wanted = chosen === undefined ? own : targetOfVersion(chosen.target)
  const diagnostics: Array<Diagnostic> = []
  if (copies.length > 1) {
    diagnostics.push(EFFX2701.make({ _tag: "Several", copies }, occurrence))
  } else if (installed === undefined) {
    const problem =
      occurrence.site === undefined
        ? ({ _tag: "Missing", supported: SUPPORTED } as const)
        : ({ _tag: "NotInstalled" } as const)
    diagnostics.push(EFFX2701.make(problem, occurrence))
  } else if (own === undefined) {
    diagnostics.push(EFFX2701.make({ _tag: "Unsupported", version: installed, supported: SUPPORTED }, occurrence))
  }
  const usable = diagnostics.length === 0
  const fits = wanted !== undefined && (own === undefined || (own === APART) === (wanted === APART))
  if (chosen !== undefined && wanted === undefined) {
    diagnostics.push(
      EFFX2701.make({ _tag: "NoTarget", target: chosen.target, supported: SUPPORTED }, chosen.occurrence)
    )
  } else if (chosen !== undefined && installed !== undefined && !fits) {
    diagnostics.push(EFFX2701.make({ _tag: "Target", target: chosen.target, version: installed }, chosen.occurrence))
  }
  return { target: wanted ?? own ?? NEWEST, usable, diagnostics }
}
