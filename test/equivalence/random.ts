/** Choices that a seed decides: the same seed makes the same choices on every machine. */

export interface Random {
  /** An integer from 0 to `below`, exclusive. */
  readonly below: (below: number) => number
  readonly chance: (share: number) => boolean
  /** One of them; there must be one. */
  readonly pick: <A>(of: ReadonlyArray<A>) => A
}

/** Mulberry32: 32 bits of state, which suffice to choose among dozens of operations. */
export const randomOf = (seed: number): Random => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    chance: (share) => next() < share,
    pick: (of) => {
      const found = of[below(of.length)]
      if (found === undefined) throw new Error("there is nothing to pick from")
      return found
    }
  }
}
