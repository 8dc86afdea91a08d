/** The hash of an IR's canonical form. */
import type { ApplicationIR } from "./application.ts"
import { sha256Hex } from "./host.ts"
import { canonical } from "./normalize.ts"

/** SHA-256 of `canonical(ir)` as UTF-8, in lower-case hex. */
export const semanticHash = (ir: ApplicationIR): string => sha256Hex(canonical(ir))
