/**
 * The graph as one self-contained page: no request leaves it, its policy forbids any, and everything that comes from the
 * application is text. The picture itself is in the page, so it is there without a script, too.
 */
import { canonicalJson, type GraphIndex, type StableId } from "@effx/ir"
import { Option } from "effect"
import { displayShape } from "../diff/display.ts"
import { fieldsOf, schemaFacts } from "../shapes.ts"
import { escapeHtml, escapeJson } from "./escape.ts"
import { cardRows, operationCard } from "./inspect.ts"
import { layout } from "./layout.ts"
import { PAGE_SCRIPT } from "./page-script.ts"
import { PAGE_STYLE } from "./page-style.ts"
import { renderSvg } from "./svg.ts"
import { graphView, modulePath, RELATIONS, type ViewKind, type ViewNode } from "./view.ts"

export interface PageOptions {
  /** The application's name. */
  readonly title: string
  /** Where an operation is declared, `file:line:col`. */
  readonly placeOf?: (id: StableId) => string | undefined
}

interface PanelNode extends ViewNode {
  readonly texts: ReadonlyArray<string>
  readonly rows: ReadonlyArray<readonly [label: string, text: string]>
  readonly fields: ReadonlyArray<readonly [name: string, type: string]>
}

const NAMES: ReadonlyArray<readonly [ViewKind, string]> = [
  ["operation", "Operations"],
  ["exposure", "Exposures"],
  ["schema", "Schemas"],
  ["error", "Errors"],
  ["service", "Services"],
  ["model", "Models"],
  ["capability", "Capabilities"],
  ["focus", "Foci"],
  ["extension", "Extensions"],
  ["missing", "Missing"]
]

const present = (texts: ReadonlyArray<string | undefined>): ReadonlyArray<string> =>
  texts.filter((text) => text !== undefined)

const panelNode = (index: GraphIndex, view: ViewNode, options: PageOptions): PanelNode => {
  const node = Option.getOrUndefined(index.node(view.id))
  if (node?._tag === "Operation") {
    const card = operationCard(index, node)
    const place = options.placeOf?.(view.id)
    return { ...view, texts: present([card.summary, card.description]), rows: cardRows(card, place), fields: [] }
  }
  if (node?._tag === "Schema") {
    const facts = Option.getOrUndefined(schemaFacts(index, node.id))
    const fields = facts === undefined ? undefined : fieldsOf(index, facts.shape)
    const rows = [
      ["export", `${node.ref.export} in ${modulePath(node.ref.module)}`] as const,
      ...(facts?.identifier === undefined ? [] : [["identifier", facts.identifier] as const]),
      ...(facts?.status === undefined ? [] : [["status", String(facts.status)] as const]),
      ...(facts === undefined || fields !== undefined ? [] : [["encoded as", displayShape(facts.shape)] as const])
    ]
    return {
      ...view,
      texts: present([facts?.description]),
      rows,
      fields: (fields ?? []).map(({ name, optional, shape }) => [`${name}${optional ? "?" : ""}`, displayShape(shape)])
    }
  }
  return { ...view, texts: [], rows: [[view.kind === "exposure" ? "transport" : "what", view.note]], fields: [] }
}

const legend = (nodes: ReadonlyArray<ViewNode>): string =>
  NAMES.flatMap(([kind, name]) => {
    const count = nodes.filter((node) => node.kind === kind).length
    return count === 0
      ? []
      : [
          `<button type="button" class="${kind}" data-kind="${kind}" aria-pressed="true"><span class="dot"></span>${name} ${count}</button>`
        ]
  }).join("")

/** Renders the page; equal indexes and options give equal bytes. */
export const renderHtml = (index: GraphIndex, options: PageOptions): string => {
  const view = graphView(index)
  const data = {
    nodes: view.nodes.map((node) => panelNode(index, node, options)),
    edges: view.edges,
    relations: RELATIONS
  }
  const operations = view.nodes.filter(({ kind }) => kind === "operation").length
  const title = escapeHtml(options.title)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${title} · effx graph</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<h1>${title}<small>${operations} ${operations === 1 ? "operation" : "operations"}</small></h1>
<div class="search">
<label class="visually-hidden" for="search">Search</label>
<input id="search" type="search" placeholder="Search   /" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list">
<ul id="results" role="listbox" aria-label="Matches"></ul>
</div>
<div class="legend" role="group" aria-label="Kinds that are shown">${legend(view.nodes)}</div>
</header>
<main>
${renderSvg(view, layout(view))}
<div class="tools" role="group" aria-label="View">
<button id="zoom-out" type="button" title="Zoom out (-)" aria-label="Zoom out">−</button>
<button id="zoom-in" type="button" title="Zoom in (+)" aria-label="Zoom in">+</button>
<button id="fit" type="button" title="Show all (0)" aria-label="Show all">⤢</button>
<button id="theme" type="button" title="Light or dark" aria-label="Light or dark">◐</button>
</div>
<p class="hint"><kbd>/</kbd> search &nbsp; <kbd>←↑↓→</kbd> move &nbsp; <kbd>Enter</kbd> show &nbsp; <kbd>Ctrl</kbd>+wheel zoom</p>
</main>
<aside id="panel" aria-live="polite" aria-label="Details"></aside>
<script type="application/json" id="data">${escapeJson(canonicalJson(data))}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`
}
