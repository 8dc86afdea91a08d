/**
 * What a walk does to the disk, by kind. Every operation leaves some tree behind, and which one depends on the seed and on the tree
 * before alone.
 */
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { basename, dirname, join } from "node:path"
import { BASES, BRANCHES, copyModules, git, isKnown, newText, TINY, TSCONFIGS, variantsOf, write } from "./project.ts"
import type { Random } from "./random.ts"

export interface Ground {
  readonly top: string
  readonly random: Random
  /** Counts up; makes names and texts that were not there before. */
  readonly next: () => number
  /** Awaits that the session has seen everything so far. */
  readonly settle: () => Promise<void>
  readonly signal: (signal: "SIGSTOP" | "SIGCONT") => void
}

/** What it did, for the log of a walk. */
type Operation = (ground: Ground) => string | Promise<string>

/** Folders that a walk changes, relative to the top folder. */
const GROUNDS = ["app/src", "app/lib", "app/packages", "elsewhere"]

interface Found {
  readonly path: string
  readonly kind: "file" | "folder" | "link"
}

/** Everything below the grounds, in order; links are not followed. */
const entriesOf = (top: string): ReadonlyArray<Found> => {
  const found: Array<Found> = []
  const visit = (folder: string): void => {
    if (!existsSync(join(top, folder)) || lstatSync(join(top, folder)).isSymbolicLink()) return
    for (const name of readdirSync(join(top, folder)).sort()) {
      const path = `${folder}/${name}`
      const stats = lstatSync(join(top, path))
      found.push({ path, kind: stats.isSymbolicLink() ? "link" : stats.isDirectory() ? "folder" : "file" })
      if (stats.isDirectory()) visit(path)
    }
  }
  for (const folder of GROUNDS) visit(folder)
  return found
}

const pathsOf = (top: string, kind: Found["kind"]): ReadonlyArray<string> =>
  entriesOf(top).flatMap((entry) => (entry.kind === kind ? [entry.path] : []))

const FALLBACK = "app/src/index.ts"

/** A regular file of the ground; there is always one afterwards. */
const someFile = ({ random, top }: Ground): string => {
  const manifests = random.chance(0.1) ? ["app/package.json"].filter((path) => existsSync(join(top, path))) : []
  const files = [...pathsOf(top, "file"), ...manifests]
  const known = files.filter(isKnown)
  if (known.length > 0 && random.chance(0.5)) return random.pick(known)
  if (files.length > 0) return random.pick(files)
  clear(top, FALLBACK)
  write(top, { [FALLBACK]: "export {}\n" })
  return FALLBACK
}

const someFolder = ({ random, top }: Ground): string => random.pick(["app/src", ...pathsOf(top, "folder")])

/** Whether a path leads to a folder; one that leads in circles does not. */
const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Makes a path free, and its folder there. */
const clear = (top: string, file: string): string => {
  let folder = top
  for (const name of file.split("/").slice(0, -1)) {
    folder = join(folder, name)
    if (isFolder(folder)) continue
    rmSync(folder, { force: true })
    mkdirSync(folder)
  }
  rmSync(join(top, file), { recursive: true, force: true })
  return join(top, file)
}

const MISSING_TEXT = "import type { Walked } from './later.js'\n"

