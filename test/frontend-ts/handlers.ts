/** Random handlers built from Effect's combinators, as data that shrinks and as source. */
import { Arbitrary, Schema } from "effect"

export type Handler =
  | { readonly _tag: "Succeed" }
  | { readonly _tag: "Fail"; readonly error: 0 | 1 | 2 }
  | { readonly _tag: "Service"; readonly service: 0 | 1 }
  | { readonly _tag: "Gen"; readonly steps: ReadonlyArray<Handler> }
  | { readonly _tag: "Fn"; readonly body: Handler }
  | { readonly _tag: "Branch"; readonly left: Handler; readonly right: Handler }
  | { readonly _tag: "CatchTag"; readonly error: 0 | 1 | 2; readonly of: Handler; readonly by: Handler }
  | { readonly _tag: "Catch"; readonly of: Handler; readonly by: Handler }
  | { readonly _tag: "All"; readonly of: ReadonlyArray<Handler>; readonly record: boolean }
  | { readonly _tag: "Race"; readonly left: Handler; readonly right: Handler }
  | { readonly _tag: "Provide"; readonly service: 0 | 1; readonly of: Handler }
  | { readonly _tag: "Retry"; readonly of: Handler }
  | { readonly _tag: "ForEach"; readonly of: Handler }
  | { readonly _tag: "Match"; readonly of: Handler; readonly failure: Handler; readonly success: Handler }
  | { readonly _tag: "Pipe"; readonly of: Handler; readonly next: Handler }
  | { readonly _tag: "Timeout"; readonly of: Handler }
  | { readonly _tag: "MapError"; readonly of: Handler; readonly error: 0 | 1 | 2 }
  | { readonly _tag: "OrDie"; readonly of: Handler }
  | { readonly _tag: "Plain" }

/**
 * Reads a handler from numbers, each of which decides one thing. Lists of numbers shrink well, and long ones give deep
 * handlers; when the numbers run out, they choose leaves in another round.
 */
export const handlerOf = (numbers: ReadonlyArray<number>): Handler => {
  let next = 0
  const pick = <A>(options: ReadonlyArray<A>): A => {
    const round = Math.floor(next / numbers.length)
    return options[((numbers[next++ % numbers.length] ?? 0) + round) % options.length] as A
  }
  const error = () => pick([0, 1, 2] as const)
  const service = () => pick([0, 1] as const)
  const some = (): ReadonlyArray<Handler> => Array.from({ length: pick([2, 3, 1]) }, handler)
  const leaf = (): Handler =>
    pick<() => Handler>([
      () => ({ _tag: "Succeed" }),
      () => ({ _tag: "Fail", error: error() }),
      () => ({ _tag: "Service", service: service() }),
      () => ({ _tag: "Plain" })
    ])()
  const handler = (): Handler =>
    next >= numbers.length
      ? leaf()
      : pick<() => Handler>([
          leaf,
          () => ({ _tag: "Gen", steps: some() }),
          () => ({ _tag: "Fn", body: handler() }),
          () => ({ _tag: "Branch", left: handler(), right: handler() }),
          () => ({ _tag: "CatchTag", error: error(), of: handler(), by: handler() }),
          () => ({ _tag: "Catch", of: handler(), by: handler() }),
          () => ({ _tag: "All", of: some(), record: pick([true, false]) }),
          () => ({ _tag: "Race", left: handler(), right: handler() }),
          () => ({ _tag: "Provide", service: service(), of: handler() }),
          () => ({ _tag: "Retry", of: handler() }),
          () => ({ _tag: "ForEach", of: handler() }),
          () => ({ _tag: "Match", of: handler(), failure: handler(), success: handler() }),
          () => ({ _tag: "Pipe", of: handler(), next: handler() }),
          () => ({ _tag: "Timeout", of: handler() }),
          () => ({ _tag: "MapError", of: handler(), error: error() }),
          () => ({ _tag: "OrDie", of: handler() })
        ])()
  return handler()
}

const Choice = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4095 })))

/** Handlers of very different depth. */
export const anyHandler: Arbitrary.Arbitrary<Handler> = Arbitrary.map(
  Arbitrary.array(Choice, { minLength: 1, maxLength: 28 }),
  handlerOf
)

const ERRORS = ["NotFound", "Taken", "Broken"] as const
const SERVICES = ["Users", "Clock"] as const
const failure = (error: 0 | 1 | 2): string => `new ${ERRORS[error]}({})`

