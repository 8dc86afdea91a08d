/** What handlers are inferred to fail with and to require (Spec 0002, "E/R inference"). */
import { expect, layer } from "@effect/vitest"
import type { Channel } from "@effx/compiler"
import { Effect } from "effect"
import { type Files, siteOf, Workbench, withImports } from "./workbench.ts"

const MAIN = "src/main.ts"

/** A channel in one line: ids of what has one, `?` and the type otherwise. */
const shown = (channel: Channel | undefined): string =>
  channel === undefined
    ? "none"
    : channel._tag === "Unknowable"
      ? `unknowable: ${channel.reason}`
      : channel.members
          .map((each) =>
            each._tag === "Schema" ? each.ref.export : each._tag === "Service" ? each.id : `?${each.display}`
          )
          .join(", ")

layer(Workbench.layer)("inference", (it) => {
  /** `handler` is a method's rest: its parameters and its body. */
  const infers = (
    title: string,
    handler: string,
    errors: string,
    requirements: string,
    header = "",
    files: Files = {}
  ) =>
    it.effect(title, () =>
      Effect.gen(function* () {
        const { run } = yield* Workbench
        const { declaration, findings } = yield* run({
          ...files,
          [MAIN]: withImports(`${header}
export class C {
  @Query({ name: "C.m", success: Text })
  static m${handler}
}`)
        })
        expect(findings).toEqual([])
        const { signature } = declaration("C.m")
        expect([shown(signature?.errors), shown(signature?.requirements)]).toEqual([errors, requirements])
      })
    )

  infers("nothing", `() { return Effect.succeed("") }`, "", "")
  infers("a failure", `() { return Effect.fail(new NotFound({ id: "" })) }`, "NotFound", "")
  infers(
    "a generator",
    `() { return Effect.gen(function* () {
    const users = yield* Users
    const user = yield* users.get("a")
    yield* users.put(user)
    return user.id
  }) }`,
    "NotFound, Taken",
    "service:Users"
  )
  infers(
    "an annotated return type",
    `(): Effect.Effect<string, NotFound, Clock> { return Effect.succeed("") }`,
    "NotFound",
    "service:Clock"
  )
  infers(
    "a union of Effects",
    `(id: string) {
    return id === "" ? Effect.fail(new NotFound({ id })) : Users.use((users) => Effect.as(users.put(new User({ id })), id))
  }`,
    "NotFound, Taken",
    "service:Users"
  )
  infers(
    "early returns",
    `(id: string) {
    if (id === "a") return Effect.fail(new NotFound({ id }))
    if (id === "b") return Effect.fail(new Taken({}))
    return Effect.succeed(id)
  }`,
    "NotFound, Taken",
    ""
  )
  infers("a yieldable error as Effect", `() { return new NotFound({ id: "" }) }`, "NotFound", "")
  infers("a service as Effect", `() { return Clock }`, "", "service:Clock")
  infers("an Exit", `() { return Exit.fail(new Taken({})) }`, "Taken", "", `import { Exit } from "effect"`)
  infers(
    "an interface that extends Effect",
    `(): Mine { return Effect.succeed("") as Mine }`,
    "NotFound",
    "service:Clock",
    `interface Mine extends Effect.Effect<string, NotFound, Clock> {}`
  )
  infers(
    "an alias of Effect",
    `(): Mine<string> { return Effect.succeed("") }`,
    "Taken",
    "",
    `type Mine<A> = Effect.Effect<A, Taken>`
  )
  it.effect("an overloaded method by its overloads", () =>
    Effect.gen(function* () {
      const { run } = yield* Workbench
      const { declaration, findings } = yield* run({
        [MAIN]: withImports(`export class C {
  static m(a: string): Effect.Effect<string, NotFound>
  static m(a: number): Effect.Effect<string, Taken>
  @Query({ name: "C.m", success: Text })
  static m(_: unknown): Effect.Effect<string, any, any> { return Effect.succeed("") }
}`)
      })
      expect(findings).toEqual([])
      expect(shown(declaration("C.m").signature?.errors)).toBe("NotFound, Taken")
    })
  )
  infers(
    "a catch",
    `() { return Users.use((users) => users.get("a")).pipe(Effect.catchTag("NotFound", () => Effect.succeed(""))) }`,
    "",
    "service:Users"
  )
  infers(
    "a provide",
    `() { return Users.use((users) => users.get("a")).pipe(Effect.provideService(Users, null as never)) }`,
    "NotFound",
    ""
  )
  infers(
    "a plain error that swallows others is opaque",
    `() { return Effect.gen(function* () {
    if (Math.random() > 2) return yield* new NotFound({ id: "" })
    return yield* Effect.fail(new Error("plain"))
  }) }`,
    "?Error",
    ""
  )
  infers(
    "literals, booleans and shapes are opaque",
    `(): Effect.Effect<string, "a" | boolean | { readonly b: 1 }> { return Effect.succeed("") }`,
    `?"a", ?boolean, ?{ readonly b: 1; }`,
    ""
  )
  infers(
    "a structural requirement is opaque",
    `(): Effect.Effect<string, never, Shape> { return Effect.succeed("") as never }`,
    "",
    "?Shape",
    `export interface Shape { readonly a: 1 }`
  )
  infers(
    "a schema that is not exported is opaque",
    `() { return Effect.fail(new Hidden({})) }`,
    "?Hidden",
    "",
    `class Hidden extends Schema.TaggedError<Hidden>()("Hidden", {}) {}`
  )
  infers(
    "a schema in a namespace has its path",
    `() { return Effect.fail(new Space.Lost({})) }`,
    "Space.Lost",
    "",
    `export namespace Space { export class Lost extends Schema.TaggedError<Lost>()("Lost", {}) {} }`
  )
  infers("Effect's own services have theirs", `() { return Effect.as(Effect.scope, "") }`, "", "service:Scope.Scope")
  infers("any error", `(): Effect.Effect<string, any> { return Effect.succeed("") }`, "unknowable: any", "")
  infers(
    "unknown errors",
    `(): Effect.Effect<string, unknown> { return Effect.succeed("") }`,
    "unknowable: unknown",
    ""
  )
  infers(
    "any requirement",
    `(): Effect.Effect<string, never, any> { return Effect.succeed("") }`,
    "",
    "unknowable: any"
  )
  infers(
    "a type parameter",
    `<E>(error: E): Effect.Effect<string, E | NotFound> { return Effect.fail(error) }`,
    "unknowable: type parameter",
    ""
  )
  infers(
    "a renamed export",
    `() { return Effect.fail(new Gone({})) }`,
    "Lost",
    "",
    `import { Lost as Gone } from "./lost.ts"`,
    {
      "src/lost.ts": `import { Schema } from "effect"
class Inner extends Schema.TaggedError<Inner>()("Lost", {}) {}
export { Inner as Lost }`
    }
  )

  const builder = (title: string, handler: string, errors: string, requirements: string, header = "") =>
    it.effect(title, () =>
      Effect.gen(function* () {
        const { run } = yield* Workbench
        const { declaration, findings } = yield* run({
          [MAIN]: withImports(`${header}\nexport const v = Operation.query({ success: Text }).handler(${handler})`)
        })
        expect(findings).toEqual([])
        const { signature } = declaration("v")
        expect([shown(signature?.errors), shown(signature?.requirements)]).toEqual([errors, requirements])
      })
    )
  builder("a builder's arrow", `() => Effect.fail(new NotFound({ id: "" }))`, "NotFound", "")
  builder(
    "Effect.fn",
    `Effect.fn("v")(function* () { yield* Clock; return yield* new Taken({}) })`,
    "Taken",
    "service:Clock"
  )
  builder("Effect.fnUntraced", `Effect.fnUntraced(function* () { yield* Clock; return "" })`, "", "service:Clock")
  builder("a function by name", "show", "NotFound", "", `const show = () => Effect.fail(new NotFound({ id: "" }))`)
  builder(
    "a static method by name",
    "Show.it",
    "NotFound",
    "",
    `class Show { static it() { return Effect.fail(new NotFound({ id: "" })) } }`
  )

  const refuses = (title: string, handler: string, returned: string) =>
    it.effect(`${title} is not an Effect`, () =>
      Effect.gen(function* () {
        const { run } = yield* Workbench
        const { declaration, findings, marks } = yield* run({
          [MAIN]: withImports(`export class C {
  @Query({ name: "C.m", success: Text })
  static /*<*/m/*>*/${handler}
}`)
        })
        expect(findings.map(({ code, message }) => `${code} ${message}`)).toEqual([
          `EFFX1105 The handler of C.m does not return an Effect, but ${returned}`
        ])
        expect(findings.map(siteOf)).toEqual(marks(MAIN))
        expect(declaration("C.m").signature).toBeUndefined()
      })
    )
  refuses("a value", `() { return "" }`, "string")
  refuses("a promise", `() { return Promise.resolve("") }`, "Promise<string>")
  refuses("any", `(): any { return "" }`, "any")
  refuses("unknown", `(): unknown { return "" }`, "unknown")
  refuses("a free type parameter", `<T extends Effect.Effect<string>>(effect: T) { return effect }`, "T")
  refuses("nothing", `() {}`, "void")
  refuses(
    "an Effect or nothing",
    `(id: string) { return id === "" ? undefined : Effect.succeed("") }`,
    "Effect<string, never, never> | undefined"
  )
  refuses("a function that never returns", `(): never { throw new Error() }`, "never")
})
