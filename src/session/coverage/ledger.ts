/**
 * The facts that executable coverage rests on, as they were when each route was added.
 *
 * Guarantees:
 * - a route is covered as a whole or refused with a `CoverageProblem`: nothing is cut short, links below a declared folder are
 *   recorded and not followed;
 * - what several routes share is observed once, and each keeps its own links;
 * - as long as every fact holds, every route leads where it led: a change of one shows as a fact that does not hold.
 *
 * A comparison is one `lstat` for each fact; what is not written is not read again. Both yield, so that a signal is answered.
 */
import { Effect, type Path } from "effect"
import { explainCode } from "../errno.ts"
import { LIMITS } from "../limits.ts"
import { type Exclusions, makeExclusions } from "./exclusions.ts"
import { expand } from "./expand.ts"
import { type Demand, type Fact, namesOf, observe } from "./fact.ts"
import { CoverageProblem } from "./problem.ts"
import type { Route } from "./route.ts"

/** A route with the physical paths that it led through when it was added. */
export interface Covered {
  readonly route: Route
  /** Its links, then where it ends. */
  readonly trail: ReadonlyArray<string>
}

export interface Ledger {
  /** Observes what is not observed yet; what is keeps its facts. */
  readonly add: (routes: ReadonlyArray<Route>) => Effect.Effect<void, CoverageProblem>
  /** The paths that are not as they were, a folder without what lies below it; at most `LIMITS.replacedNames`. */
  readonly changed: Effect.Effect<ReadonlyArray<string>>
  /** Leaves out what lies below these paths, unless it is declared itself. */
  readonly exclude: (paths: ReadonlyArray<string>) => void
  readonly covered: () => ReadonlyArray<Covered>
  /** Everything that is observed. */
  readonly paths: () => Iterable<string>
  /** The folders whose entries decide what the routes lead to. */
  readonly folders: () => ReadonlySet<string>
  /** How many paths are observed. */
  readonly size: () => number
}

export type CoverageLimits = Readonly<Record<keyof typeof LIMITS.coverage, number>>

const STRENGTH: Readonly<Record<Demand, number>> = { presence: 0, entry: 1, content: 2 }

/** How many facts are looked at before others may run, and how many bytes count as one. */
const FACTS_A_TURN = 1_000
const BYTES_A_FACT = 16_384

const dirname = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/"

const childOf = (folder: string, name: string): string => `${folder === "/" ? "" : folder}/${name}`

const keyOf = (route: Route): string => `${route.reach}:${route.path}`

const tooMuch = (route: Route, limit: number, what: string): CoverageProblem =>
  new CoverageProblem({ route, reason: `makes more than ${limit.toLocaleString("en")} ${what}; declare fewer` })

interface Observed {
  readonly fact: Fact
  /** Whether only a covered folder leads to it, so that exclusions apply. */
  readonly below: boolean
}

