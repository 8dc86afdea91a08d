/**
 * From a client's URI to a path of this machine. The client's own spelling is never changed: whatever is sent back names the
 * document as the client did.
 *
 * Percent-encoding is decoded once, letters keep their case and their normal form: the file system decides which names are equal.
 */
import { URI, Utils } from "vscode-uri"

const parsed = (text: string): URI | undefined => {
  try {
    return URI.parse(text, true)
  } catch {
    return undefined
  }
}

/** The absolute path that a `file:` URI of this machine names, without `.` and `..`; undefined for anything else. */
export const pathOfUri = (text: string): string | undefined => {
  const uri = parsed(text)
  if (uri === undefined || uri.scheme.toLowerCase() !== "file") return undefined
  if (uri.authority !== "" && uri.authority.toLowerCase() !== "localhost") return undefined
  if (uri.query !== "" || uri.fragment !== "") return undefined
  const { path } = Utils.resolvePath(uri, ".")
  return path.startsWith("/") && !path.includes("\0") ? path : undefined
}

/** The `file:` URI of a path of this machine. */
export const uriOfPath = (path: string): string =>
  `file://${path.toWellFormed().split("/").map(encodeURIComponent).join("/")}`
