/**
 * Where each node of the page lies: columns by kind, so that every edge of the IR runs from left to right, and inside a
 * column an order that keeps related nodes at one height.
 *
 * Pure and deterministic. Operations stand in the order of their names, each with room for its exposures, with a gap
 * between groups; every other column follows their heights as closely as nodes may touch.
 */
import { type StableId, sortedBy } from "@effx/ir"
import type { GraphView, ViewKind, ViewNode } from "./view.ts"

/** Lengths in units of the page's coordinate system, which are CSS pixels at scale 1. */
export const SIZES = { width: 232, height: 46, gap: 14, groupGap: 34, columnGap: 150, top: 56, margin: 40 } as const

interface Column {
  readonly title: string
  readonly kinds: ReadonlyArray<ViewKind>
}

const COLUMNS: ReadonlyArray<Column> = [
  { title: "Models and foci", kinds: ["model", "focus"] },
  { title: "Schemas", kinds: ["schema", "error", "extension"] },
  { title: "Operations", kinds: ["operation"] },
  { title: "Exposures", kinds: ["exposure"] },
  { title: "Services and authority", kinds: ["service", "capability", "missing"] }
]

/** The columns in the order in which they are placed: each after one that it is mostly related to. */
const PLACING = [3, 4, 1, 0]

export interface Placed {
  readonly node: ViewNode
  readonly x: number
  readonly y: number
}

export interface Layout {
  readonly nodes: ReadonlyArray<Placed>
  readonly columns: ReadonlyArray<{ readonly title: string; readonly x: number }>
  /** Titles of operation groups, above their first operation. */
  readonly groups: ReadonlyArray<{ readonly title: string; readonly x: number; readonly y: number }>
  readonly width: number
  readonly height: number
}

const step = SIZES.height + SIZES.gap

const groupOf = ({ label }: ViewNode): string => label.slice(0, Math.max(label.lastIndexOf("."), 0))

/**
 * The heights nearest to the wanted ones, in their order and without overlap: isotonic regression by pooling neighbours.
 */
export const spread = (wanted: ReadonlyArray<number>, distance: number): ReadonlyArray<number> => {
  const pools: Array<{ sum: number; size: number }> = []
  wanted.forEach((height, at) => {
    pools.push({ sum: height - at * distance, size: 1 })
    for (;;) {
      const [last, previous] = [pools.at(-1), pools.at(-2)]
      if (last === undefined || previous === undefined || previous.sum / previous.size <= last.sum / last.size) break
      pools.splice(-2, 2, { sum: previous.sum + last.sum, size: previous.size + last.size })
    }
  })
  return pools
    .flatMap(({ size, sum }) => Array.from({ length: size }, () => sum / size))
    .map((y, at) => y + at * distance)
}

const stackOperations = (operations: ReadonlyArray<ViewNode>, exposures: ReadonlyMap<StableId, number>) => {
  const heights = new Map<StableId, number>()
  const groups: Array<{ readonly title: string; readonly y: number }> = []
  let y = 0
  let previous: string | undefined
  for (const operation of operations) {
    const group = groupOf(operation)
    const rows = Math.max(exposures.get(operation.id) ?? 0, 1)
    const begins = group !== previous
    if (begins && previous !== undefined) y += SIZES.groupGap
    const middle = y + ((rows - 1) * step) / 2
    if (begins && group !== "") groups.push({ title: group, y: middle })
    previous = group
    heights.set(operation.id, middle)
    y += rows * step
  }
  return { heights, groups }
}

/** Places the nodes of a view. */
export const layout = ({ edges, nodes }: GraphView): Layout => {
  const neighbours = new Map<StableId, Array<StableId>>()
  for (const { from, to } of edges) {
    neighbours.set(from, [...(neighbours.get(from) ?? []), to])
    neighbours.set(to, [...(neighbours.get(to) ?? []), from])
  }
  const exposures = new Map<StableId, number>()
  for (const { from, kind } of edges) if (kind === "ExposedAs") exposures.set(from, (exposures.get(from) ?? 0) + 1)
  const { groups, heights } = stackOperations(
    nodes.filter(({ kind }) => kind === "operation"),
    exposures
  )

  /** The mean height of the neighbours that have one. */
  const wantedHeight = (id: StableId, known: ReadonlyMap<StableId, number>): number | undefined => {
    const near = (neighbours.get(id) ?? []).flatMap((other) => known.get(other) ?? [])
    return near.length === 0 ? undefined : near.reduce((sum, y) => sum + y, 0) / near.length
  }

  /** Wanted heights of a column: from placed columns first, then from nodes of the column itself, else the bottom. */
  const wantedHeights = (column: ReadonlyArray<ViewNode>): ReadonlyMap<StableId, number> => {
    const wanted = new Map<StableId, number>()
    let known: ReadonlyMap<StableId, number> = heights
    for (;;) {
      const found = column.flatMap(({ id }) => {
        const y = wanted.has(id) ? undefined : wantedHeight(id, known)
        return y === undefined ? [] : [[id, y] as const]
      })
      if (found.length === 0) break
      for (const [id, y] of found) wanted.set(id, y)
      known = new Map([...heights, ...wanted])
    }
    const bottom = Math.max(0, ...heights.values(), ...wanted.values())
    for (const { id } of column) if (!wanted.has(id)) wanted.set(id, bottom)
    return wanted
  }

  const place = (column: ReadonlyArray<ViewNode>): void => {
    const wanted = sortedBy(wantedHeights(column), ([id]) => id).sort((a, b) => a[1] - b[1])
    const placed = spread(
      wanted.map(([, y]) => y),
      step
    )
    wanted.forEach(([id], at) => {
      heights.set(id, placed[at] ?? 0)
    })
  }

  const inColumn = COLUMNS.map(({ kinds }) => nodes.filter(({ kind }) => kinds.includes(kind)))
  for (const at of PLACING) place(inColumn[at] ?? [])

  const top = Math.min(0, ...heights.values())
  const bottom = Math.max(0, ...heights.values())
  const used = COLUMNS.map(({ title }, at) => ({ title, nodes: inColumn[at] ?? [] })).filter(
    (column) => column.nodes.length > 0
  )
  const xOf = (at: number): number => SIZES.margin + at * (SIZES.width + SIZES.columnGap)
  const yOf = (height: number): number => SIZES.margin + SIZES.top + height - top
  const operationsX = xOf(used.findIndex(({ title }) => title === "Operations"))
  return {
    nodes: used.flatMap((column, at) =>
      column.nodes
        .map((node) => ({ node, x: xOf(at), y: Math.round(yOf(heights.get(node.id) ?? 0)) }))
        .sort((a, b) => a.y - b.y)
    ),
    columns: used.map(({ title }, at) => ({ title, x: xOf(at) })),
    groups: groups.map(({ title, y }) => ({ title, x: operationsX, y: Math.round(yOf(y)) })),
    width: xOf(Math.max(used.length - 1, 0)) + SIZES.width + SIZES.margin,
    height: Math.round(yOf(bottom)) + SIZES.height + SIZES.margin
  }
}
