/** The graph as a Mermaid flow chart. */
import { type GraphView, RELATIONS, type ViewKind, type ViewNode } from "./view.ts"

/** The brackets that give a node its outline. */
const OUTLINES: Readonly<Record<ViewKind, readonly [open: string, close: string]>> = {
  model: ["[(", ")]"],
  schema: ["([", "])"],
  error: ["([", "])"],
  operation: ["[", "]"],
  exposure: [">", "]"],
  service: ["[[", "]]"],
  capability: ["{{", "}}"],
  focus: ["(", ")"],
  extension: ["[/", "/]"],
  missing: ["(", ")"]
}

const CLASSES = [
  "classDef operation fill:#dbeafe,stroke:#2563eb,color:#1e3a8a",
  "classDef exposure fill:#dcfce7,stroke:#16a34a,color:#14532d",
  "classDef schema fill:#f1f5f9,stroke:#64748b,color:#0f172a",
  "classDef error fill:#ffe4e6,stroke:#e11d48,color:#881337",
  "classDef service fill:#fef3c7,stroke:#d97706,color:#78350f",
  "classDef capability fill:#f3e8ff,stroke:#9333ea,color:#581c87",
  "classDef model fill:#e0f2fe,stroke:#0284c7,color:#0c4a6e",
  "classDef focus fill:#f3e8ff,stroke:#9333ea,color:#581c87",
  "classDef extension fill:#fafafa,stroke:#a3a3a3,color:#262626",
  "classDef missing fill:#fff,stroke:#e11d48,color:#e11d48,stroke-dasharray:4"
]

/** Mermaid reads `#name;` as a character; a quote, a hash, a backtick and angle brackets need it. */
const text = (value: string): string =>
  value.replace(/["#`<>&]/g, (character) => `#${character.codePointAt(0)};`).replace(/\s+/g, " ")

const nodeLine = ({ kind, label }: ViewNode, at: number): string => {
  const [open, close] = OUTLINES[kind]
  return `  n${at}${open}"${text(label)}"${close}:::${kind}`
}

/** Renders the view; equal views give equal bytes. */
export const renderMermaid = ({ edges, nodes }: GraphView): string => {
  const names = new Map(nodes.map(({ id }, at) => [id, `n${at}`]))
  return [
    "flowchart LR",
    ...nodes.map(nodeLine),
    ...edges.map(({ from, kind, to }) => `  ${names.get(from)} -- ${RELATIONS[kind][0]} --> ${names.get(to)}`),
    ...CLASSES.map((line) => `  ${line}`),
    ""
  ].join("\n")
}
