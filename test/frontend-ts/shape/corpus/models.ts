import { Schema } from "effect"
import { Model } from "effect/schema"

export class Article extends Model.Class<Article>("Article")({
  id: Model.GeneratedByDb(Schema.Int),
  title: Schema.NonEmptyString,
  secret: Model.Sensitive(Schema.String),
  note: Model.FieldOption(Schema.String),
  createdAt: Model.DateTimeInsert
}) {}
