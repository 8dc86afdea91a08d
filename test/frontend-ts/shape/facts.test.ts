import { assert, layer } from "@effect/vitest"
import type { Shape } from "@effx/ir"
import { Context, Effect, Layer } from "effect"
import { type SchemaReport, schemaFacts } from "../../../src/frontend-ts/shape/facts.ts"
import { serviceKey } from "../../../src/frontend-ts/shape/service-key.ts"
import { CORPUS, type Corpus, idOf, loadCorpus } from "./corpus.ts"

const STRING: Shape = { _tag: "String" }
const ref = (name: string): Shape => ({ _tag: "Ref", id: idOf(name) })

class Loaded extends Context.Service<Loaded, Corpus>()("test/Loaded") {
  /** The corpus with `SOURCE` beside it. */
  static readonly layer = Layer.effect(
    Loaded,
    Effect.suspend(() => loadCorpus(CORPUS, new Map([[`${CORPUS}/source.ts`, SOURCE]])))
  )
}

/** What is read of some names of the corpus. */
const read = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const corpus = yield* Loaded
  const reports = yield* schemaFacts(corpus.checker, names.map(corpus.item), corpus.nameSchema)
  return (name: string): SchemaReport => {
    const report = reports.get(idOf(name))
    assert.isDefined(report, `${name} is not described`)
    return report as SchemaReport
  }
})

const fieldsOf = (report: SchemaReport): Readonly<Record<string, Shape>> => {
  const { shape } = report.facts
  assert.strictEqual(shape._tag, "Object")
  return shape._tag === "Object" ? Object.fromEntries(shape.fields.map((field) => [field.name, field.shape])) : {}
}

const SOURCE = `
import { Effect, Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import * as Other from "./structures.ts"
import { City as Town } from "./classes.ts"

const MINIMUM = 2 as const
const atLeast = Schema.isMinLength(MINIMUM)
export const Name = Schema.String.check(atLeast)
export const Alias = Name
export const Gone = Schema.Struct({ id: Schema.String }).pipe(HttpApiSchema.status(410))
export const Dynamic = Schema.String.check(Schema.isMinLength(Math.random()))
export const Boundless = Schema.Struct({
  above: Schema.Finite.check(Schema.isGreaterThan(1e999)),
  between: Schema.Finite.check(Schema.isBetween({ minimum: -1e999, maximum: 3 })),
  short: Schema.String.check(Schema.isMaxLength(1e999)),
  one: Schema.Literal(1e999)
})
export const Holder = Schema.Struct({
  town: Town,
  towns: Schema.Array(Town),
  maybe: Schema.optionalKey(Schema.NullOr(Town)),
  union: Schema.Union([Town, Other.Point]),
  record: Schema.Record(Schema.String, Other.Point),
  pair: Schema.Tuple([Town, Other.Point]),
  defaulted: Town.pipe(Schema.withDecodingDefaultKey(Effect.succeed({ name: "x", code: "00000" }))),
  /** Where {@link Town} lies. */
  point: Other.Point,
  /** Not this one. */
  annotated: Other.Point.annotate({ description: "This one." })
})

interface Grow<T> {
  readonly next: Grow<ReadonlyArray<T>>
}
export declare const Endless: Schema.Codec<Grow<string>>
`

