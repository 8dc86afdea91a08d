/**
 * A walk of an editor: seeded sessions of opening, typing, saving and closing, while the disk changes too. At every stop the question is
 * whether each open document shows what a fresh `effx check` says of the same contents, and each closed one nothing.
 *
 * Nothing waits for time to pass: a stop edits a document that every state of the project has and awaits its answer.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { type Ground, OPERATIONS, restore } from "../../equivalence/operations.ts"
import { isKnown, makeProject, newText, variantsOf } from "../../equivalence/project.ts"
import { randomOf } from "../../equivalence/random.ts"
import { type OpenDocument, open, type Server, shown, startLsp } from "./driver.ts"
import { freshCheck, makeMirror } from "./mirror.ts"
import { typing } from "./typing.ts"

export interface WalkOptions {
  readonly seed: number
  readonly steps: number
  /** Steps between two comparisons: those of one session of editing. */
  readonly stride: number
  readonly env?: Readonly<Record<string, string>>
  readonly log?: (line: string) => void
}

export interface Walked {
  readonly seed: number
  readonly histogram: Readonly<Record<Kind, number>>
  readonly comparisons: number
  /** Open documents that were compared, those of them with findings, and states that cannot be checked at all. */
  readonly documents: number
  readonly withFindings: number
  readonly unusable: number
  readonly codes: ReadonlyArray<string>
  /** Undefined when every comparison was equal. */
  readonly difference: Difference | undefined
}

export interface Difference {
  readonly step: number
  readonly file: string
  readonly editor: ReadonlyArray<string>
  readonly check: ReadonlyArray<string>
  /** What was done since the comparison before, one line each. */
  readonly done: ReadonlyArray<string>
}

/** Steps between two comparisons, and the share of other steps after which the walk waits for the answer. */
export const stride = 25
const ANSWERED = 0.2

/** The share of strides that begin with the disk as it was and every document closed, and in which texts stay well-formed. */
const CALM_SHARE = 0.6

/** Documents that are open at most, besides the cookie. */
const OPEN = 6

const COOKIE = "app/cookie.ts"

/** What is done in the editor. */
const EDITOR = ["open", "type", "garble", "burst", "whole", "stale", "save", "close", "rename"] as const
/** What others do to the disk. */
const DISK = ["edit", "replace", "truncate", "stealth", "create", "delete", "swap", "moveOut", "moveIn"] as const
const RARE = ["checkout", "tsconfig", "renameOutside"] as const

export type Kind = (typeof EDITOR)[number] | (typeof DISK)[number] | (typeof RARE)[number]

/** How often each is done, in relation. */
const WEIGHTS: ReadonlyArray<readonly [ReadonlyArray<Kind>, number]> = [
  [["type"], 30],
  [["open", "whole"], 12],
  [["garble", "burst", "save", "close"], 6],
  [["stale", "rename"], 2],
  [DISK, 2],
  [RARE, 1]
]
const KINDS: ReadonlyArray<Kind> = WEIGHTS.flatMap(([kinds, weight]) =>
  kinds.flatMap((kind) => Array.from({ length: weight }, () => kind))
)

const CALM = ["type", "type", "type", "whole", "open", "burst", "save", "close"] as const satisfies ReadonlyArray<Kind>

/** Where documents are. */
const GROUNDS = ["app/src", "app/lib", "app/packages", "elsewhere"]
const NEW_FILES = [
  "app/src/schemas/later.ts",
  "app/src/services/later.ts",
  "app/src/operations/later.ts",
  "app/src/operations/more.ts",
  "app/src/deep/er/more.ts",
  "app/src/later.ts",
  "app/lib/later.ts",
  "app/packages/shared/later.ts"
]

const sourcesOf = (top: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const visit = (folder: string): void => {
    for (const name of readdirSync(join(top, folder)).sort()) {
      const path = `${folder}/${name}`
      const stats = lstatSync(join(top, path))
      if (stats.isDirectory()) visit(path)
      else if (stats.isFile() && /\.ts$/.test(name)) found.push(path)
    }
  }
  for (const folder of GROUNDS)
    if (lstatSync(join(top, folder), { throwIfNoEntry: false })?.isDirectory()) visit(folder)
  return found
}

/** Whether a text may be that of any file: after it, most of a project has findings that say the same. */
const isGeneral = (text: string): boolean =>
  !/class|const|from "\.\/schemas|{ "?name/.test(text) || text.includes("./later.js")

/** A text as an editor has it: without byte-order mark. */
const read = (path: string): string => readFileSync(path, "utf8").replace(/^\u{feff}/u, "")

