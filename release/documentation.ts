/**
 * The documentation as HTML pages that work from disk: each Markdown page of the repository becomes one of the same path, links between
 * them follow, headings are anchors by GitHub's rules. The catalogue of diagnostics has an anchor for each code, such as
 * `docs/diagnostics.html#EFFX2201`.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { Marked } from "marked"
import { fail } from "./fail.ts"
import { root } from "./root.ts"

const STYLE = `
:root { color-scheme: light dark; }
body { max-width: 50rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.55 system-ui, sans-serif; }
pre, code { font: .9rem/1.45 ui-monospace, monospace; }
pre { padding: .8rem; overflow-x: auto; border: 1px solid #8886; border-radius: .3rem; }
table { border-collapse: collapse; }
th, td { padding: .2rem .6rem; border: 1px solid #8886; text-align: left; vertical-align: top; }
`

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** The anchor of a heading, without the number that GitHub gives to a repeated one. */
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-")

/** Where a page of the repository is in the documentation. */
export const pageOf = (path: string): string =>
  path.replace(/(^|\/)README\.md$/, "$1index.md").replace(/\.md$/, ".html")

const linkOf = (href: string): string => {
  if (/^[a-z]+:/.test(href)) return href
  const [path = "", fragment] = href.split("#")
  return pageOf(path) + (fragment === undefined ? "" : `#${fragment}`)
}

/** A page as HTML. */
export const html = (markdown: string): string => {
  const anchors = new Map<string, number>()
  const marked = new Marked({
    renderer: {
      heading({ depth, text, tokens }) {
        const anchor = slug(text.replaceAll("`", ""))
        const seen = anchors.get(anchor) ?? 0
        anchors.set(anchor, seen + 1)
        const id = seen === 0 ? anchor : `${anchor}-${seen}`
        return `<h${depth} id="${escaped(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        return `<a href="${escaped(linkOf(href))}">${this.parser.parseInline(tokens)}</a>`
      }
    }
  })
  const title = /^# (.*)$/m.exec(markdown)?.[1]?.replaceAll("`", "") ?? "effx"
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
${marked.parse(markdown, { async: false }).trimEnd()}
</html>
`
}

const below = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(md|json)$/.test(path))
    .map((path) => posix.join(folder, path))
    .sort()

/** Every link between pages that leads to no page, or to no place in it. */
export const brokenLinks = (pages: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  Array.from(pages).flatMap(([page, text]) =>
    Array.from(text.matchAll(/<a href="([^":#]*)(?:#([^"]*))?">/g), ([, path = "", anchor]) => {
      const target = path === "" ? text : pages.get(posix.join(posix.dirname(page), path))
      if (target === undefined) return [`${page} links to ${path}, which is not part of the documentation`]
      if (anchor === undefined || target.includes(` id="${anchor}"`)) return []
      return [`${page} links to ${path}#${anchor}, and there is no such place`]
    }).flat()
  )

/** Writes all pages below a folder. */
export const documentationTo = (folder: string): void => {
  const pages = new Map(
    ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", ...below("docs")].map((path) => {
      const text = readFileSync(join(root, path), "utf8")
      return [pageOf(path), path.endsWith(".md") ? html(text) : text]
    })
  )
  const problems = brokenLinks(pages)
  if (problems.length > 0) fail(...problems)
  for (const [page, text] of pages) {
    const file = join(folder, page)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