layer(Loaded.layer, { excludeTestServices: true })("schemaFacts", (it) => {
  it.effect("names a class by its argument, or by its tag, and an annotated schema by its identifier", () =>
    Effect.gen(function* () {
      const names = ["City", "Event", "Conflict", "Broken", "Admin", "Teapot", "Users", "Opaque", "Billing.Invoice"]
      const of = yield* read(names.map((name) => `classes/${name}`))
      assert.deepStrictEqual(
        names.map((name) => of(`classes/${name}`).facts.identifier),
        ["City", "Event", "app/Conflict", "Broken", "Admin", "Teapot", undefined, undefined, "Billing/Invoice"]
      )
    })
  )

  it.effect("tells the status that an error's annotations state", () =>
    Effect.gen(function* () {
      const names = ["classes/NotFound", "classes/Conflict", "classes/Broken", "classes/Teapot", "source/Gone"]
      const of = yield* read(names)
      assert.deepStrictEqual(
        names.map((name) => of(name).facts.status),
        [404, undefined, 503, 418, 410]
      )
    })
  )

  it.effect("describes schemas by annotation, else by JSDoc, and fields by their own", () =>
    Effect.gen(function* () {
      const names = ["primitives/UserId", "classes/City", "classes/User", "classes/Teapot", "primitives/Text"]
      const of = yield* read([...names, "source/Holder", "structures/Keys"])
      assert.deepStrictEqual(
        names.map((name) => of(name).facts.description),
        ["Who somebody is.", "A town with its code.", "Somebody.", "Short and stout.", undefined]
      )
      const described = (name: string) => {
        const { shape } = of(name).facts
        return shape._tag === "Object"
          ? shape.fields.flatMap(({ name, description }) => (description === undefined ? [] : [[name, description]]))
          : []
      }
      assert.deepStrictEqual(described("source/Holder"), [
        ["point", "Where Town lies."],
        ["annotated", "This one."]
      ])
      assert.deepStrictEqual(described("structures/Keys"), [
        ["required", "Always there."],
        ["described", "What it says."],
        ["keyed", "What the key says."]
      ])
    })
  )

  it.effect("refers to named schemas wherever they stand, and describes them, too", () =>
    Effect.gen(function* () {
      const of = yield* read(["source/Holder"])
      const city = ref("classes/City")
      const point = ref("structures/Point")
      assert.deepStrictEqual(fieldsOf(of("source/Holder")), {
        town: city,
        towns: { _tag: "Array", items: city },
        maybe: { _tag: "Union", members: [{ _tag: "Literal", value: null }, city] },
        union: { _tag: "Union", members: [city, point] },
        record: { _tag: "Record", values: point },
        pair: { _tag: "Tuple", items: [city, point] },
        defaulted: city,
        point,
        annotated: point
      })
      assert.deepStrictEqual(Object.keys(fieldsOf(of("classes/City"))), ["name", "code"])
      assert.strictEqual(of("structures/Point").ref?.export, "Point")
    })
  )

  it.effect("reads schemas that are not exported where they are used", () =>
    Effect.gen(function* () {
      const of = yield* read(["classes/User"])
      assert.deepStrictEqual(fieldsOf(of("classes/User")).hidden, {
        _tag: "Object",
        fields: [{ name: "value", shape: { _tag: "Number" }, optional: false }]
      })
    })
  )

  it.effect("follows constants in filters, and leaves out what is not static", () =>
    Effect.gen(function* () {
      const of = yield* read(["source/Name", "source/Alias", "source/Dynamic"])
      assert.deepStrictEqual(of("source/Name").facts.shape, { _tag: "String", minLength: 2 })
      assert.deepStrictEqual(of("source/Alias").facts.shape, ref("source/Name"))
      assert.deepStrictEqual(of("source/Dynamic").facts.shape, STRING)
    })
  )

  it.effect("leaves out numbers that are too large to be finite: JSON has none", () =>
    Effect.gen(function* () {
      const of = yield* read(["source/Boundless"])
      assert.deepStrictEqual(fieldsOf(of("source/Boundless")), {
        above: { _tag: "Number" },
        between: { _tag: "Number", maximum: 3 },
        short: STRING,
        one: { _tag: "Any" }
      })
    })
  )

  it.effect("narrows a named schema only where it is narrowed", () =>
    Effect.gen(function* () {
      const of = yield* read(["structures/Narrowed"])
      assert.deepStrictEqual(fieldsOf(of("structures/Narrowed")), {
        id: { _tag: "String", minLength: 1, maxLength: 12 },
        again: ref("primitives/UserId")
      })
    })
  )

  it.effect("expresses recursion by references, and reports where a nameless schema contains itself", () =>
    Effect.gen(function* () {
      const of = yield* read(["recursion/Category", "recursion/Folder", "recursion/HoldsHidden"])
      assert.deepStrictEqual(fieldsOf(of("recursion/Category")).children, {
        _tag: "Array",
        items: ref("recursion/Category")
      })
      assert.deepStrictEqual(fieldsOf(of("recursion/Folder")).parent, {
        _tag: "Union",
        members: [{ _tag: "Literal", value: null }, ref("recursion/Folder")]
      })
      assert.isUndefined(of("recursion/Category").anonymousRecursion)
      const closing = of("recursion/HoldsHidden").anonymousRecursion
      assert.isDefined(closing)
      if (closing === undefined) return
      assert.strictEqual(closing.getText(), "Hidden")
    })
  )

  it.effect("keeps schemas of one name in two files apart", () =>
    Effect.gen(function* () {
      const of = yield* read(["same-b/Both"])
      assert.deepStrictEqual(of("same-b/Both").facts.shape, {
        _tag: "Union",
        members: [ref("same-a/Item"), ref("same-b/Item")]
      })
      assert.deepStrictEqual(fieldsOf(of("same-b/Item")).other, ref("same-a/Item"))
    })
  )

  it.effect("ends in any JSON where a type makes new types for ever", () =>
    Effect.gen(function* () {
      const of = yield* read(["source/Endless"])
      let shape = fieldsOf(of("source/Endless")).next
      let depth = 0
      while (shape?._tag === "Object") {
        shape = shape.fields[0]?.shape
        depth++
      }
      assert.deepStrictEqual(shape, { _tag: "Any" })
      assert.isAbove(depth, 10)
    })
  )

  it.effect("does not ask more often for more schemas", () =>
    Effect.gen(function* () {
      const source = (count: number) =>
        `import { Schema } from "effect"\n${Array.from(
          { length: count },
          (_, n) =>
            `export class C${n} extends Schema.Class<C${n}>("C${n}")({ a: Schema.String, f${n}: Schema.Finite }) {}`
        ).join("\n")}`
      const messages = Effect.fnUntraced(function* (count: number) {
        const corpus = yield* loadCorpus(CORPUS, new Map([[`${CORPUS}/many.ts`, source(count)]]))
        const items = corpus.items.filter((item) => item.name.startsWith("many/"))
        assert.strictEqual(items.length, count)
        const before = yield* corpus.messages
        yield* schemaFacts(corpus.checker, items, corpus.nameSchema)
        return (yield* corpus.messages).count - before.count
      }, Effect.scoped)
      const few = yield* messages(5)
      const many = yield* messages(200)
      assert.isAtMost(many, few * 3)
    })
  )
})

layer(Loaded.layer, { excludeTestServices: true })("serviceKey", (it) => {
  it.effect("reads the key of a service class where it is static", () =>
    Effect.gen(function* () {
      const corpus = yield* Loaded
      const keyOf = (id: string) => {
        const { symbol } = corpus.item(`services/${id}`)
        return symbol === undefined ? Effect.die(id) : serviceKey(corpus.checker, symbol)
      }
      const names = ["Plain", "Constant", "Computed", "Value"]
      assert.deepStrictEqual(yield* Effect.forEach(names, keyOf), [
        "services/Plain",
        "services/Constant",
        undefined,
        "services/Value"
      ])
    })
  )
})
