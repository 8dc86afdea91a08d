import { assert, describe, it } from "@effect/vitest"
import type { StableId } from "@effx/ir"
import { Arbitrary, Effect, Schema } from "effect"
import { isAny } from "../../../src/frontend-ts/checker.ts"
import { schemaFacts } from "../../../src/frontend-ts/shape/facts.ts"
import { type Document, differences } from "./comparison.ts"
import * as classes from "./corpus/classes.ts"
import * as generics from "./corpus/generics.ts"
import * as models from "./corpus/models.ts"
import * as primitives from "./corpus/primitives.ts"
import * as recursion from "./corpus/recursion.ts"
import * as sameA from "./corpus/same-a.ts"
import * as sameB from "./corpus/same-b.ts"
import * as structures from "./corpus/structures.ts"
import { CORPUS, type Corpus, evaluated, loadCorpus } from "./corpus.ts"
import { violations } from "./validation.ts"

const MODULES = {
  primitives,
  structures,
  classes,
  recursion,
  generics,
  models,
  "same-a": sameA,
  "same-b": sameB
}

/** What Effect exports, by name; indexing the namespace itself by a union of names would take a checker half a minute. */
const EXPORTS = Schema as unknown as Readonly<Record<string, unknown>>

/** Schemas of which source cannot tell all: filters of what a generic function is given, and recursion without a name. */
const LOST = ["generics/IdPage", "recursion/HoldsHidden"]

/** Schemas for which Effect generates no values, or values that it cannot encode. */
const UNGENERATED = new Set<string>(["primitives/Impossible", "structures/Flipped"])

/** DNS records and hosts are read as any JSON. */
const NETWORK = /\/(?:Dns\w*Record|Host)_$/

/** What Effect itself derives for a schema. */
const derived = (schema: Schema.Constraint): Document =>
  Schema.toJsonSchemaDocument(Schema.toCodecJson(schema)) as unknown as Document

/** The differences between what is read and what Effect derives, for every schema of a corpus. */
const compared = Effect.fnUntraced(function* (corpus: Corpus, schemaOf: (name: string) => unknown) {
  const items = corpus.items.filter((item) => Schema.isSchema(schemaOf(item.name)))
  const reports = yield* schemaFacts(corpus.checker, items, corpus.nameSchema)
  const shapes = (id: StableId) => reports.get(id)?.facts.shape
  const found = items.flatMap((item) => {
    const shape = shapes(item.id)
    return shape === undefined
      ? [`${item.name}: no shape`]
      : differences(shape, shapes, derived(schemaOf(item.name) as Schema.Constraint)).map(
          (text) => `${item.name} ${text}`
        )
  })
  return { count: items.length, found, reports }
})

describe("schemaFacts against Effect", () => {
  it.live("agrees with Effect's own JSON codec on the corpus", () =>
    Effect.gen(function* () {
      const corpus = yield* loadCorpus()
      const { count, found } = yield* compared(corpus, (name) => evaluated(MODULES, name))
      assert.isAtLeast(count, 90)
      assert.deepStrictEqual(
        found.filter((text) => !LOST.some((name) => text.startsWith(`${name} `))),
        []
      )
    }).pipe(Effect.scoped)
  )

  it.live("knows what every schema that Effect exports puts on the wire", () =>
    Effect.gen(function* () {
      const names = Object.keys(Schema).filter((name) => Schema.isSchema(Schema[name as keyof typeof Schema]))
      const source = names.map((name) => `export const ${name}_ = Schema.${name}`)
      const corpus = yield* loadCorpus(
        CORPUS,
        new Map([[`${CORPUS}/exports.ts`, `import { Schema } from "effect"\n${source.join("\n")}\n`]])
      )
      const declared = yield* Effect.filter(
        corpus.items.filter((item) => item.name.startsWith("exports/")),
        (item) =>
          item.symbol === undefined
            ? Effect.succeed(false)
            : Effect.map(corpus.checker.getTypeOfSymbol(item.symbol), (type) => !isAny(type)),
        { concurrency: "unbounded" }
      )
      const exported = new Set(declared.map((item) => item.name).filter((name) => !NETWORK.test(name)))
      assert.isAtLeast(exported.size, 100)
      const { found } = yield* compared(corpus, (name) =>
        exported.has(name) ? EXPORTS[name.slice("exports/".length, -1)] : undefined
      )
      assert.deepStrictEqual(found, [])
    }).pipe(Effect.scoped)
  )

  it.live("gives shapes that every value has once Effect has encoded it", () =>
    Effect.gen(function* () {
      const corpus = yield* loadCorpus()
      const { reports } = yield* compared(corpus, (name) => evaluated(MODULES, name))
      const shapes = (id: StableId) => reports.get(id)?.facts.shape
      const failures: Array<string> = []
      let generated = 0
      for (const item of corpus.items) {
        const schema = evaluated(MODULES, item.name)
        const shape = shapes(item.id)
        if (!Schema.isSchema(schema) || shape === undefined || UNGENERATED.has(item.name)) continue
        generated++
        const codec = Schema.toCodecJson(schema) as unknown as Schema.Codec<unknown>
        const result = yield* Arbitrary.checkEffect(
          Arbitrary.schema(schema),
          (value) =>
            Effect.map(Schema.encodeEffect(codec)(value), (encoded) => violations(shape, shapes, encoded).length === 0),
          { runs: 40, maxDiscards: 4000 }
        )
        const message = Arbitrary.formatCheckFailure(result)
        if (message !== undefined) failures.push(`${item.name}: ${message}`)
      }
      assert.deepStrictEqual(failures, [])
      assert.isAtLeast(generated, 80)
    }).pipe(Effect.scoped)
  )
})
