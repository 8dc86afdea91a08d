export type { Changes } from "./engine.ts"
export { ENGINE_VERSION } from "./engine.ts"
export {
  type CollectOptions,
  type OpenOptions,
  type OpenProject,
  SourceFrontend,
  type UpdateOptions
} from "./frontend.ts"
export { type ContentFact, type Input, NO_ENTRIES } from "./ledger.ts"
export { isLibraryOf } from "./made-of.ts"
export type { PackageFacts } from "./package-facts.ts"
export type { ProjectFacts, Unreadable } from "./project.ts"
export { DEFAULT_OUT_DIR } from "./references.ts"
export type { Overlays } from "./snapshot.ts"
export { type SourceText, sourceText } from "./text.ts"
export type { TrustedEngine } from "./trusted-engine.ts"
