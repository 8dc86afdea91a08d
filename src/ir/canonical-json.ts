/**
 * Determinism lives here: the one ordering and the one JSON encoding that output may depend on.
 *
 * `canonicalJson` is RFC 8785 (JSON Canonicalization Scheme): keys sorted by UTF-16 code units, no white space, numbers
 * as ECMAScript prints them.
 */

/** Compares by UTF-16 code units, independent of any locale. */
export const compareStrings = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Sorts a copy by a string key with `compareStrings`; equal keys keep their order. */
export const sortedBy = <A>(items: Iterable<A>, key: (item: A) => string): Array<A> =>
  Array.from(items, (item) => [key(item), item] as const)
    .sort((a, b) => compareStrings(a[0], b[0]))
    .map(([, item]) => item)

/** Keys that differ only in lone surrogates become one key, whose value is that of the last of them in order. */
const withWellFormedKeys = (record: Record<string, unknown>, keys: ReadonlyArray<string>): Record<string, unknown> =>
  Object.fromEntries(keys.flatMap((key) => (record[key] === undefined ? [] : [[key.toWellFormed(), record[key]]])))

/**
 * Encodes JSON data by RFC 8785. Keys whose value is `undefined` are left out. Lone surrogates become U+FFFD, so that the
 * result is always encodable as UTF-8.
 *
 * @throws TypeError for a value that is not JSON (a function, a symbol, a bigint, NaN or an infinity): callers pass data
 * decoded by a schema.
 */
export const canonicalJson = (value: unknown): string => {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.toWellFormed())
    case "boolean":
      return String(value)
    case "number":
      if (!Number.isFinite(value)) throw new TypeError(`not a JSON number: ${value}`)
      return JSON.stringify(value)
    case "object": {
      if (value === null) return "null"
      if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
      const record = value as Record<string, unknown>
      // Without a comparison, `sort` compares by UTF-16 code units, as RFC 8785 asks.
      const keys = Object.keys(record).sort()
      if (!keys.every((key) => key.isWellFormed())) return canonicalJson(withWellFormedKeys(record, keys))
      let fields = ""
      for (const key of keys) {
        const field = record[key]
        if (field === undefined) continue
        fields += `${fields === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(field)}`
      }
      return `{${fields}}`
    }
    default:
      throw new TypeError(`not JSON data: ${typeof value}`)
  }
}
