/**
 * Questions about one world, each asked once: equal questions share the request in flight and the answer.
 *
 * An answer that is known costs no turn of the event loop, so the next wave starts at once.
 */
import type { CompilerFault } from "@effx/compiler"
import { Effect, Exit, Option } from "effect"
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
export interface Question<K, A> {
  (key: K): Effect.Effect<A, CompilerFault>
  /**
   * Asks about many things as one step. Their answers are known afterwards, and what is known costs no fiber; an answer that
   * the engine refuses is a fault where it is asked for, not here.
   */
  readonly ahead: (keys: Iterable<K>) => Effect.Effect<void, CompilerFault>
}

/** A question that can be asked before anybody waits for the answer. */
export interface EarlyQuestion<K, A> extends Question<K, A> {
  /** Asks about many things and waits for nothing: whoever asks about them later shares the answers. */
  readonly begin: (keys: Iterable<K>) => void
}

/**
 * @param request asks the engine about one thing
 * @param requestAll asks about many in one request, where the engine has a form for that
 */
export const asking = <K, A>(
  send: Send,
  request: (key: K) => Promise<A>,
  requestAll?: (keys: ReadonlyArray<K>) => Promise<ReadonlyArray<A>>
): EarlyQuestion<K, A> => {
  const slots = new Map<K, Slot<A>>()
  const question = (key: K): Effect.Effect<A, CompilerFault> =>
    slots.get(key)?.settled ??
    Effect.suspend(() =>
      ask(
        send,
        slotIn(slots, key, () => request(key))
      )
    )
  const ahead = (keys: Iterable<K>): Effect.Effect<void, CompilerFault> =>
    Effect.suspend(() => {
      const open = Array.from(new Set(keys)).filter((key) => slots.get(key)?.settled === undefined)
      if (open.length === 0) return Effect.void
      const answers = open.map((key) => slotIn(slots, key, () => request(key)).answer)
      return send(() => Promise.allSettled(answers).then(() => undefined))
    })
  const aheadInOne = (requestMany: (keys: ReadonlyArray<K>) => Promise<ReadonlyArray<A>>) => (keys: Iterable<K>) =>
    Effect.suspend((): Effect.Effect<void, CompilerFault> => {
      const open = Array.from(new Set(keys)).filter((key) => !slots.has(key))
      if (open.length === 0) return Effect.void
      return send(() =>
        requestMany(open).then(
          (answers) => {
            open.forEach((key, index) => {
              const answer = answers[index] as A
              slots.set(key, { answer: Promise.resolve(answer), settled: Effect.succeed(answer) })
            })
          },
          // One thing that cannot be answered must not take the others with it: each is asked for alone later.
          () => undefined
        )
      )
    })
  return Object.assign(question, {
    ahead: requestAll === undefined ? ahead : aheadInOne(requestAll),
    begin: (keys: Iterable<K>) => {
      for (const key of keys) slotIn(slots, key, () => request(key))
    }
  })
}

/** The answers that the engine does not refuse. */
export const answered = <K, A>(
  keys: Iterable<K>,
  question: (key: K) => Effect.Effect<A, CompilerFault>
): Effect.Effect<ReadonlyArray<A>, CompilerFault> =>
  mapped(
    each(keys, (key) => orNone(question(key))),
    (answers) => answers.flatMap((answer) => (Option.isSome(answer) ? [answer.value] : []))
  )

const orNone = <A>(answer: Effect.Effect<A, CompilerFault>): Effect.Effect<Option.Option<A>, CompilerFault> =>
  valueOf(answer) === undefined ? Effect.option(answer) : mapped(answer, Option.some)

/** The question about what another question leads to. */
export const through = <K, B, A>(first: Question<K, B>, second: Question<B, A>): Question<K, A> =>
  Object.assign((key: K) => chained(first(key), second), {
    ahead: Effect.fnUntraced(function* (keys: Iterable<K>) {
      const all = Array.from(keys)
      yield* first.ahead(all)
      yield* second.ahead(yield* answered(all, first))
    })
  })

/** A question about one thing and a name. */
export interface NamedQuestion<K, N, A> {
  (key: K, name: N): Effect.Effect<A, CompilerFault>
  /** As for `Question`, with one name. */
  readonly ahead: (things: Iterable<K>, name: N) => Effect.Effect<void, CompilerFault>
}

