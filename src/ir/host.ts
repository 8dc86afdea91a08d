/** The package's one host module: SHA-256, needed synchronously inside the engine's file-system callbacks. */
import { createHash } from "node:crypto"

/** SHA-256 of a text (as UTF-8) or of bytes, in lower-case hex. */
export const sha256Hex = (input: string | Uint8Array): string => createHash("sha256").update(input).digest("hex")