/** Another text for a file: one that its path is known for, or a change of what it says. */
const otherText = ({ next, random, top }: Ground, file: string): string => {
  const text = readFileSync(join(top, file), "utf8")
  if (random.chance(0.8)) return random.pick(variantsOf(file))
  return random.pick([
    `${text}// ${next()}\n`,
    `\n${text}`,
    `\u{feff}${text}`,
    text.replaceAll("\n", "\r\n"),
    `${MISSING_TEXT}${text}`,
    text.replace("@Errors(", "@Errors(Missing, "),
    text.replace(/\/\w+\/:id/, "/same/:id"),
    text.replace("NotFound", "Lost"),
    text.replace(/\.js"/, '"'),
    text.replace("export class", "class")
  ])
}

const NEW_NAMES = [
  "app/src/schemas/later.ts",
  "app/src/services/later.ts",
  "app/src/operations/later.ts",
  "app/src/operations/more.ts",
  "app/src/later.ts",
  "app/src/deep/er/more.ts",
  "app/src/operations/more.mts",
  "app/src/index.d.ts",
  "app/src/types.d.ts",
  "app/src/notes.md",
  "app/src/data.json",
  "app/lib/later.ts",
  "app/lib/errors/index.ts",
  "app/packages/shared/later.ts",
  "app/packages/shared/tsconfig.json",
  "app/later.json",
  "elsewhere/v1/more.ts",
  "elsewhere/shared2/later.ts"
]

const TEXTS_BY_NAME: Readonly<Record<string, string>> = {
  "app/later.json": `{ "extends": "./tsconfig.base.json" }\n`,
  "app/src/data.json": "{}\n",
  "app/src/types.d.ts": "declare module 'tiny/more' {\n  export const limited: <A>(effect: A) => A\n}\n",
  "app/packages/shared/tsconfig.json": `{ "compilerOptions": { "composite": true }, "files": ["index.ts"] }\n`,
  "app/src/operations/more.mts": "export {}\n"
}

const create: Operation = (ground) => {
  const { next, random, top } = ground
  const file = random.pick(NEW_NAMES)
  writeFileSync(clear(top, file), TEXTS_BY_NAME[file] ?? newText(file, next()))
  return file
}

const edit: Operation = (ground) => {
  const file = someFile(ground)
  writeFileSync(join(ground.top, file), otherText(ground, file))
  return file
}

const replace: Operation = (ground) => {
  const { next, random, top } = ground
  const file = someFile(ground)
  const path = join(top, file)
  const staged = random.pick([
    `${path}.tmp${next()}`,
    join(dirname(path), `.${next()}.swp`),
    join(top, `outside/${next()}`)
  ])
  writeFileSync(staged, otherText(ground, file))
  // Some editors move the old file away first.
  if (random.chance(0.3)) {
    renameSync(path, `${path}~`)
    renameSync(staged, path)
    rmSync(`${path}~`)
  } else renameSync(staged, path)
  return file
}

const truncate: Operation = (ground) => {
  const file = someFile(ground)
  const path = join(ground.top, file)
  const text = otherText(ground, file)
  truncateSync(path)
  appendFileSync(path, text.slice(0, text.length / 2))
  appendFileSync(path, text.slice(text.length / 2))
  return file
}

/** Another text of the same length at the same time of modification. */
const stealth: Operation = (ground) => {
  const file = someFile(ground)
  const path = join(ground.top, file)
  const { atime, mtime } = statSync(path)
  const text = readFileSync(path, "utf8")
  const turned = ground.random.pick([
    text.replace("404", "409"),
    text.replace("User", "Usor"),
    text.replace("String", "Number"),
    text.replace("/orders", "/users?").replace("?", "s"),
    text.replace("get", "let")
  ])
  writeFileSync(path, turned)
  utimesSync(path, atime, mtime)
  return file
}

const touch: Operation = (ground) => {
  const file = someFile(ground)
  utimesSync(join(ground.top, file), 1_700_000_000, 1_700_000_000 + ground.next())
  return file
}

const rename: Operation = (ground) => {
  const { next, random, top } = ground
  const file = someFile(ground)
  const other = pathsOf(top, "file").filter((path) => path !== file)
  const to = random.chance(0.3)
    ? join(someFolder(ground), basename(file))
    : random.chance(0.4) && other.length > 0
      ? random.pick(other)
      : random.chance(0.5)
        ? random.pick(NEW_NAMES)
        : join(dirname(file), `named${next()}.ts`)
  if (to === file || to.startsWith(`${file}/`)) return file
  renameSync(join(top, file), clear(top, to))
  return `${file} to ${to}`
}

const swap: Operation = (ground) => {
  const { next, top } = ground
  const [a, b] = [someFile(ground), someFile(ground)]
  if (a === b) return a
  const away = join(top, `outside/${next()}`)
  renameSync(join(top, a), away)
  renameSync(join(top, b), join(top, a))
  renameSync(away, join(top, b))
  return `${a} and ${b}`
}

const remove: Operation = (ground) => {
  const { random, top } = ground
  const file = random.chance(0.15) ? someFolder(ground) : someFile(ground)
  if (file === "app/src") return file
  rmSync(join(top, file), { recursive: true, force: true })
  return file
}

const chmod: Operation = (ground) => {
  const { random, top } = ground
  if (random.chance(0.75)) {
    for (const { kind, path } of entriesOf(top)) {
      if (kind !== "link") chmodSync(join(top, path), kind === "folder" ? 0o755 : 0o644)
    }
    return "all readable"
  }
  const path = random.chance(0.3) ? someFolder(ground) : someFile(ground)
  const folder = lstatSync(join(top, path)).isDirectory()
  if (path !== "app/src")
    chmodSync(join(top, path), folder ? random.pick([0o000, 0o711, 0o744]) : random.pick([0o000, 0o600, 0o755]))
  return path
}

/** A link where there was a file or nothing: to a file, a folder, nothing, or itself. */
const symlink: Operation = (ground) => {
  const { next, random, top } = ground
  const file = random.chance(0.5)
    ? someFile(ground)
    : random.pick(["app/src/later", "app/src/later.ts", "app/lib/later.ts", "app/src/operations/more.ts"])
  const target = random.pick([
    join(top, someFile(ground)),
    join(top, someFolder(ground)),
    join(top, "elsewhere/v2/prices.ts"),
    ...(random.chance(0.3) ? [`missing${next()}`, basename(file)] : [])
  ])
  if (join(top, file) === target || target.startsWith(`${join(top, file)}/`)) return file
  symlinkSync(target, clear(top, file))
  return `${file} to ${target.replace(`${top}/`, "")}`
}

const retarget: Operation = ({ next, random, top }) => {
  const links: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ["app/linked", ["../elsewhere/v1", "../elsewhere/v2", "../elsewhere/v2", "../elsewhere/v1", "lib", "missing"]],
    [
      "app/node_modules/@acme/shared",
      ["../../packages/shared", "../../packages/shared", "../../../elsewhere/shared2", "missing"]
    ],
    ...pathsOf(top, "link").map(
      (link) => [link, [join(top, "app/lib/errors.ts"), join(top, "elsewhere/v2/prices.ts")]] as const
    )
  ]
  const [link, targets] = random.pick(links)
  const target = random.pick(targets)
  const staged = join(top, `outside/${next()}`)
  // In one step or in two.
  if (random.chance(0.5)) {
    symlinkSync(target, staged)
    renameOver(staged, join(top, link))
  } else symlinkSync(target, clear(top, link))
  return `${link} to ${target.replace(`${top}/`, "")}`
}

