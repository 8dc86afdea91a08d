import { Context } from "effect"

const KEY = "services/Constant"

export class Plain extends Context.Service<Plain, { readonly a: string }>()("services/Plain") {}
export class Constant extends Context.Service<Constant, { readonly a: string }>()(KEY) {}
export class Computed extends Context.Service<Computed, { readonly a: string }>()(`services/${KEY}`) {}
export const Value = Context.Service<{ readonly a: string }>("services/Value")
