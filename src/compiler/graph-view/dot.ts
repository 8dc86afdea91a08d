/** The graph in Graphviz's DOT language. */
import { type GraphView, RELATIONS, type ViewKind } from "./view.ts"

const ATTRIBUTES: Readonly<Record<ViewKind, string>> = {
  model: 'shape=cylinder, color="#0284c7"',
  schema: 'shape=box, style="rounded", color="#64748b"',
  error: 'shape=box, style="rounded", color="#e11d48"',
  operation: 'shape=box, style="bold", color="#2563eb"',
  exposure: 'shape=cds, color="#16a34a"',
  service: 'shape=component, color="#d97706"',
  capability: 'shape=hexagon, color="#9333ea"',
  focus: 'shape=ellipse, color="#9333ea"',
  extension: 'shape=note, color="#a3a3a3"',
  missing: 'shape=box, style="dashed", color="#e11d48"'
}

const quoted = (value: string): string => `"${value.replace(/[\\"]/g, "\\$&").replace(/\s+/g, " ")}"`

/** Renders the view; equal views give equal bytes. */
export const renderDot = ({ edges, nodes }: GraphView): string =>
  [
    "digraph effx {",
    "  rankdir=LR",
    '  node [fontname="sans-serif"]',
    '  edge [fontname="sans-serif", fontsize=10, color="#94a3b8"]',
    ...nodes.map(({ id, kind, label }) => `  ${quoted(id)} [label=${quoted(label)}, ${ATTRIBUTES[kind]}]`),
    ...edges.map(({ from, kind, to }) => `  ${quoted(from)} -> ${quoted(to)} [label=${quoted(RELATIONS[kind][0])}]`),
    "}",
    ""
  ].join("\n")
