/**
 * The page's behaviour, as the text of its one script: pan and zoom, selection with its panel, search, kinds on and off,
 * keyboard. It is text and not a function, so that the page's bytes do not depend on who transpiles this package.
 *
 * It reads `#data` (the view, and what the panel shows of each node) and changes only classes, the panel and the
 * picture's transformation. Everything from the application enters the page as text nodes.
 */
export const PAGE_SCRIPT = String.raw`
"use strict"
const data = JSON.parse(document.getElementById("data").textContent)
const svg = document.getElementById("picture")
const world = document.getElementById("world")
const panel = document.getElementById("panel")
const search = document.getElementById("search")
const results = document.getElementById("results")
const size = { width: Number(svg.dataset.width), height: Number(svg.dataset.height) }
const nodes = new Map(data.nodes.map((node) => [node.id, node]))
const cards = new Map(Array.from(svg.querySelectorAll(".node"), (element) => [element.dataset.id, element]))
const lines = Array.from(svg.querySelectorAll(".edge"), (element) => ({ element, edge: data.edges[element.dataset.edge] }))
const hiddenKinds = new Set()
let selected
let view = { x: 0, y: 0, scale: 1 }
/* Whether the reader moved the picture: until then it follows the size of the window. */
let touched = false

const make = (tag, properties, ...children) => {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

/* Pan and zoom */

const MIN_SCALE = 0.05
const MAX_SCALE = 3

const show = () => {
  world.setAttribute("transform", "translate(" + view.x + " " + view.y + ") scale(" + view.scale + ")")
  svg.style.backgroundPosition = view.x + "px " + view.y + "px"
}
const zoomAt = (x, y, factor) => {
  const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, view.scale * factor))
  touched = true
  view = { x: x - ((x - view.x) * scale) / view.scale, y: y - ((y - view.y) * scale) / view.scale, scale }
  show()
}
const fit = () => {
  const { clientWidth, clientHeight } = svg
  const whole = Math.min(clientWidth / size.width, clientHeight / size.height)
  const scale = Math.min(1.15, Math.max(whole, Math.min(clientWidth / size.width, 0.55)))
  view = {
    x: Math.max((clientWidth - size.width * scale) / 2, 0),
    y: Math.max((clientHeight - size.height * scale) / 2, 0),
    scale
  }
  show()
}
const showAll = () => {
  touched = false
  fit()
}
const place = (id) => {
  const [x, y] = cards.get(id).getAttribute("transform").match(/-?[\d.]+/g).map(Number)
  return { x: x + 116, y: y + 23 }
}
const reveal = (id) => {
  const { x, y } = place(id)
  const [left, top] = [view.x + x * view.scale, view.y + y * view.scale]
  const margin = 100
  const inside = left > margin && left < svg.clientWidth - margin && top > 60 && top < svg.clientHeight - 60
  if (inside && view.scale > 0.4) return
  touched = true
  const scale = Math.max(view.scale, 0.75)
  view = { x: svg.clientWidth / 2 - x * scale, y: svg.clientHeight / 2 - y * scale, scale }
  show()
}

svg.addEventListener("wheel", (event) => {
  event.preventDefault()
  const unit = event.deltaMode === 1 ? 18 : 1
  if (event.ctrlKey || event.metaKey) {
    const box = svg.getBoundingClientRect()
    zoomAt(event.clientX - box.left, event.clientY - box.top, Math.exp(-event.deltaY * unit * 0.0035))
  } else {
    const [x, y] = event.shiftKey ? [event.deltaY, event.deltaX] : [event.deltaX, event.deltaY]
    touched = true
    view = { ...view, x: view.x - x * unit, y: view.y - y * unit }
    show()
  }
}, { passive: false })

const pointers = new Map()
let moved = false
svg.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
  moved = false
})
svg.addEventListener("pointermove", (event) => {
  const before = pointers.get(event.pointerId)
  if (before === undefined) return
  const [dx, dy] = [event.clientX - before.x, event.clientY - before.y]
  if (!moved && Math.hypot(dx, dy) < 4) return
  if (!moved) svg.setPointerCapture(event.pointerId)
  moved = true
  svg.classList.add("dragging")
  const others = Array.from(pointers).filter(([id]) => id !== event.pointerId)
  if (others.length === 1) {
    const anchor = others[0][1]
    const box = svg.getBoundingClientRect()
    const span = (x, y) => Math.hypot(x - anchor.x, y - anchor.y) || 1
    zoomAt(anchor.x - box.left, anchor.y - box.top, span(event.clientX, event.clientY) / span(before.x, before.y))
  } else {
    touched = true
    view = { ...view, x: view.x + dx, y: view.y + dy }
    show()
  }
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
})
const release = (event) => {
  pointers.delete(event.pointerId)
  if (pointers.size === 0) svg.classList.remove("dragging")
}
svg.addEventListener("pointerup", release)
svg.addEventListener("pointercancel", release)

/* Selection and panel */

const relations = (id) => {
  const groups = new Map()
  const add = (word, other) => groups.set(word, [...(groups.get(word) ?? []), other])
  for (const edge of data.edges) {
    if (edge.from === id) add(data.relations[edge.kind][0], edge.to)
    if (edge.to === id) add(data.relations[edge.kind][1], edge.from)
  }
  return groups
}

const chip = (id) => {
  const node = nodes.get(id)
  const button = make("button", { type: "button", className: node.kind }, make("span", { className: "dot" }), node.label)
  button.addEventListener("click", () => select(id, true))
  return button
}

const panelOf = (node) => {
  const close = make("button", { type: "button", className: "close", title: "Close (Esc)", ariaLabel: "Close" }, "×")
  close.addEventListener("click", clear)
  const parts = [
    make("header", {}, make("h2", {}, node.label), close),
    make("span", { className: "pill " + node.kind }, node.kind === "operation" ? node.note : node.kind)
  ]
  for (const text of node.texts) parts.push(make("p", {}, text))
  if (node.rows.length > 0) {
    const list = make("dl", {})
    node.rows.forEach(([label, text], at) => {
      list.append(make("dt", {}, node.rows[at - 1]?.[0] === label ? "" : label), make("dd", {}, text))
    })
    parts.push(list)
  }
  if (node.fields.length > 0) {
    const body = make("tbody", {})
    for (const [name, type] of node.fields) body.append(make("tr", {}, make("td", {}, name), make("td", {}, type)))
    parts.push(make("h3", {}, "Fields"), make("table", {}, body))
  }
  for (const [word, ids] of relations(node.id)) {
    parts.push(make("h3", {}, word), make("div", { className: "chips" }, ...ids.map(chip)))
  }
  return parts
}

const mark = () => {
  svg.classList.toggle("focused", selected !== undefined)
  const related = new Set()
  for (const { edge, element } of lines) {
    const active = edge.from === selected || edge.to === selected
    element.classList.toggle("active", active)
    if (active) {
      related.add(edge.from).add(edge.to)
      element.style.setProperty("--kind", "var(--" + (edge.kind === "ErrorOf" ? "error" : nodes.get(selected).kind) + ")")
    } else element.style.removeProperty("--kind")
  }
  for (const [id, element] of cards) {
    element.classList.toggle("selected", id === selected)
    element.classList.toggle("related", related.has(id))
    element.setAttribute("tabindex", id === selected ? "0" : "-1")
    if (id === selected) element.setAttribute("aria-current", "true")
    else element.removeAttribute("aria-current")
  }
}

const select = (id, focus) => {
  if (!nodes.has(id)) return
  selected = id
  panel.replaceChildren(...panelOf(nodes.get(id)))
  panel.scrollTop = 0
  if (!touched) fit()
  mark()
  history.replaceState(null, "", "#" + encodeURIComponent(id))
  reveal(id)
  if (focus) cards.get(id).focus({ preventScroll: true })
}
const clear = () => {
  selected = undefined
  panel.replaceChildren()
  mark()
  history.replaceState(null, "", location.pathname + location.search)
}

svg.addEventListener("click", (event) => {
  if (moved) return
  const card = event.target.closest(".node")
  if (card) select(card.dataset.id, true)
  else clear()
})

/* Search */

let at = -1
const matches = (text) => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return data.nodes
    .filter((node) => words.every((word) => (node.label + " " + node.note + " " + node.kind).toLowerCase().includes(word)))
    .map((node) => ({ node, rank: node.label.toLowerCase().indexOf(words[0]) }))
    .sort((a, b) => (a.rank < 0) - (b.rank < 0) || a.rank - b.rank || a.node.label.length - b.node.label.length)
    .slice(0, 40)
    .map(({ node }) => node)
}
const list = () => {
  const found = matches(search.value)
  at = found.length > 0 ? 0 : -1
  results.replaceChildren(
    ...found.map((node, index) => {
      const item = make("li", { className: node.kind, id: "result-" + index }, make("span", { className: "dot" }), node.label, make("small", {}, node.note))
      item.setAttribute("role", "option")
      item.setAttribute("aria-selected", String(index === at))
      item.addEventListener("pointerdown", (event) => {
        event.preventDefault()
        choose(node.id)
      })
      return item
    })
  )
  if (search.value.trim() !== "" && found.length === 0) results.append(make("li", {}, "Nothing has this name"))
  search.setAttribute("aria-expanded", String(found.length > 0))
  point()
}
const point = () => {
  Array.from(results.children).forEach((item, index) => {
    item.setAttribute("aria-selected", String(index === at))
    if (index === at) item.scrollIntoView({ block: "nearest" })
  })
  if (at >= 0) search.setAttribute("aria-activedescendant", "result-" + at)
  else search.removeAttribute("aria-activedescendant")
}
const choose = (id) => {
  search.value = ""
  list()
  select(id, true)
}
search.addEventListener("input", list)
search.addEventListener("focus", list)
search.addEventListener("blur", () => results.replaceChildren())
search.addEventListener("keydown", (event) => {
  const found = matches(search.value)
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault()
    if (found.length > 0) at = (at + (event.key === "ArrowDown" ? 1 : found.length - 1)) % found.length
    point()
  } else if (event.key === "Enter" && found[at]) choose(found[at].id)
  else if (event.key === "Escape") {
    search.value = ""
    search.blur()
    event.stopPropagation()
  }
})

/* Kinds on and off */

const isHidden = (id) => hiddenKinds.has(nodes.get(id).kind)
for (const button of document.querySelectorAll(".legend button")) {
  button.addEventListener("click", () => {
    const kind = button.dataset.kind
    if (!hiddenKinds.delete(kind)) hiddenKinds.add(kind)
    button.setAttribute("aria-pressed", String(!hiddenKinds.has(kind)))
    for (const [id, element] of cards) element.classList.toggle("hidden", isHidden(id))
    for (const { edge, element } of lines) element.classList.toggle("hidden", isHidden(edge.from) || isHidden(edge.to))
  })
}

/* Keyboard and buttons */

const nearest = (from, key) => {
  const start = place(from)
  const along = key === "ArrowLeft" || key === "ArrowRight" ? "x" : "y"
  const across = along === "x" ? "y" : "x"
  const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1
  let best
  for (const id of cards.keys()) {
    if (isHidden(id)) continue
    const end = place(id)
    const forward = (end[along] - start[along]) * sign
    if (forward <= 0) continue
    const score = forward + Math.abs(end[across] - start[across]) * (along === "y" ? 8 : 1.5)
    if (best === undefined || score < best.score) best = { id, score }
  }
  return best?.id
}
const middle = () => [svg.clientWidth / 2, svg.clientHeight / 2]
const zoomIn = () => zoomAt(...middle(), 1.25)
const zoomOut = () => zoomAt(...middle(), 0.8)

document.addEventListener("keydown", (event) => {
  if (event.target === search || event.ctrlKey || event.metaKey || event.altKey) return
  const card = event.target.closest?.(".node")
  if (event.key === "/") {
    event.preventDefault()
    search.focus()
  } else if (event.key === "Escape") clear()
  else if (event.key === "+" || event.key === "=") zoomIn()
  else if (event.key === "-") zoomOut()
  else if (event.key === "0") showAll()
  else if (event.key.startsWith("Arrow") && (card || event.target === svg)) {
    event.preventDefault()
    const next = card ? nearest(card.dataset.id, event.key) : selected ?? cards.keys().next().value
    if (next === undefined) return
    reveal(next)
    cards.get(next).focus({ preventScroll: true })
  } else if ((event.key === "Enter" || event.key === " ") && card) {
    event.preventDefault()
    select(card.dataset.id, true)
  }
})
document.getElementById("zoom-in").addEventListener("click", zoomIn)
document.getElementById("zoom-out").addEventListener("click", zoomOut)
document.getElementById("fit").addEventListener("click", showAll)
document.getElementById("theme").addEventListener("click", () => {
  const dark = getComputedStyle(document.documentElement).colorScheme === "dark"
  document.documentElement.dataset.theme = dark ? "light" : "dark"
})

new ResizeObserver(() => {
  if (!touched) fit()
}).observe(svg)
fit()
const wanted = decodeURIComponent(location.hash.slice(1))
if (nodes.has(wanted)) select(wanted, false)
`
