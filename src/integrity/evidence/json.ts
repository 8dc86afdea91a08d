/** JSON of evidence: bytes from outside, read totally. */
import { Result } from "effect"
import type { Problem } from "../problem.ts"

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** The text that bytes encode; `undefined` when they are not UTF-8. */
export const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** The JSON that a text is. */
export const jsonOf = (text: string): Result.Result<unknown, undefined> => {
  try {
    return Result.succeed(JSON.parse(text))
  } catch {
    return Result.fail(undefined)
  }
}

/**
 * The JSON that bytes are, in the one compact encoding that has each key once: two readers of it cannot disagree. One line break may
 * follow.
 */
export const compactJsonOf = (bytes: Uint8Array): Result.Result<unknown, Pick<Problem, "expected" | "found">> => {
  const text = textOf(bytes)
  if (text === undefined) return Result.fail({ expected: "JSON", found: "bytes that are not UTF-8" })
  const json = jsonOf(text)
  if (Result.isFailure(json)) return Result.fail({ expected: "JSON", found: `${bytes.length} bytes that are none` })
  return JSON.stringify(json.success) === text.replace(/\n$/, "")
    ? Result.succeed(json.success)
    : Result.fail({ expected: "compact JSON with each key once", found: "another encoding" })
}
