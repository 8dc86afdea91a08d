/**
 * Every citation of a contract leads somewhere: `Spec`, a number, and what of it is meant, in any text of the repository, is a page of
 * docs/contracts with that heading.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"

const root = join(import.meta.dirname, "../..")
const FOLDERS = ["src", "test", "docs", "nix", "release"]

interface Citation {
  readonly contract: string
  /** A quoted heading, `§N`, `amendment A`, `gate N`; absent where the whole contract is meant. */
  readonly place?: string
}

/** Line breaks of comments and paragraphs as spaces: a citation may go on in the next line. */
const unwrapped = (text: string): string => text.replace(/\s*\n[ \t]*(?:\*(?!\/)|\/\/|#+)?[ \t]*/g, " ")

const PLACE = String.raw`"(?<heading>[^"]+)"|(?<section>§\d+)|(?<amendment>(?:Linux platform )?amendment(?: [A-Z]\b)?)|gates? (?<gate>\d+)`
const GATES_OF = /gates? (\d+(?:(?:,| and) \d+)*) of $/i

/** What a text cites, in order: `gate 1 of Spec …` too. */
const citationsIn = (text: string): ReadonlyArray<Citation> => {
  const flat = unwrapped(text)
  return Array.from(flat.matchAll(/\bSpec (\d{4})\b/g)).flatMap(({ 0: whole, 1: contract = "", index }) => {
    const places = (GATES_OF.exec(flat.slice(0, index))?.[1]?.match(/\d+/g) ?? []).map((number) => `gate ${number}`)
    const next = new RegExp(`(?:[,;]| and)? (?:${PLACE})`, "y")
    next.lastIndex = index + whole.length
    for (let found = next.exec(flat); found !== null; found = next.exec(flat)) {
      const { amendment, gate, heading, section } = found.groups ?? {}
      places.push(heading ?? section ?? amendment ?? `gate ${gate}`)
    }
    return places.length === 0 ? [{ contract }] : places.map((place) => ({ contract, place }))
  })
}

/** The headings of a page, and the bold beginnings of its paragraphs and items, without marks. */
const headingsOf = (markdown: string): ReadonlyArray<string> =>
  Array.from(
    markdown.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/^(?:#+ (.*)|\s*(?:[-*] |\d+\. )?\*\*(.+?)\*\*)/gm),
    ([, heading, bold]) => (heading ?? bold ?? "").replaceAll("`", "").trim()
  )

/** Whether a heading is the cited one. Sections, amendments and gates have a title behind their number. */
const isCited = (place: string, heading: string): boolean => {
  if (heading === place) return true
  if (!/^(?:§\d+|(?:Linux platform )?amendment(?: [A-Z])?|gate \d+)$/.test(place)) return false
  return heading.toLowerCase().startsWith(place.toLowerCase()) && /^[ :.]/.test(heading.slice(place.length))
}

/** @param pages by the contract's number */
const problemsOf = (file: string, text: string, pages: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  citationsIn(text).flatMap(({ contract, place }) => {
    const page = pages.get(contract)
    if (page === undefined) return [`${file} cites contract ${contract}, which has no page`]
    if (place === undefined || headingsOf(page).some((heading) => isCited(place, heading))) return []
    return [`${file} cites contract ${contract}, ${place}, which its page has not`]
  })

/** Texts below a folder of the repository. */
const textsIn = (folder: string): ReadonlyArray<readonly [string, string]> =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.name === "node_modules") return []
    if (entry.isDirectory()) return textsIn(path)
    const text = entry.isFile() ? readFileSync(join(root, path), "utf8") : "\0"
    return text.includes("\0") ? [] : [[path, text] as const]
  })

const CONTRACTS = "docs/contracts"
const names = readdirSync(join(root, CONTRACTS)).filter((name) => /^\d{4}-.*\.md$/.test(name))
const contracts = new Map(names.map((name) => [name.slice(0, 4), readFileSync(join(root, CONTRACTS, name), "utf8")]))

describe("a citation", () => {
  /** Kept apart, so that these texts cite nothing themselves. */
  const spec = (rest: string): string => `Spec ${rest}`

  it.each<readonly [string, ReadonlyArray<Citation>]>([
    [spec('0002, "StableIds", which is why'), [{ contract: "0002", place: "StableIds" }]],
    [
      spec('0002, "Module\n * specifier" and "StableIds")'),
      [
        { contract: "0002", place: "Module specifier" },
        { contract: "0002", place: "StableIds" }
      ]
    ],
    [
      `/**\n * (LSP 3.17; ${spec("0018")}\n * §4, §5, resources).\n */`,
      [
        { contract: "0018", place: "§4" },
        { contract: "0018", place: "§5" }
      ]
    ],
    [
      `// ${spec("0018,")}\n// Linux platform amendment and amendment B`,
      [
        { contract: "0018", place: "Linux platform amendment" },
        { contract: "0018", place: "amendment B" }
      ]
    ],
    [
      `/** Gates 5 and 6 of ${spec("0018 §8; gate 7")}. */`,
      [
        { contract: "0018", place: "gate 5" },
        { contract: "0018", place: "gate 6" },
        { contract: "0018", place: "§8" },
        { contract: "0018", place: "gate 7" }
      ]
    ],
    [spec("0002: the whole frontend"), [{ contract: "0002" }]],
    ["a special case of 0002", []]
  ])("is found: %j", (text, expected) => expect(citationsIn(text)).toEqual(expected))

  const page =
    "# Contract\n\n## §1 Goal\n\n```\n## §2 No heading\n```\n\n### `Names`\n\n1. **Gate 1: a start.** It starts.\n"
  const problems = (rest: string): ReadonlyArray<string> => problemsOf("a.ts", spec(rest), new Map([["0001", page]]))

  it.each(["0001", "0001 §1", '0001, "Names"', "0001 §1; gate 1"])("leads to a heading: %s", (rest) =>
    expect(problems(rest)).toEqual([])
  )

  it.each([
    ["0001 §2", "a.ts cites contract 0001, §2, which its page has not"],
    ["0001 §1, §11", "a.ts cites contract 0001, §11, which its page has not"],
    ['0001, "Name"', "a.ts cites contract 0001, Name, which its page has not"],
    ["0001 §1, amendment A", "a.ts cites contract 0001, amendment A, which its page has not"],
    ["0001; gate 10", "a.ts cites contract 0001, gate 10, which its page has not"],
    ["0002 §1", "a.ts cites contract 0002, which has no page"]
  ])("leads nowhere: %s", (rest, problem) => expect(problems(rest)).toEqual([problem]))
})

describe("the repository", () => {
  const texts = FOLDERS.flatMap(textsIn)

  it("cites contracts, in headings that exist", () => {
    expect(texts.flatMap(([, text]) => citationsIn(text)).length).toBeGreaterThan(50)
    expect(texts.flatMap(([file, text]) => problemsOf(file, text, contracts))).toEqual([])
  })

  it("lists each contract once", () => {
    const list = readFileSync(join(root, CONTRACTS, "README.md"), "utf8")
    expect(Array.from(list.matchAll(/\((\d{4}-[^)#]*\.md)\)/g), ([, name]) => name).sort()).toEqual([...names].sort())
  })
})
