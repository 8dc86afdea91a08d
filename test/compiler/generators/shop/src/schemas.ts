import { Schema } from "effect"

export const ArticleId = Schema.Int.pipe(Schema.brand("ArticleId"))

/** Something to buy. */
export class Article extends Schema.Class<Article>("Article")({
  id: ArticleId,
  name: Schema.String,
  tags: Schema.Array(Schema.String),
  price: Schema.optionalKey(Schema.Finite)
}) {
  /** What visitors see. */
  static readonly Public = Schema.Struct({ id: ArticleId, name: Schema.String }).annotate({
    identifier: "PublicArticle"
  })
}

/** A whole class as input: the handler gets an instance, also where its fields come from two parts of a request. */
export class Rename extends Schema.Class<Rename>("Rename")({
  id: ArticleId,
  name: Schema.String,
  note: Schema.optionalKey(Schema.String)
}) {
  get loud(): string {
    return this.name.toUpperCase()
  }
}

/** A rule over several fields. */
export const Range = Schema.Struct({ shelf: Schema.String, from: Schema.Int, to: Schema.Int }).check(
  Schema.makeFilter(({ from, to }: { readonly from: number; readonly to: number }) => from <= to, {
    expected: "from at most to"
  })
)

export const ById = Schema.Struct({ id: ArticleId })
export const Search = Schema.Struct({
  text: Schema.optionalKey(Schema.String),
  limit: Schema.optionalKey(Schema.Int),
  tags: Schema.optionalKey(Schema.Array(Schema.String)),
  sort: Schema.Literals(["name", "price"])
})
export const Articles = Schema.Array(Article)

export interface Category {
  readonly name: string
  readonly children: ReadonlyArray<Category>
}
export const Category: Schema.Codec<Category> = Schema.Struct({
  name: Schema.String,
  children: Schema.Array(Schema.suspend((): Schema.Codec<Category> => Category))
}).annotate({ identifier: "Category" })

export const Größe = Schema.Struct({ länge: Schema.FiniteFromString })
export const Line = Schema.Struct({ text: Schema.String })
export const Nothing = Schema.Void
export const Version = Schema.String

const Quoted = Schema.Struct({ label: Schema.String })

export { Quoted as "a label" }

export class ArticleNotFound extends Schema.TaggedError<ArticleNotFound>()(
  "ArticleNotFound",
  { id: ArticleId },
  { httpApiStatus: 404 }
) {
  override get message(): string {
    return `There is no article ${this.id}`
  }
}

export class BadName extends Schema.TaggedError<BadName>()(
  "BadName",
  { name: Schema.String },
  { httpApiStatus: 400 }
) {}

/** An error that names no status. */
export class OutOfStock extends Schema.TaggedError<OutOfStock>()("OutOfStock", {}) {}

/** An input whose only field can only have one value. */
export const Tagged = Schema.TaggedStruct("Tagged", {})

/** Fields of every kind that a command line takes. */
export const Flags = Schema.TaggedStruct("Flags", {
  userId: Schema.String,
  user_id: Schema.optionalKey(Schema.String),
  version: Schema.optionalKey(Schema.Int),
  loud: Schema.Boolean,
  sizes: Schema.Array(Schema.Finite),
  note: Schema.optionalKey(Schema.NullOr(Schema.String)),
  place: Schema.optionalKey(Schema.Struct({ x: Schema.Int }))
})
