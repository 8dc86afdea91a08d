/** Changes of how an operation is reached, and of who may reach it. */
import type { Change } from "./change.ts"
import { routeKey } from "./pairing.ts"
import { guardsOf, type PublicOperation } from "./surface.ts"

interface Difference<A> {
  readonly lost: ReadonlyArray<A>
  readonly gained: ReadonlyArray<A>
}

const difference = <A>(before: ReadonlyArray<A>, after: ReadonlyArray<A>, key: (item: A) => string): Difference<A> => {
  const old = new Set(before.map(key))
  const current = new Set(after.map(key))
  return {
    lost: before.filter((item) => !current.has(key(item))),
    gained: after.filter((item) => !old.has(key(item)))
  }
}

interface Words {
  readonly noun: "route" | "rpc" | "command"
  readonly moved: "route-changed" | "rpc-renamed" | "command-renamed"
  readonly title: string
}

const ROUTE: Words = { noun: "route", moved: "route-changed", title: "route" }
const RPC: Words = { noun: "rpc", moved: "rpc-renamed", title: "RPC name" }
const COMMAND: Words = { noun: "command", moved: "command-renamed", title: "command" }

/** One lost and one gained are one that moved; else each stands alone. */
const describe = (subject: string, words: Words, { gained, lost }: Difference<string>): ReadonlyArray<Change> => {
  const [from, ...otherLost] = lost
  const [to, ...otherGained] = gained
  if (from !== undefined && to !== undefined && otherLost.length === 0 && otherGained.length === 0) {
    const reason = `callers that use the old ${words.title} find nothing there`
    return [{ kind: words.moved, subject, breaking: true, reason, detail: `${from} → ${to}` }]
  }
  return [
    ...lost.map(
      (detail): Change => ({
        kind: `${words.noun}-removed`,
        subject,
        breaking: true,
        reason: `callers that use the ${words.title} find nothing there`,
        detail
      })
    ),
    ...gained.map(
      (detail): Change => ({
        kind: `${words.noun}-added`,
        subject,
        breaking: false,
        reason: "nobody calls it yet",
        detail
      })
    )
  ]
}

/** All exposures of an operation that appears or disappears as a whole. */
export const exposureChanges = (
  subject: string,
  before: Pick<PublicOperation, "routes" | "rpcs" | "commands">,
  after: Pick<PublicOperation, "routes" | "rpcs" | "commands">
): ReadonlyArray<Change> => {
  const routes = difference(before.routes, after.routes, routeKey)
  const show = ({ method, path }: { readonly method: string; readonly path: string }): string => `${method} ${path}`
  const rpcs = difference(before.rpcs, after.rpcs, ({ name }) => name)
  return [
    ...describe(subject, ROUTE, { lost: routes.lost.map(show), gained: routes.gained.map(show) }),
    ...describe(subject, RPC, { lost: rpcs.lost.map(({ name }) => name), gained: rpcs.gained.map(({ name }) => name) }),
    ...describe(
      subject,
      COMMAND,
      difference(before.commands, after.commands, (words) => words)
    )
  ]
}

const showAccess = (access: PublicOperation["access"]): string =>
  access?.exposure === "protected" ? `protected by ${guardsOf(access).join(", ")}` : "public"

const guardChange = (
  subject: string,
  where: string,
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>,
  detail: string
): ReadonlyArray<Change> => {
  if (before.join() === after.join()) return []
  const kind = "access-changed"
  if (after.length === 0)
    return [{ kind, subject, breaking: false, reason: `everyone may call it ${where} now`, detail }]
  const reason =
    before.length === 0
      ? `callers ${where} without credentials are refused now`
      : `callers ${where} may need other credentials`
  return [{ kind, subject, breaking: true, reason, detail }]
}

/** Who may call: HTTP access, the guards of remote procedures that stay, declared capabilities. */
export const accessChanges = (
  subject: string,
  before: PublicOperation,
  after: PublicOperation
): ReadonlyArray<Change> => {
  const http =
    before.routes.length === 0 || after.routes.length === 0
      ? []
      : guardChange(
          subject,
          "over HTTP",
          guardsOf(before.access),
          guardsOf(after.access),
          `${showAccess(before.access)} → ${showAccess(after.access)}`
        )
  const rpc = before.rpcs.flatMap(({ guards, name }) => {
    const twin = after.rpcs.find((candidate) => candidate.name === name)
    if (twin === undefined) return []
    const [old, current] = [guards.toSorted(), twin.guards.toSorted()]
    const show = (names: ReadonlyArray<string>): string =>
      names.length === 0 ? "unguarded" : `guarded by ${names.join(", ")}`
    return guardChange(subject, "over RPC", old, current, `${name}: ${show(old)} → ${show(current)}`)
  })
  const { gained, lost } = difference(before.capabilities, after.capabilities, (name) => name)
  const authority = [...lost.map((name) => `no longer ${name}`), ...gained.map((name) => `now ${name}`)].map(
    (detail): Change => ({
      kind: "authority-changed",
      subject,
      breaking: false,
      reason: "a declared capability enforces nothing by itself",
      detail
    })
  )
  return [...http, ...rpc, ...authority]
}
