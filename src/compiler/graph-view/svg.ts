/** The picture of the page: the laid-out view as SVG. The page's script adds behaviour and nothing that is visible at rest. */
import type { StableId } from "@effx/ir"
import { escapeHtml } from "./escape.ts"
import { type Layout, type Placed, SIZES } from "./layout.ts"
import { type GraphView, RELATIONS, type ViewEdge } from "./view.ts"

const MAX_LABEL = 27
const MAX_NOTE = 34

/** A text that fits a card, in UTF-16 units; the page shows the whole text as a tooltip and in the panel. */
const shortened = (text: string, length: number): string => {
  const characters = Array.from(text)
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`
}

const card = ({ node, x, y }: Placed): string =>
  [
    `<g class="node ${node.kind}" transform="translate(${x} ${y})" data-id="${escapeHtml(node.id)}" role="button" tabindex="-1" aria-label="${escapeHtml(`${node.kind} ${node.label}`)}">`,
    `<title>${escapeHtml(`${node.label} · ${node.note}`)}</title>`,
    `<rect class="card" width="${SIZES.width}" height="${SIZES.height}" rx="9"/>`,
    `<rect class="bar" x="9" y="11" width="4" height="${SIZES.height - 22}" rx="2"/>`,
    `<text class="label" x="24" y="20">${escapeHtml(shortened(node.label, MAX_LABEL))}</text>`,
    `<text class="note" x="24" y="36">${escapeHtml(shortened(node.note, MAX_NOTE))}</text>`,
    "</g>"
  ].join("")

const curve = (from: Placed, to: Placed): string => {
  const [fromY, toY] = [from.y + SIZES.height / 2, to.y + SIZES.height / 2]
  if (from.x === to.x) {
    const bend = from.x - Math.min(30 + Math.abs(toY - fromY) / 6, SIZES.columnGap - 30)
    return `M${from.x} ${fromY}C${bend} ${fromY} ${bend} ${toY} ${to.x} ${toY}`
  }
  const forward = from.x < to.x
  const fromX = forward ? from.x + SIZES.width : from.x
  const toX = forward ? to.x : to.x + SIZES.width
  const reach = (toX - fromX) / 2
  return `M${fromX} ${fromY}C${fromX + reach} ${fromY} ${toX - reach} ${toY} ${toX} ${toY}`
}

const line = (edge: ViewEdge, at: number, placed: ReadonlyMap<StableId, Placed>): string => {
  const [from, to] = [placed.get(edge.from), placed.get(edge.to)]
  if (from === undefined || to === undefined) return ""
  const title = `${from.node.label} ${RELATIONS[edge.kind][0]} ${to.node.label}`
  return `<path class="edge ${edge.kind}" data-edge="${at}" d="${curve(from, to)}"><title>${escapeHtml(title)}</title></path>`
}

/** Renders the picture; the group `world` is what panning and zooming move. */
export const renderSvg = (view: GraphView, { columns, groups, height, nodes, width }: Layout): string => {
  const placed = new Map(nodes.map((entry) => [entry.node.id, entry]))
  return [
    `<svg id="picture" data-width="${width}" data-height="${height}" role="application" aria-label="Application graph. Arrow keys move between nodes, Enter shows one." tabindex="0">`,
    `<g id="world">`,
    ...columns.map(({ title, x }) => `<text class="column" x="${x}" y="${SIZES.margin}">${escapeHtml(title)}</text>`),
    ...groups.map(({ title, x, y }) => `<text class="group" x="${x + 2}" y="${y - 10}">${escapeHtml(title)}</text>`),
    `<g id="edges">`,
    ...view.edges.map((edge, at) => line(edge, at, placed)),
    `</g><g id="nodes">`,
    ...nodes.map(card),
    "</g></g></svg>"
  ].join("\n")
}