/** The expression of a handler, an Effect of a string; everything that it names is in the module of `program`. */
export const expression = (handler: Handler): string => {
  const at = expression
  switch (handler._tag) {
    case "Succeed":
      return `Effect.succeed("a")`
    case "Fail":
      return `Effect.fail(${failure(handler.error)})`
    case "Plain":
      return `Effect.fail(new Error("plain"))`
    case "Service":
      return `Effect.as(${SERVICES[handler.service]}.use((service) => service.run), "a")`
    case "Gen":
      return `Effect.gen(function* () { ${handler.steps.map((step) => `yield* ${at(step)};`).join(" ")} return "a" })`
    case "Fn":
      return `Effect.fn("f")(function* () { return yield* ${at(handler.body)} })()`
    case "Branch":
      return `Effect.gen(function* () { if (flag()) return yield* ${at(handler.left)}; return yield* ${at(handler.right)} })`
    case "CatchTag":
      // The tag is one that can occur, as the combinator demands.
      return `Effect.andThen(${at(handler.of)}, Effect.fail(${failure(handler.error)})).pipe(Effect.catchTag("${ERRORS[handler.error]}", () => ${at(handler.by)}))`
    case "Catch":
      return `Effect.catch(${at(handler.of)}, () => ${at(handler.by)})`
    case "All":
      return handler.record
        ? `Effect.as(Effect.all({ ${handler.of.map((each, index) => `k${index}: ${at(each)}`).join(", ")} }), "a")`
        : `Effect.as(Effect.all([${handler.of.map(at).join(", ")}]), "a")`
    case "Race":
      return `Effect.race(${at(handler.left)}, ${at(handler.right)})`
    case "Provide":
      return `Effect.provideService(${at(handler.of)}, ${SERVICES[handler.service]}, { run: Effect.void })`
    case "Retry":
      return `Effect.retry(${at(handler.of)}, { times: 2 })`
    case "ForEach":
      return `Effect.as(Effect.forEach([1, 2], () => ${at(handler.of)}), "a")`
    case "Match":
      return `Effect.matchEffect(${at(handler.of)}, { onFailure: () => ${at(handler.failure)}, onSuccess: () => ${at(handler.success)} })`
    case "Pipe":
      return `${anonymous(handler.of)}.pipe(Effect.flatMap(() => ${at(handler.next)}), Effect.tap(() => Effect.void))`
    case "Timeout":
      return `Effect.timeout(${at(handler.of)}, "1 second")`
    case "MapError":
      return `Effect.mapError(${at(handler.of)}, () => ${failure(handler.error)})`
    case "OrDie":
      return `Effect.orDie(${at(handler.of)})`
  }
}

/** The body of a method: a branch at the top is the union of Effects that authors write. */
const body = (handler: Handler): string =>
  handler._tag === "Branch"
    ? `flag() ? ${expression(handler.left)} : ${expression(handler.right)}`
    : expression(handler)

/** A handler and everything inside it that is one. */
export const within = (handler: Handler): ReadonlyArray<Handler> => [
  handler,
  ...Object.values(handler)
    .flat()
    .filter((part): part is Handler => typeof part === "object" && part !== null && "_tag" in part)
    .flatMap(within)
]

const anonymous = (handler: Handler): string => `(${expression(handler)})`

/** A module whose class has one operation for each handler. */
export const program = (handlers: ReadonlyArray<Handler>): string =>
  `import { Query } from "@effx/runtime"
import { Effect } from "effect"
import { Broken, Clock, NotFound, Taken, Text, Users } from "./parts.ts"
const flag = (): boolean => Math.random() > 0.5
export class C {
${handlers.map((handler, index) => `  @Query({ name: "M${index}", success: Text })\n  static m${index}() { return ${body(handler)} }`).join("\n")}
}
`

export const PARTS = `import { Context, type Effect, Schema } from "effect"
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {}) {}
export class Taken extends Schema.TaggedError<Taken>()("Taken", {}) {}
export class Broken extends Schema.TaggedError<Broken>()("Broken", {}) {}
export class Users extends Context.Service<Users, { readonly run: Effect.Effect<void> }>()("Users") {}
export class Clock extends Context.Service<Clock, { readonly run: Effect.Effect<void, Broken> }>()("Clock") {}
export const Text = Schema.Unknown
`