const renameOver = (from: string, to: string): void => {
  const there = lstatSync(to, { throwIfNoEntry: false })
  if (there?.isDirectory()) rmSync(to, { recursive: true })
  mkdirSync(dirname(to), { recursive: true })
  renameSync(from, to)
}

const MOVABLE = [
  "app/src/operations",
  "app/src/schemas",
  "app/src/services",
  "app/lib",
  "app/packages/shared",
  "elsewhere/v1",
  "elsewhere/v2"
]

const moveOut: Operation = (ground) => {
  const { next, random, top } = ground
  const folder = random.chance(0.8) ? random.pick(MOVABLE) : someFolder(ground)
  if (folder === "app/src" || !lstatSync(join(top, folder), { throwIfNoEntry: false })?.isDirectory()) return "nothing"
  renameSync(join(top, folder), join(top, `outside/${next()} ${basename(folder)}`))
  return folder
}

/** How many folders wait outside to be moved in. */
const PARKED = 6

const moveIn: Operation = ({ next, random, top }) => {
  const outside = join(top, "outside")
  const parked = readdirSync(outside)
    .filter((name) => name.includes(" ") && lstatSync(join(outside, name)).isDirectory())
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
  for (const name of parked.splice(0, Math.max(0, parked.length - PARKED)))
    rmSync(join(outside, name), { recursive: true })
  const from = random.chance(0.2) || parked.length === 0 ? undefined : random.pick(parked)
  if (from === undefined) cpSync(join(top, "modules/tiny"), join(outside, "copy"), { recursive: true })
  const home = MOVABLE.find((folder) => basename(folder) === from?.replace(/^\d+ /, ""))
  const to =
    home !== undefined && random.chance(0.7)
      ? home
      : random.pick(["app/src/moved", `app/src/moved${next()}`, "app/lib/errors", "elsewhere/v1"])
  renameSync(join(outside, from ?? "copy"), clear(top, to))
  return `${from ?? "a copy"} to ${to}`
}

/** A folder in the place of a file, or a file in that of a folder. */
const turn: Operation = (ground) => {
  const { random, top } = ground
  if (random.chance(0.3)) {
    const folder = someFolder(ground)
    if (folder === "app/src") return "nothing"
    writeFileSync(clear(top, folder), "export {}\n")
    return folder
  }
  const file = someFile(ground)
  if (file === "app/package.json") return "nothing"
  mkdirSync(clear(top, file))
  writeFileSync(join(top, file, "index.ts"), "export {}\n")
  return file
}

const checkout: Operation = ({ random, top }) => {
  const branch = random.pick(BRANCHES)
  rmSync(join(top, ".git/index.lock"), { force: true })
  git(top, "checkout", "-q", "-f", branch)
  git(top, "clean", "-fdq")
  return branch
}

