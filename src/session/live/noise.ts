/**
 * How soon to look after a hint, by what hints from the same folder have led to.
 *
 * Guarantees: where hints lead to changes, the next one is followed at once; looks after hints that lead to nothing (a log beside the
 * sources, a temporary folder above the project) take a bounded share of the time, and no hint is forgotten.
 */
import { Duration } from "effect"
import { LIMITS } from "../limits.ts"

export interface Noise {
  /** Takes note of a hint, and says whether to look now. */
  readonly hinted: (folder: string, now: number) => boolean
  /** When to look for the sake of hints that had to wait, in the clock's milliseconds; undefined where none does. */
  readonly due: () => number | undefined
  /**
   * Takes note of a look, which answers every hint before it.
   *
   * @param changed the folders in which it found a reason to analyse
   * @param at when it ended; milliseconds, as `took`
   */
  readonly looked: (look: { readonly changed: ReadonlySet<string>; readonly at: number; readonly took: number }) => void
}

/** Time that fruitless looks may still take for the sake of one folder, as it was at some time. */
interface Credit {
  readonly left: number
  readonly at: number
}

export const makeNoise = (): Noise => {
  const full = Duration.toMillis(LIMITS.fruitless)
  const credits = new Map<string, Credit>()
  const hinting = new Set<string>()
  const leftAt = (now: number, { at, left }: Credit): number =>
    Math.min(full, left + (now - at) / LIMITS.fruitlessPause)
  const dueOf = (folder: string): number => {
    const credit = credits.get(folder)
    return credit === undefined || credit.left > 0 ? 0 : credit.at - credit.left * LIMITS.fruitlessPause
  }
  return {
    hinted: (folder, now) => {
      hinting.add(folder)
      return now >= dueOf(folder)
    },
    due: () => (hinting.size === 0 ? undefined : Math.min(...Array.from(hinting, dueOf))),
    looked: ({ at, changed, took }) => {
      for (const folder of hinting) {
        const credit = credits.get(folder) ?? { left: full, at }
        if (changed.has(folder)) credits.delete(folder)
        else credits.set(folder, { left: leftAt(at, credit) - took, at })
      }
      hinting.clear()
    }
  }
}
