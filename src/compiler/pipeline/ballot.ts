/** The claims of an analysis, by key, as the nodes that claim come and go. */
import type { StableId } from "@effx/ir"
import type { Claims } from "../extension.ts"

export interface Ballot {
  readonly claim: (key: string, by: StableId, what: unknown) => void
  /** Takes back everything that a node claims at a key. */
  readonly withdraw: (key: string, by: StableId) => void
  /** Reads the claims, from which `isOutdated` follows what was read. */
  readonly read: <A>(reader: (claims: Claims<unknown>) => A) => A
  /** Whether a reader would read something else now. */
  readonly isOutdated: () => boolean
}

export const makeBallot = (): Ballot => {
  const claims = new Map<string, Map<StableId, Array<unknown>>>()
  const contested = new Set<string>()
  // What was read, and what has changed since.
  const reads = { keys: false, contested: false }
  // Keys that came or went, and did not go or come again.
  const moved = new Set<string>()
  let disputed = false

  const isContested = (claimants: ReadonlyMap<StableId, ReadonlyArray<unknown>>): boolean =>
    claimants.size > 1 || Array.from(claimants.values()).some((made) => made.length > 1)
  const move = (key: string): void => void (moved.has(key) ? moved.delete(key) : moved.add(key))
  const recount = (key: string, claimants: ReadonlyMap<StableId, ReadonlyArray<unknown>>): void => {
    const is = isContested(claimants)
    if (is || contested.has(key)) disputed = true
    if (is) contested.add(key)
    else contested.delete(key)
  }

  return {
    claim: (key, by, what) => {
      let claimants = claims.get(key)
      if (claimants === undefined) {
        claimants = new Map()
        claims.set(key, claimants)
        move(key)
      }
      const made = claimants.get(by)
      if (made === undefined) claimants.set(by, [what])
      else made.push(what)
      recount(key, claimants)
    },
    withdraw: (key, by) => {
      const claimants = claims.get(key)
      if (claimants === undefined) return
      claimants.delete(by)
      recount(key, claimants)
      if (claimants.size > 0) return
      claims.delete(key)
      move(key)
    },
    read: (reader) => {
      reads.keys = false
      reads.contested = false
      moved.clear()
      disputed = false
      return reader({
        keys: () => {
          reads.keys = true
          return claims.keys()
        },
        contested: () => {
          reads.contested = true
          return Array.from(contested, (key) => {
            const claimants = claims.get(key)
            const inOrder = Array.from(claimants?.keys() ?? []).sort()
            return [key, inOrder.flatMap((id) => claimants?.get(id) ?? [])] as const
          })
        }
      })
    },
    isOutdated: () => (reads.keys && moved.size > 0) || (reads.contested && disputed)
  }
}