/** Everything as at the beginning, but for the times of files. */
export const restore: Operation = (ground) => {
  const { top } = ground
  git(top, "checkout", "-q", "-f", "main")
  git(top, "clean", "-fdq")
  for (const { kind, path } of entriesOf(top)) if (kind === "folder") chmodSync(join(top, path), 0o755)
  for (const file of pathsOf(top, "file")) chmodSync(join(top, file), 0o644)
  rmSync(join(top, "app/node_modules/@acme"), { recursive: true, force: true })
  rmSync(join(top, "app/node_modules/tiny"), { recursive: true, force: true })
  for (const name of ["@acme", "tiny", "effect/package.json"]) {
    cpSync(join(top, "modules", name), join(top, "app/node_modules", name), { recursive: true, verbatimSymlinks: true })
  }
  return "main"
}

const tsconfig: Operation = ({ next, random, top }) => {
  const file = random.chance(0.3) ? "app/tsconfig.base.json" : "app/tsconfig.json"
  const path = join(top, file)
  if (random.chance(0.06)) {
    rmSync(path, { recursive: true, force: true })
    if (random.chance(0.3)) mkdirSync(path)
    if (random.chance(0.3) && !existsSync(path)) symlinkSync("missing.json", path)
    return `${file} gone`
  }
  const original = random.chance(0.5)
  const at = random.below(TSCONFIGS.length)
  const text =
    file === "app/tsconfig.json" ? TSCONFIGS[original ? 0 : at]?.text : original ? BASES[0] : random.pick(BASES)
  if (random.chance(0.5)) {
    writeFileSync(clear(top, file), text ?? "")
  } else {
    const staged = `${path}.${next()}.tmp`
    writeFileSync(staged, text ?? "")
    renameOver(staged, path)
  }
  return `${file} ${original ? "original" : at}`
}

const dependency: Operation = ({ random, top }) => {
  if (random.chance(0.1)) {
    const file = "app/node_modules/effect/package.json"
    const original = readFileSync(join(top, "modules/effect/package.json"), "utf8")
    const text = random.chance(0.7)
      ? original
      : original.replace(/"version": "[^"]*"/, `"version": "${random.pick(["4.0.6", "3.9.0"])}"`)
    write(top, { [file]: text })
    return file
  }
  const texts = random.chance(0.4) ? TINY[random.pick([0, 3])] : random.pick(TINY)
  for (const [name, text] of Object.entries(texts ?? {})) {
    writeFileSync(clear(top, `app/node_modules/tiny/${name}`), text)
    return name
  }
  return "nothing"
}

/** Dependencies go and come back, as an installation does it: some time without them, some time with half of them. */
const modules: Operation = async ({ next, random, settle, top }) => {
  const folder = join(top, "app/node_modules")
  if (random.chance(0.5)) rmSync(folder, { recursive: true, force: true })
  else {
    const away = join(top, `outside/${next()}`)
    renameSync(folder, away)
    rmSync(away, { recursive: true, force: true })
  }
  const seen = random.chance(0.5)
  if (seen) await settle()
  copyModules(top)
  return seen ? "seen without" : "at once"
}

/** How many changes overflow the kernel's queue of events three times over. */
const STORM = 60_000

const stop: Operation = (ground) => {
  const { next, random, signal, top } = ground
  signal("SIGSTOP")
  try {
    const base = join(top, "app/src", `storm${next()}`)
    mkdirSync(base)
    for (let at = 0; at < STORM / 3; at++) {
      const file = join(base, `${at % 100}.txt`)
      writeFileSync(file, "")
      renameSync(file, `${file}.tmp`)
      unlinkSync(`${file}.tmp`)
    }
    if (random.chance(0.5)) rmSync(base, { recursive: true })
    const done = [edit(ground), create(ground), remove(ground), retarget(ground)]
    return done.join(", ")
  } finally {
    signal("SIGCONT")
  }
}

export const OPERATIONS = {
  create,
  edit,
  replace,
  truncate,
  stealth,
  touch,
  rename,
  swap,
  delete: remove,
  chmod,
  symlink,
  retarget,
  moveOut,
  moveIn,
  turn,
  checkout,
  tsconfig,
  dependency
} as const satisfies Readonly<Record<string, Operation>>

/** Operations that take seconds: a walk does few of them, spread over its length. */
export const HEAVY = { modules, stop } as const satisfies Readonly<Record<string, Operation>>

/** Operations after which the same files are there: what a session analyses again is small, and what it keeps is much. */
export const CALM = ["edit", "replace", "truncate", "stealth"] as const satisfies ReadonlyArray<keyof typeof OPERATIONS>

export type Kind = keyof typeof OPERATIONS | keyof typeof HEAVY