/** Walks until the steps are done or a comparison differs. */
export const walk = async (options: WalkOptions): Promise<Walked> => {
  const { seed, steps, stride } = options
  const log = options.log ?? (() => {})
  const random = randomOf(seed)
  const top = realpathSync(mkdtempSync(join(tmpdir(), "effx-editing-")))
  makeProject(top)
  const mirror = makeMirror()
  const server: Server = await startLsp(join(top, "app"), options.env === undefined ? {} : { env: options.env })
  const documents = new Map<string, OpenDocument>()
  const closed = new Set<string>()
  const histogram = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>
  let calm = false
  let number = 0
  const next = () => ++number
  const ground: Ground = { top, random, next, settle: () => quiet(), signal: () => {} }
  const cookie = open(server, join(top, COOKIE))
  let cookies = 0

  /** Awaits the answer to everything that was done so far. */
  const quiet = async (): Promise<void> => {
    cookie.replaceAll(`export const cookie = ${++cookies}\n`)
    await cookie.diagnostics()
    // What belongs to the same answer may come after it.
    await server.connection.sendRequest("journey/unknown").catch(() => undefined)
  }

  const openFile = (file: string, text?: string): OpenDocument => {
    const document = open(server, join(top, file), { text: text ?? read(join(top, file)) })
    documents.set(file, document)
    closed.delete(document.uri)
    return document
  }
  const closeFile = (file: string): void => {
    const document = documents.get(file)
    document?.close()
    documents.delete(file)
    if (document !== undefined) closed.add(document.uri)
  }
  const somePath = (): string => {
    const files = sourcesOf(top).filter((file) => !documents.has(file))
    const known = files.filter(isKnown)
    if (!calm && random.chance(0.2)) return random.pick(NEW_FILES.filter((file) => !documents.has(file)))
    if (known.length > 0 && random.chance(0.8)) return random.pick(known)
    return files.length > 0 ? random.pick(files) : "app/src/operations/more.ts"
  }
  /** Opens another one, or gives one that is open. */
  const someDocument = (): readonly [file: string, document: OpenDocument] => {
    const all = [...documents]
    if (all.length >= OPEN || (all.length > 0 && random.chance(0.8))) return random.pick(all)
    const file = somePath()
    if (documents.has(file)) return [file, documents.get(file) ?? openFile(file)]
    return [file, openFile(file, existsSync(join(top, file)) ? undefined : newText(file, next()))]
  }
  const aText = (file: string, document: OpenDocument): string => {
    if (calm) return random.pick([...variantsOf(file).filter((text) => !isGeneral(text)), document.text()])
    if (random.chance(0.6)) return random.pick(variantsOf(file)).replace(/^\u{feff}/u, "")
    const text = document.text()
    return random.pick([
      `${text}// 🧍 ${next()}\n`,
      `/* 𝔞 */ ${text}`,
      text.replaceAll(/\r?\n/g, "\r\n"),
      text.replaceAll("\r\n", "\n"),
      text.replace("/** Shows one. */", "/** Shows\u2028one. */"),
      text.replace("@Errors(", "/* 🧍 */ @Errors("),
      text.replace(/\/\w+\/:id/, "/same/:id"),
      newText(file, next())
    ])
  }

  const EDITING: Record<(typeof EDITOR)[number] | "renameOutside", () => string> = {
    open: () => {
      if (documents.size >= OPEN) closeFile(random.pick([...documents.keys()]))
      const [file] = someDocument()
      return file
    },
    type: () => {
      const [file, document] = someDocument()
      typing(document, aText(file, document), random)
      return file
    },
    whole: () => {
      const [file, document] = someDocument()
      document.replaceAll(aText(file, document))
      return file
    },
    garble: () => {
      const [file, document] = someDocument()
      const text = document.text()
      const start = random.below(text.length + 1)
      const length = random.below(Math.min(20, text.length - start + 1))
      const inserted = random.pick(["", "(", "}", "/*", "`", "@", "🧍", "\r\n", "x", '"'])
      typing(document, text.slice(0, start) + inserted + text.slice(start + length), random)
      return `${file} at ${start}`
    },
    burst: () => {
      const [file, document] = someDocument()
      const count = 5 + random.below(30)
      for (let at = 0; at < count; at++) typing(document, aText(file, document), random)
      return `${file} ${count} times`
    },
    stale: () => {
      const [file, document] = someDocument()
      document.change([{ text: "export const stale = ;\n" }], document.version() - random.below(3))
      return file
    },
    save: () => {
      const [file, document] = someDocument()
      const path = join(top, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, document.text())
      void server.connection.sendNotification("textDocument/didSave", { textDocument: { uri: document.uri } })
      return file
    },
    close: () => {
      const [file] = someDocument()
      closeFile(file)
      return file
    },
    rename: () => {
      const [file, document] = someDocument()
      const to = join(dirname(file), `named${next()}.ts`)
      const text = document.text()
      closeFile(file)
      if (existsSync(join(top, file))) rmSync(join(top, file))
      mkdirSync(dirname(join(top, to)), { recursive: true })
      writeFileSync(join(top, to), text)
      openFile(to)
      return `${file} to ${basename(to)}`
    },
    renameOutside: () => {
      const [file] = someDocument()
      const path = join(top, file)
      if (!existsSync(path)) return `${file} is not there`
      rmSync(path)
      return `${file} is taken away`
    }
  }

  const perform = (kind: Kind): string => {
    if (kind in EDITING) return EDITING[kind as keyof typeof EDITING]()
    const done = OPERATIONS[kind as keyof typeof OPERATIONS](ground)
    // Editors take over what changed on disk of what was not edited, most of the time.
    for (const [file, document] of documents) {
      if (random.chance(0.3) && existsSync(join(top, file))) document.replaceAll(read(join(top, file)))
    }
    return String(done)
  }

  let comparisons = 0
  let compared = 0
  let withFindings = 0
  let unusable = 0
  const codes = new Set<string>()
  let difference: Difference | undefined
  let done: Array<string> = []

  const compare = async (step: number): Promise<void> => {
    mirror.fill(top, new Map([...documents, [COOKIE, cookie]]))
    const check = await freshCheck(mirror.top)
    await quiet()
    comparisons++
    if (check === undefined) unusable++
    for (const [file, document] of documents) {
      const said = server.last(document.uri)
      const editor = said?.version === document.version() ? shown(said.diagnostics) : [`version ${said?.version}`]
      const expected = check?.get(file) ?? []
      compared++
      if (expected.length > 0) withFindings++
      for (const line of expected) codes.add(/\b(EFFX\d+)\b/.exec(line)?.[1] ?? line)
      if (JSON.stringify(editor) !== JSON.stringify(expected))
        difference ??= { step, file, editor, check: expected, done }
    }
    for (const uri of closed) {
      const editor = shown(server.last(uri)?.diagnostics ?? [])
      if (editor.length > 0) difference ??= { step, file: uri, editor, check: ["closed"], done }
    }
    log(`= ${check === undefined ? "unusable" : [...check.keys()].join(" ")}`)
  }

  try {
    for (let step = 1; step <= steps && difference === undefined; step++) {
      if (step % stride === 1) calm = random.chance(CALM_SHARE)
      if (step % stride === 1 && calm) {
        for (const file of [...documents.keys()]) closeFile(file)
        restore(ground)
        done.push("restored")
      }
      const kind = random.pick(calm ? CALM : KINDS)
      histogram[kind]++
      const what = perform(kind)
      done.push(`${step} ${kind}: ${what}`)
      log(`${step} ${kind}: ${what}`)
      if (step % stride === 0 || step === steps) {
        await compare(step)
        if (difference === undefined) done = []
      } else if (random.chance(ANSWERED)) {
        await quiet()
        done.push("answered")
      }
    }
    if (difference === undefined) await server.end()
  } finally {
    server.child.kill("SIGKILL")
    await server.ended
    if (process.env.EFFX_WALK_KEEP !== "1" || difference === undefined) {
      for (const folder of [top, mirror.top]) rmSync(folder, { recursive: true, force: true })
    } else log(`the trees are kept at ${top} and ${mirror.top}`)
  }
  return {
    seed,
    histogram,
    comparisons,
    documents: compared,
    withFindings,
    unusable,
    codes: [...codes].sort(),
    difference
  }
}

/** A walk in a few lines. */
export const summary = (walked: Walked): string =>
  [
    `seed ${walked.seed}: ${walked.comparisons} comparisons of ${walked.documents} documents, ${walked.withFindings} with findings, ${walked.unusable} of a project that cannot be checked`,
    walked.codes.join(", "),
    Object.entries(walked.histogram)
      .map(([kind, count]) => `${kind} ${count}`)
      .join(", "),
    ...(walked.difference === undefined
      ? []
      : [
          `differs at step ${walked.difference.step} in ${walked.difference.file}`,
          ...walked.difference.done,
          `editor: ${JSON.stringify(walked.difference.editor)}`,
          `check:  ${JSON.stringify(walked.difference.check)}`
        ])
  ].join("\n")