export const makeLedger = (path: Path.Path, limits: CoverageLimits = LIMITS.coverage): Ledger => {
  const observed = new Map<string, Observed>()
  const routes = new Map<string, Covered>()
  const exclusions: Exclusions = makeExclusions(path)
  let bytes = 0
  let work = 0

  const pause = Effect.suspend(() => {
    work = 0
    return Effect.yieldNow
  })

  /** The fact about a path, observed now unless it is known with all that is demanded. */
  const record = (file: string, demand: Demand, below: boolean): Fact => {
    const known = observed.get(file)
    if (known !== undefined && STRENGTH[known.fact.demand] >= STRENGTH[demand]) {
      if (known.below && !below) observed.set(file, { ...known, below })
      return known.fact
    }
    const fact = observe(file, demand)
    observed.set(file, { fact, below: below && (known?.below ?? true) })
    if (demand === "content") bytes += fact.size
    work += 1 + fact.size / BYTES_A_FACT
    return fact
  }

  const problemOf = (route: Route, fact: Fact): CoverageProblem | undefined => {
    const of = (reason: string) =>
      new CoverageProblem({ route, reason, ...(fact.path !== route.path && { path: fact.path }) })
    if (fact.denied !== undefined) return of(`cannot be read: ${explainCode(fact.denied)}`)
    if (observed.size > limits.inputs) return tooMuch(route, limits.inputs, "covered files and folders")
    if (bytes > limits.bytes) return tooMuch(route, limits.bytes, "bytes of covered files")
    if (Buffer.byteLength(fact.path) > limits.path) {
      return of(`is a path of more than ${limits.path.toLocaleString("en")} bytes`)
    }
    return undefined
  }

  /** Room for the bytes of a file, before it is read. */
  const fits = (route: Route, fact: Fact) =>
    observed.get(fact.path)?.fact.demand !== "content" && bytes + fact.size > limits.bytes
      ? Effect.fail(tooMuch(route, limits.bytes, "bytes of covered files"))
      : Effect.void

  const take = Effect.fnUntraced(function* (route: Route, file: string, demand: Demand, below: boolean) {
    if (demand === "content") yield* fits(route, record(file, "entry", below))
    const fact = record(file, demand, below)
    const problem = problemOf(route, fact)
    if (problem !== undefined) return yield* problem
    if (work >= FACTS_A_TURN) yield* pause
    return fact
  })

  const walk = Effect.fnUntraced(function* (roots: ReadonlyArray<{ readonly route: Route; readonly folder: string }>) {
    const visited = new Set<string>()
    let level = roots
    for (let depth = 0; level.length > 0; depth++) {
      const below: Array<(typeof roots)[number]> = []
      for (const { folder, route } of level) {
        if (visited.has(folder)) continue
        visited.add(folder)
        if (depth > limits.depth) {
          return yield* new CoverageProblem({
            route,
            path: folder,
            reason: `lies more than ${limits.depth} folders deep`
          })
        }
        const listing = yield* take(route, folder, "content", depth > 0)
        for (const name of namesOf(listing)) {
          const child = childOf(folder, name)
          if (exclusions.excludes(child)) continue
          if (name.includes("\uFFFD")) {
            return yield* new CoverageProblem({ route, path: child, reason: "has a name that is not UTF-8" })
          }
          const { kind } = yield* take(route, child, "entry", true)
          if (route.reach !== "tree") continue
          if (kind === "file") yield* take(route, child, "content", true)
          if (kind === "folder") below.push({ route, folder: child })
        }
      }
      level = below
    }
  })

  const add: Ledger["add"] = Effect.fnUntraced(function* (added) {
    const roots: Array<{ readonly route: Route; readonly folder: string }> = []
    for (const route of added) {
      if (routes.has(keyOf(route))) continue
      if (route.reach === "presence") {
        yield* take(route, route.path, "presence", false)
        routes.set(keyOf(route), { route, trail: [] })
        continue
      }
      const expansion = expand(route.path, (file) => record(file, "entry", false), limits)
      if (typeof expansion === "string") return yield* new CoverageProblem({ route, reason: expansion })
      const { end, links, rest } = expansion
      const problem = problemOf(route, end)
      if (problem !== undefined) return yield* problem
      if (work >= FACTS_A_TURN) yield* pause
      routes.set(keyOf(route), { route, trail: [...links, end.path] })
      if (rest.length > 0 || end.kind === "missing") continue
      if (end.kind === "folder") {
        exclusions.keep(end.path)
        roots.push({ route, folder: end.path })
      } else if (end.kind === "file") {
        yield* take(route, end.path, "content", false)
      } else {
        return yield* new CoverageProblem({ route, reason: "is neither a file nor a folder" })
      }
    }
    // Apart from each other: a folder whose names are covered can lie in a tree.
    yield* walk(roots.filter(({ route }) => route.reach === "tree"))
    yield* walk(roots.filter(({ route }) => route.reach === "names"))
  })

  const changed: Ledger["changed"] = Effect.gen(function* () {
    const found = new Set<string>()
    const isBelowFound = (file: string) => {
      for (let at = file; at !== "/"; at = dirname(at)) if (found.has(at)) return true
      return false
    }
    for (const [file, { below, fact }] of observed) {
      if (found.size >= LIMITS.replacedNames) break
      const now = observe(file, fact.demand, fact)
      work += now.stamp !== undefined && now.stamp === fact.stamp ? 1 : 1 + now.size / BYTES_A_FACT
      if (work >= FACTS_A_TURN) yield* pause
      if (now === fact) continue
      const same = now.kind === fact.kind && now.denied === fact.denied
      if (same && now.content === fact.content) {
        if (now.stamp !== fact.stamp) observed.set(file, { below, fact: now })
        continue
      }
      if (same && now.kind === "folder") {
        const names = new Set(namesOf(now))
        const before = new Set(namesOf(fact))
        const differing = Array.from(names.symmetricDifference(before), (name) => childOf(file, name))
        const replaced = differing.filter((child) => !exclusions.excludes(child))
        if (replaced.length === 0) observed.set(file, { below, fact: now })
        for (const child of replaced) if (!isBelowFound(child)) found.add(child)
        continue
      }
      if (!isBelowFound(file)) found.add(file)
    }
    return Array.from(found).slice(0, LIMITS.replacedNames)
  })

  return {
    add,
    changed,
    exclude: (paths) => {
      if (!exclusions.exclude(paths)) return
      for (const [file, { below, fact }] of observed) {
        if (!below || !exclusions.excludes(file)) continue
        observed.delete(file)
        if (fact.demand === "content") bytes -= fact.size
      }
    },
    covered: () => Array.from(routes.values()),
    folders: () => {
      const folders = new Set<string>()
      for (const { route, trail } of routes.values()) {
        for (const file of trail.length === 0 ? [route.path] : trail) folders.add(dirname(file))
      }
      for (const { fact } of observed.values()) {
        if (fact.kind === "folder" && fact.demand === "content") folders.add(fact.path)
      }
      return folders
    },
    paths: () => observed.keys(),
    size: () => observed.size
  }
}
