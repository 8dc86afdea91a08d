import { Operation } from "@effx/runtime"
import { Context, Effect, Layer, Ref } from "effect"
import type Invoice from "./billing/line.js"
import type { Line as BillingLine } from "./billing/line.js"
import {
  Article,
  ArticleId,
  ArticleNotFound,
  BadName,
  type ById,
  type Category,
  type Flags,
  type Größe,
  "a label" as Label,
  type Line,
  Nothing,
  OutOfStock,
  type Range,
  type Rename,
  type Search,
  type Tagged,
  Version
} from "./schemas.js"

export class Shelf extends Context.Service<Shelf, { readonly removed: Ref.Ref<number> }>()("shop/Shelf") {
  static readonly layer = Layer.effect(
    Shelf,
    Effect.map(Ref.make(0), (removed) => Shelf.of({ removed }))
  )
}

const chair = new Article({ id: ArticleId.make(1), name: "chair", tags: ["wood"] })

/** Plain functions behind a class, as decorators would find them. */
export class Shop {
  static find(input: typeof ById.Type) {
    return input.id === chair.id ? Effect.succeed(chair) : Effect.fail(new ArticleNotFound({ id: input.id }))
  }

  static search(input: typeof Search.Type) {
    return Effect.succeed(
      [chair].filter(({ tags }) => (input.tags ?? []).every((tag) => tags.includes(tag))).slice(0, input.limit ?? 20)
    )
  }

  static rename(input: Rename) {
    return Effect.gen(function* () {
      if (input.name === "") return yield* new BadName({ name: input.name })
      const article = yield* Shop.find({ id: input.id })
      return new Article({ ...article, name: input.loud })
    })
  }

  static remove(input: typeof ById.Type) {
    return Effect.gen(function* () {
      yield* Shop.find(input)
      const { removed } = yield* Shelf
      yield* Ref.update(removed, (count) => count + 1)
    })
  }

  static buy(input: typeof ById.Type) {
    return input.id === chair.id ? Effect.fail(new OutOfStock()) : Effect.fail(new ArticleNotFound({ id: input.id }))
  }

  static between(input: typeof Range.Type) {
    return input.from === 0
      ? Effect.succeed([chair])
      : Effect.map(
          Shelf.use(({ removed }) => Ref.get(removed)),
          (count) => Array.from({ length: count }, () => chair)
        )
  }

  static "größe prüfen"(input: typeof Größe.Type) {
    return Effect.succeed(input)
  }

  static tree(input: Category): Effect.Effect<Category> {
    return Effect.succeed(input)
  }

  static line(input: typeof Line.Type) {
    return Effect.succeed({ cents: input.text.length } satisfies typeof BillingLine.Type)
  }

  static tagged(input: typeof Tagged.Type): Effect.Effect<typeof Tagged.Type, BadName> {
    return Effect.succeed(input)
  }

  static flags(input: typeof Flags.Type) {
    return Effect.succeed(input)
  }

  static invoice() {
    return Effect.succeed({ lines: [{ cents: 3 }] } satisfies typeof Invoice.Type)
  }
}

/** The builder syntax, and an operation without a group. */
export const version = Operation.query({ success: Version }).handler(() => Effect.succeed("3"))
export const ping = Operation.command({ success: Nothing }).handler(() => Effect.void)
export const printLabel = Operation.query({ input: Label, success: Label }).handler((label) => Effect.succeed(label))
