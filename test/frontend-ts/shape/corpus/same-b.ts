import { Schema } from "effect"
import { Item as Other } from "./same-a.ts"

export class Item extends Schema.Class<Item>("b/Item")({ b: Schema.Finite, other: Other }) {}
export const Both = Schema.Union([Item, Other])
