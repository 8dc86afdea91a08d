/**
 * A small pretty printer, so that generated code reads as if it had been formatted.
 *
 * Guarantees: a group is on one line where it fits into the width, else all its lines break; the same document always
 * renders to the same text. It knows nothing of TypeScript.
 */
export type Doc =
  | string
  | ReadonlyArray<Doc>
  | { readonly _tag: "Group"; readonly body: Doc }
  | { readonly _tag: "Indent"; readonly body: Doc }
  | { readonly _tag: "Line"; readonly kind: "space" | "soft" | "hard" }

type Tagged = Exclude<Doc, string | ReadonlyArray<Doc>>

/** The column that lines stay within where they can. */
const WIDTH = 120

export const group = (...body: ReadonlyArray<Doc>): Doc => ({ _tag: "Group", body })
export const indent = (...body: ReadonlyArray<Doc>): Doc => ({ _tag: "Indent", body })
/** A space, or a line break in a broken group. */
export const line: Doc = { _tag: "Line", kind: "space" }
/** Nothing, or a line break in a broken group. */
export const soft: Doc = { _tag: "Line", kind: "soft" }
/** A line break; every group around it is broken. */
export const hard: Doc = { _tag: "Line", kind: "hard" }

export const join = (separator: Doc, items: ReadonlyArray<Doc>): Doc =>
  items.flatMap((item, index) => (index === 0 ? [item] : [separator, item]))

/** `open a, b close`; empty when there are no items. */
const list = (open: string, close: string, padding: Doc, items: ReadonlyArray<Doc>): Doc =>
  items.length === 0 ? `${open}${close}` : group(open, indent(padding, join([",", line], items)), padding, close)

export const array = (items: ReadonlyArray<Doc>): Doc => list("[", "]", soft, items)

/** An object literal of `[key, value]`; a key is source text. `undefined` values are left out. */
export const object = (fields: ReadonlyArray<readonly [key: string, value: Doc | undefined]>): Doc =>
  list(
    "{",
    "}",
    line,
    fields.flatMap(
      ([key, value]): ReadonlyArray<Doc> => (value === undefined ? [] : key === value ? [key] : [[key, ": ", value]])
    )
  )

/** A call whose arguments break one per line. */
export const call = (callee: Doc, ...args: ReadonlyArray<Doc>): Doc => [callee, list("(", ")", soft, args)]

/** A call whose last argument breaks inside itself, as an object literal or a function does. */
export const hug = (callee: Doc, ...args: ReadonlyArray<Doc>): Doc => [callee, "(", join(", ", args), ")"]

const isTagged = (doc: Doc): doc is Tagged => typeof doc === "object" && !Array.isArray(doc)

const breaks = (doc: Doc): boolean => {
  if (typeof doc === "string") return false
  if (!isTagged(doc)) return doc.some(breaks)
  return doc._tag === "Line" ? doc.kind === "hard" : breaks(doc.body)
}

interface Item {
  readonly doc: Doc
  readonly depth: number
  readonly flat: boolean
}

/** Whether what follows fits into `room` columns up to the next line break that is sure to come. */
const fits = (first: Item, rest: ReadonlyArray<Item>, room: number): boolean => {
  const stack: Array<Item> = [first]
  let left = room
  let behind = rest.length
  while (left >= 0) {
    const item = stack.pop() ?? (behind > 0 ? rest[--behind] : undefined)
    if (item === undefined) return true
    const { doc, depth, flat } = item
    if (typeof doc === "string") left -= doc.length
    else if (!isTagged(doc)) for (const part of doc.toReversed()) stack.push({ doc: part, depth, flat })
    else if (doc._tag === "Line") {
      if (!flat || doc.kind === "hard") return true
      if (doc.kind === "space") left -= 1
    } else if (doc._tag === "Group") stack.push({ doc: doc.body, depth, flat: flat || !breaks(doc.body) })
    else stack.push({ doc: doc.body, depth, flat })
  }
  return false
}

/** Renders with two spaces of indentation, no trailing white space and no final line break. */
export const render = (doc: Doc): string => {
  const stack: Array<Item> = [{ doc, depth: 0, flat: false }]
  const out: Array<string> = []
  let column = 0
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { doc, depth, flat } = item
    if (typeof doc === "string") {
      out.push(doc)
      column += doc.length
    } else if (!isTagged(doc)) for (const part of doc.toReversed()) stack.push({ doc: part, depth, flat })
    else if (doc._tag === "Indent") stack.push({ doc: doc.body, depth: depth + 1, flat })
    else if (doc._tag === "Group") {
      const whole: Item = { doc: doc.body, depth, flat: true }
      const fitting = flat || (!breaks(doc.body) && fits(whole, stack, WIDTH - column))
      stack.push({ doc: doc.body, depth, flat: fitting })
    } else if (flat && doc.kind !== "hard") {
      if (doc.kind === "space") out.push(" ")
      column += doc.kind === "space" ? 1 : 0
    } else {
      out.push(`\n${"  ".repeat(depth)}`)
      column = depth * 2
    }
  }
  return out.join("").replace(/[ \t]+$/gm, "")
}
