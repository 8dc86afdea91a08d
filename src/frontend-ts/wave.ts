/**
 * Questions about one world, each asked once: equal questions share the request in flight and the answer.
 *
 * An answer that is known costs no turn of the event loop, so the next wave starts at once.
 */
import type { CompilerFault } from "@effx/compiler"
import { Effect } from "effect"
import type { Send } from "./engine.ts"

interface Slot<A> {
  readonly answer: Promise<A>
  settled?: Effect.Effect<A>
}

const ask = <A>(send: Send, slot: Slot<A>): Effect.Effect<A, CompilerFault> => slot.settled ?? send(() => slot.answer)

const open = <A>(request: () => Promise<A>): Slot<A> => {
  const answer = request()
  const slot: Slot<A> = { answer }
  answer.then(
    (value) => {
      slot.settled = Effect.succeed(value)
    },
    () => undefined
  )
  return slot
}

/** A question about one thing, by its identity. */
export const asking = <K, A>(
  send: Send,
  request: (key: K) => Promise<A>
): ((key: K) => Effect.Effect<A, CompilerFault>) => {
  const slots = new Map<K, Slot<A>>()
  return (key) =>
    Effect.suspend(() => {
      let slot = slots.get(key)
      if (slot === undefined) {
        slot = open(() => request(key))
        slots.set(key, slot)
      }
      return ask(send, slot)
    })
}

/** A question about one thing and a name. */
export const askingBy = <K, N, A>(
  send: Send,
  request: (key: K, name: N) => Promise<A>
): ((key: K, name: N) => Effect.Effect<A, CompilerFault>) => {
  const keys = new Map<K, Map<N, Slot<A>>>()
  return (key, name) =>
    Effect.suspend(() => {
      let slots = keys.get(key)
      if (slots === undefined) {
        slots = new Map()
        keys.set(key, slots)
      }
      let slot = slots.get(name)
      if (slot === undefined) {
        slot = open(() => request(key, name))
        slots.set(name, slot)
      }
      return ask(send, slot)
    })
}
