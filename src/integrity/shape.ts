/**
 * Shapes of canonical JSON, checked by hand: a manifest is checked at every start, where a schema's decoder would cost more than all
 * else. The schema in manifest.ts stays the definition; a law test holds both to each other.
 */

/** What is wrong with a value, as `place: clause`; `undefined` when nothing is. */
export type Shape = (value: unknown, place: string) => string | undefined

export const text =
  (pattern: RegExp, what: string): Shape =>
  (value, place) =>
    typeof value === "string" && pattern.test(value) ? undefined : `${place} must be ${what}`

export const oneOf = (values: ReadonlyArray<string>): Shape => {
  const known: ReadonlySet<unknown> = new Set(values)
  return (value, place) => (known.has(value) ? undefined : `${place} must be ${values.join(" or ")}`)
}

export const natural =
  (highest: number): Shape =>
  (value, place) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= highest && !Object.is(value, -0)
      ? undefined
      : `${place} must be a whole number from 0 to ${highest}`

export const flag: Shape = (value, place) => (typeof value === "boolean" ? undefined : `${place} must be true or false`)

export const list =
  (item: Shape, most: number): Shape =>
  (value, place) => {
    if (!Array.isArray(value)) return `${place} must be a list`
    if (value.length > most) return `${place} must have at most ${most} entries`
    for (let index = 0; index < value.length; index++) {
      const problem = item(value[index], `${place}[${index}]`)
      if (problem !== undefined) return problem
    }
    return undefined
  }

/** An object with exactly these keys, in canonical order; those that `optional` names may be absent. */
export const object = (fields: Readonly<Record<string, Shape>>, optional: ReadonlySet<string> = new Set()): Shape => {
  const names = Object.keys(fields).sort()
  return (value, place) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return `${place} must be an object`
    const keys = Object.keys(value)
    let at = 0
    for (const name of names) {
      if (keys[at] !== name) {
        if (optional.has(name)) continue
        return keys.includes(name) ? `the keys of ${place} must be sorted` : `${place} must have the key ${name}`
      }
      at++
      const shape = fields[name]
      const problem = shape?.((value as Readonly<Record<string, unknown>>)[name], `${place}.${name}`)
      if (problem !== undefined) return problem
    }
    const excess = keys[at]
    if (excess === undefined) return undefined
    return names.includes(excess)
      ? `the keys of ${place} must be sorted`
      : `${place} must not have the key ${JSON.stringify(excess.slice(0, 60))}`
  }
}