export const askingBy = <K, N, A>(send: Send, request: (key: K, name: N) => Promise<A>): NamedQuestion<K, N, A> => {
  const keys = new Map<K, Map<N, Slot<A>>>()
  const slotsOf = (key: K): Map<N, Slot<A>> => {
    let slots = keys.get(key)
    if (slots === undefined) {
      slots = new Map()
      keys.set(key, slots)
    }
    return slots
  }
  const question = (key: K, name: N): Effect.Effect<A, CompilerFault> =>
    keys.get(key)?.get(name)?.settled ??
    Effect.suspend(() =>
      ask(
        send,
        slotIn(slotsOf(key), name, () => request(key, name))
      )
    )
  const ahead = (things: Iterable<K>, name: N): Effect.Effect<void, CompilerFault> =>
    Effect.suspend(() => {
      const open = Array.from(new Set(things)).filter((thing) => slotsOf(thing).get(name)?.settled === undefined)
      if (open.length === 0) return Effect.void
      const answers = open.map((thing) => slotIn(slotsOf(thing), name, () => request(thing, name)).answer)
      return send(() => Promise.allSettled(answers).then(() => undefined))
    })
  return Object.assign(question, { ahead })
}

const slotIn = <K, A>(slots: Map<K, Slot<A>>, key: K, request: () => Promise<A>): Slot<A> => {
  let slot = slots.get(key)
  if (slot === undefined) {
    slot = open(request)
    slots.set(key, slot)
  }
  return slot
}

/**
 * Computes something about a thing once, however many ask for it meanwhile. Without it, a thousand declarations that name one
 * schema would each walk the same way.
 */
export const sharing = <K, A>(
  compute: (key: K) => Effect.Effect<A, CompilerFault>
): ((key: K) => Effect.Effect<A, CompilerFault>) => {
  const answers = new Map<K, Shared<A>>()
  return (key) => {
    const before = answers.get(key)
    if (before?.answer !== undefined) return before.answer
    if (before !== undefined) return waitFor(before)
    const effect = compute(key)
    if (Exit.isExit(effect)) {
      answers.set(key, { answer: effect, waiting: [] })
      return effect
    }
    return Effect.suspend(() => {
      const known = answers.get(key)
      if (known !== undefined) return known.answer ?? waitFor(known)
      const shared: Shared<A> = { waiting: [] }
      answers.set(key, shared)
      return Effect.onExit(effect, (exit) =>
        Effect.sync(() => {
          shared.answer = exit
          for (const resume of shared.waiting.splice(0)) resume(exit)
        })
      )
    })
  }
}

interface Shared<A> {
  answer?: Effect.Effect<A, CompilerFault>
  readonly waiting: Array<(answer: Effect.Effect<A, CompilerFault>) => void>
}

const waitFor = <A>(shared: Shared<A>): Effect.Effect<A, CompilerFault> =>
  Effect.callback((resume) => {
    if (shared.answer !== undefined) resume(shared.answer)
    else shared.waiting.push(resume)
  })

type Values<Effects extends ReadonlyArray<Effect.Effect<unknown, CompilerFault>>> = {
  readonly [Index in keyof Effects]: Effect.Success<Effects[Index]>
}

const valueOf = (effect: Effect.Effect<unknown, CompilerFault>): { readonly of: unknown } | undefined =>
  Exit.isExit(effect) && Exit.isSuccess(effect) ? { of: effect.value } : undefined

/**
 * Runs effects side by side, so that their questions go out in the same waves. What has its answer already costs no fiber:
 * with thousands of arguments of which most are literals, that is most of the time.
 */
export const all = <const Effects extends ReadonlyArray<Effect.Effect<unknown, CompilerFault>>>(
  effects: Effects
): Effect.Effect<Values<Effects>, CompilerFault> => {
  const known = effects.map(valueOf)
  const open = effects.filter((_, index) => known[index] === undefined)
  const [first] = open
  if (first === undefined) return Effect.succeed(known.map((value) => value?.of) as unknown as Values<Effects>)
  const fill = (answers: ReadonlyArray<unknown>): Values<Effects> => {
    let next = 0
    return known.map((value) => (value === undefined ? answers[next++] : value.of)) as unknown as Values<Effects>
  }
  return open.length === 1
    ? Effect.map(first, (answer) => fill([answer]))
    : Effect.map(Effect.all(open, { concurrency: "unbounded" }), fill)
}

/** Runs an effect for each item, side by side. */
export const each = <A, B>(
  items: Iterable<A>,
  run: (item: A, index: number) => Effect.Effect<B, CompilerFault>
): Effect.Effect<ReadonlyArray<B>, CompilerFault> => all(Array.from(items, run))

/** `Effect.map`, at once where the value is known. */
export const mapped = <A, B>(
  effect: Effect.Effect<A, CompilerFault>,
  change: (value: A) => B
): Effect.Effect<B, CompilerFault> => {
  const known = valueOf(effect)
  return known === undefined ? Effect.map(effect, change) : Effect.succeed(change(known.of as A))
}

/** `Effect.flatMap`, at once where the value is known. */
export const chained = <A, B>(
  effect: Effect.Effect<A, CompilerFault>,
  next: (value: A) => Effect.Effect<B, CompilerFault>
): Effect.Effect<B, CompilerFault> => {
  const known = valueOf(effect)
  return known === undefined ? Effect.flatMap(effect, next) : next(known.of as A)
}
