/**
 * Whether a file mentions the store of Nix: what does would only work where that store is. Packed files are searched unpacked.
 */
import { gunzip, indexOfBytes, isRefusal } from "./host.ts"

/** Put together at run time: this module is itself shipped, and searched. */
const STORE = ["", "nix", "store"].join("/")

const GZIP = 0x8b1f

/** Where the bytes mention the store; `undefined` when they do not. */
export const storeMention = (bytes: Uint8Array): string | undefined => {
  const at = indexOfBytes(bytes, STORE)
  if (at >= 0) return `${STORE} at byte ${at}`
  if (bytes.length < 2 || ((bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8)) !== GZIP) return undefined
  const unpacked = gunzip(bytes)
  if (isRefusal(unpacked)) return "a gzip file that cannot be unpacked"
  const inside = indexOfBytes(unpacked, STORE)
  return inside < 0 ? undefined : `${STORE} at byte ${inside} of what it packs`
}
