export type { LaunchCoverage } from "./declarations.ts"
export { type CoverageSummary, type Executables, observeExecutables } from "./executables.ts"
