export type { Checker } from "./checker.ts"
export { type Changes, ENGINE_VERSION } from "./engine.ts"
