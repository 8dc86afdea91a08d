export { type Ending, exitCodeOf } from "./lifecycle.ts"
export { LIMITS } from "./limits.ts"
export { type ServerOptions, serve } from "./server.ts"
export type { Transport } from "./transport.ts"
