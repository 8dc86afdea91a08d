import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

const CATALOGUE = {
  "article-missing": { status: 404, title: "No such article" },
  "stock-empty": { status: 500, title: "Nothing left" }
} as const

/** The problem schemas of an endpoint: RFC 9457 members, of which only `detail` depends on the occurrence. */
export const problems = (identifier: string, codes: ReadonlyArray<keyof typeof CATALOGUE>) =>
  codes.map((code) =>
    Schema.Struct({
      type: Schema.tag(`https://shop.example/problems/${code}`),
      title: Schema.tag(CATALOGUE[code].title),
      status: Schema.tag(CATALOGUE[code].status),
      code: Schema.Literal(code),
      detail: Schema.optionalKey(Schema.String)
    }).pipe(
      Schema.annotate({ identifier: `${identifier}.${code}`, httpApiStatus: CATALOGUE[code].status }),
      HttpApiSchema.asJson({ contentType: "application/problem+json" })
    )
  )
