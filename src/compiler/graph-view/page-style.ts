/** The page's style sheet: light and dark by the reader's preference, or as the button says. */

const LIGHT = `
  --ground: #f7f8fa; --dots: #dfe3ea; --panel: #ffffff; --line: #e3e7ee; --ink: #10182a; --faint: #66708a;
  --card: #ffffff; --card-line: #d9dee8; --edge: #a9b3c6; --focus: #2f6bff; --chip: #f1f4f9; --shadow: rgb(16 24 42 / 0.08);
  --operation: #2f6bff; --schema: #64748b; --error: #e0344f; --exposure: #12985a; --service: #d5810a;
  --capability: #9147e6; --focus-kind: #9147e6; --model: #0b8fc4; --extension: #8a8f98; --missing: #e0344f;`

const DARK = `
  --ground: #0d1117; --dots: #1d2430; --panel: #131923; --line: #232c3b; --ink: #e8edf6; --faint: #8d99b1;
  --card: #171e2a; --card-line: #2a3446; --edge: #46536b; --focus: #6d9bff; --chip: #1c2534; --shadow: rgb(0 0 0 / 0.4);
  --operation: #6d9bff; --schema: #94a3b8; --error: #ff6b81; --exposure: #3ecf8e; --service: #f5b041;
  --capability: #b98bff; --focus-kind: #b98bff; --model: #4cc3f0; --extension: #a3a9b5; --missing: #ff6b81;`

