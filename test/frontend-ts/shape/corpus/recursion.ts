import { Schema } from "effect"

export interface Category {
  readonly name: string
  readonly children: ReadonlyArray<Category>
}
export const Category: Schema.Codec<Category> = Schema.Struct({
  name: Schema.String,
  children: Schema.Array(Schema.suspend((): Schema.Codec<Category> => Category))
}).annotate({ identifier: "Category" })

export class Folder extends Schema.Class<Folder>("Folder")({
  name: Schema.String,
  parent: Schema.NullOr(Schema.suspend((): Schema.Codec<Folder, FolderEncoded> => Folder)),
  since: Schema.Date
}) {}
interface FolderEncoded {
  readonly name: string
  readonly parent: FolderEncoded | null
  readonly since: Date
}

export interface Expression {
  readonly kind: "sum"
  readonly left: Operand
  readonly right: Operand
}
export type Operand = number | Expression
export const Operand: Schema.Codec<Operand> = Schema.Union([
  Schema.Finite,
  Schema.suspend((): Schema.Codec<Expression> => Expression)
])
export const Expression: Schema.Codec<Expression> = Schema.Struct({
  kind: Schema.Literal("sum"),
  left: Operand,
  right: Operand
})

interface Hidden {
  readonly next: Hidden | null
}
const Hidden: Schema.Codec<Hidden> = Schema.Struct({
  next: Schema.NullOr(Schema.suspend((): Schema.Codec<Hidden> => Hidden))
})
export const HoldsHidden = Schema.Struct({ hidden: Hidden })
