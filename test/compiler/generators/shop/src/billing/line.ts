import { Schema } from "effect"

export const Line = Schema.Struct({ cents: Schema.Int })

export default Schema.Struct({ lines: Schema.Array(Line) })