export const PAGE_STYLE = `
:root { color-scheme: light; ${LIGHT} }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { color-scheme: dark; ${DARK} } }
:root[data-theme="dark"] { color-scheme: dark; ${DARK} }
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body {
  display: grid; grid-template: auto 1fr / 1fr auto; background: var(--ground); color: var(--ink); overflow: hidden;
  font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
header {
  grid-column: 1 / -1; display: flex; flex-wrap: wrap; align-items: center; gap: 10px 18px; padding: 10px 18px;
  background: var(--panel); border-bottom: 1px solid var(--line); z-index: 2;
}
h1 { font-size: 15px; font-weight: 650; margin: 0; letter-spacing: -0.01em; }
h1 small { font-weight: 400; color: var(--faint); margin-left: 8px; font-size: 13px; }
button, input { font: inherit; color: inherit; }
button { cursor: pointer; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.search { position: relative; flex: 0 1 320px; min-width: 180px; }
.search input {
  width: 100%; padding: 6px 12px; border: 1px solid var(--card-line); border-radius: 8px; background: var(--ground);
}
.search ul {
  position: absolute; inset: calc(100% + 6px) 0 auto; margin: 0; padding: 6px; list-style: none; max-height: 420px; overflow: auto;
  background: var(--panel); border: 1px solid var(--line); border-radius: 10px; box-shadow: 0 12px 32px var(--shadow);
}
.search ul:empty { display: none; }
.search li { display: flex; align-items: baseline; gap: 8px; padding: 5px 10px; border-radius: 6px; cursor: pointer; }
.search li[aria-selected="true"], .search li:hover { background: var(--chip); }
.search li small { color: var(--faint); margin-left: auto; white-space: nowrap; }
.legend { display: flex; flex-wrap: wrap; gap: 6px; margin-left: auto; }
.legend button {
  display: inline-flex; align-items: center; gap: 7px; padding: 3px 10px; border: 1px solid transparent; border-radius: 99px;
  background: var(--chip); font-size: 12.5px;
}
.legend button[aria-pressed="false"] { background: transparent; border-color: var(--line); color: var(--faint); text-decoration: line-through; }
.dot { width: 9px; height: 9px; border-radius: 3px; background: var(--kind); flex: none; }
main { position: relative; min-width: 0; min-height: 0; }
svg {
  display: block; width: 100%; height: 100%; touch-action: none; cursor: grab; user-select: none;
  background: radial-gradient(circle at 1px 1px, var(--dots) 1px, transparent 0) 0 0 / 22px 22px;
}
svg:focus { outline: none; }
svg.dragging { cursor: grabbing; }
.column { font-size: 12px; font-weight: 650; letter-spacing: 0.08em; text-transform: uppercase; fill: var(--faint); }
.group { font-size: 12.5px; font-weight: 650; fill: var(--ink); }
.card { fill: var(--card); stroke: var(--card-line); }
.bar { fill: var(--kind); }
.label { font-size: 13px; font-weight: 600; fill: var(--ink); }
.note { font-size: 11px; fill: var(--faint); }
.node { cursor: pointer; outline: none; transition: opacity 120ms; }
.node:hover .card { stroke: var(--kind); }
.node:focus-visible .card { stroke: var(--focus); stroke-width: 2; }
.node.selected .card { stroke: var(--kind); stroke-width: 2; fill: color-mix(in srgb, var(--kind) 12%, var(--card)); }
.node.missing .card, .node.missing .bar { stroke-dasharray: 4 3; }
.edge { fill: none; stroke: var(--edge); stroke-width: 1.25; opacity: 0.55; transition: opacity 120ms; pointer-events: none; }
.edge.ErrorOf { stroke: var(--error); opacity: 0.35; }
.edge.Contains, .edge.Over, .edge.PartOf, .edge.Requires { stroke-dasharray: 3 4; }
svg.focused .node { opacity: 0.22; }
svg.focused .node.related, svg.focused .node.selected { opacity: 1; }
svg.focused .edge { opacity: 0.03; }
svg.focused .edge.active { opacity: 1; stroke-width: 1.9; stroke: var(--kind, var(--focus)); }
.hidden { display: none; }
.operation { --kind: var(--operation); } .schema { --kind: var(--schema); } .error { --kind: var(--error); }
.exposure { --kind: var(--exposure); } .service { --kind: var(--service); } .capability { --kind: var(--capability); }
.focus { --kind: var(--focus-kind); } .model { --kind: var(--model); } .extension { --kind: var(--extension); }
.missing { --kind: var(--missing); }
.tools {
  position: absolute; left: 18px; bottom: 18px; display: flex; background: var(--panel); border: 1px solid var(--line);
  border-radius: 10px; box-shadow: 0 4px 16px var(--shadow); overflow: hidden;
}
.tools button { min-width: 38px; height: 36px; padding: 0 10px; border: 0; background: none; font-size: 15px; }
.tools button + button { border-left: 1px solid var(--line); }
.tools button:hover { background: var(--chip); }
.tools button:focus-visible { outline-offset: -3px; border-radius: 9px; }
.hint { position: absolute; right: 18px; bottom: 18px; margin: 0; color: var(--faint); font-size: 12px; pointer-events: none; }
kbd { font: 11px ui-monospace, monospace; padding: 1px 5px; border: 1px solid var(--line); border-radius: 4px; background: var(--panel); }
aside {
  width: 390px; max-width: 46vw; overflow: auto; padding: 22px 24px 40px; background: var(--panel); border-left: 1px solid var(--line);
}
aside:empty { display: none; }
aside header { all: unset; display: flex; align-items: flex-start; gap: 10px; }
aside h2 { margin: 0; font-size: 19px; line-height: 1.3; letter-spacing: -0.015em; overflow-wrap: anywhere; flex: 1; }
aside .close { border: 0; background: none; font-size: 20px; line-height: 1.2; color: var(--faint); border-radius: 6px; }
.pill {
  display: inline-block; margin-top: 8px; padding: 1px 10px; border-radius: 99px; font-size: 12px; font-weight: 600; color: var(--kind);
  background: color-mix(in srgb, var(--kind) 14%, transparent);
}
aside p { margin: 14px 0 0; white-space: pre-line; }
aside dl { display: grid; grid-template-columns: auto 1fr; gap: 7px 16px; margin: 18px 0 0; padding-top: 16px; border-top: 1px solid var(--line); }
aside dt { color: var(--faint); }
aside dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
aside h3 { margin: 20px 0 8px; font-size: 12px; font-weight: 650; letter-spacing: 0.06em; text-transform: uppercase; color: var(--faint); }
.chips { display: flex; flex-wrap: wrap; gap: 6px; }
.chips button {
  display: inline-flex; align-items: center; gap: 7px; max-width: 100%; padding: 4px 11px; border: 1px solid var(--line);
  border-radius: 8px; background: var(--chip); font-size: 13px; overflow-wrap: anywhere; text-align: left;
}
.chips button:hover { border-color: var(--kind); }
table { width: 100%; border-collapse: collapse; font-size: 13px; }
td { padding: 5px 0; border-top: 1px solid var(--line); vertical-align: top; }
td:first-child { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; padding-right: 14px; white-space: nowrap; }
td + td { color: var(--faint); overflow-wrap: anywhere; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
@media (max-width: 760px) { body { grid-template: auto 1fr auto / 1fr; } aside { grid-column: 1; width: auto; max-width: none; max-height: 46vh; border-left: 0; border-top: 1px solid var(--line); } .hint { display: none; } }
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
`
