/** The canonical form of an IR and its hash. */
import type { ApplicationIR } from "./application.ts"
import { canonicalJson } from "./canonical-json.ts"
import { sha256Hex } from "./host.ts"
import { normalize } from "./normalize.ts"

/** RFC 8785 JSON of the normalized IR, without a final newline. */
export const canonical = (ir: ApplicationIR): string => canonicalJson(normalize(ir))

/** SHA-256 of `canonical(ir)` as UTF-8, in lower-case hex. */
export const semanticHash = (ir: ApplicationIR): string => sha256Hex(canonical(ir))
