import { Schema } from "effect"

export class Item extends Schema.Class<Item>("a/Item")({ a: Schema.String }) {}
