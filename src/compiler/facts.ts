/**
 * The facts that the built-in extensions state about nodes, each with the schema of its data, and their one reader.
 *
 * Guarantees: a fact that is missing or malformed is absent, since another effx may have written the IR. The facts of schemas
 * are read by `shapes.ts`.
 */
import { type NodeLookup, type StableId, SymbolRef } from "@effx/ir"
import { Option, Schema } from "effect"
import type { Docs } from "./collected.ts"
import { readFact } from "./extension-fact.ts"
import { Guard } from "./security-scheme.ts"

const DocsData = Schema.Struct({
  summary: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String)
})

const AccessData = Schema.Struct({
  exposure: Schema.Literals(["public", "protected"]),
  middleware: Schema.optionalKey(Schema.Array(Guard))
})

/** Who may call an operation over HTTP. */
export interface Access {
  readonly exposure: "public" | "protected"
  readonly middleware: ReadonlyArray<Guard>
}

const ProblemsData = Schema.Struct({
  registry: SymbolRef,
  codes: Schema.Array(Schema.String),
  map: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
})

/** The problems (RFC 9457) as which an operation's errors are answered over HTTP. */
export interface Problems {
  readonly registry: SymbolRef
  readonly codes: ReadonlyArray<string>
  /** An error's export name, a static member also by its own name, to one of `codes`. */
  readonly map: Readonly<Record<string, string>>
}

/** There only where the handler of an operation with an input has no parameter. */
const HandlerData = Schema.Struct({ ignoresInput: Schema.Literal(true) })

const KeyData = Schema.Struct({ key: Schema.String })
const GuardsData = Schema.Struct({ middleware: Schema.Array(SymbolRef) })

/** Makes the reader of one fact; data is decoded once, however many ask for it. */
export const factReader = <A extends object>(
  extension: string,
  tag: string,
  schema: Schema.ConstraintDecoder<A>
): ((index: NodeLookup, owner: StableId) => Option.Option<A>) => {
  const decode = Schema.decodeUnknownOption(schema)
  const decoded = new WeakMap<object, Option.Option<A>>()
  return (index, owner) =>
    Option.flatMap(readFact(index, extension, tag, owner), (data) => {
      if (typeof data !== "object" || data === null) return Option.none()
      const known = decoded.get(data)
      if (known !== undefined) return known
      const read = decode(data)
      decoded.set(data, read)
      return read
    })
}

const docs = factReader("core", "docs", DocsData)
const handler = factReader("core", "handler", HandlerData)
const access = factReader("http", "access", AccessData)
const problems = factReader("http", "problems", ProblemsData)
const serviceKey = factReader("core", "service-key", KeyData)
const guards = factReader("rpc", "middleware", GuardsData)

/** The documentation of an operation; empty where it has none. */
export const docsOf = (index: NodeLookup, operation: StableId): Docs =>
  Option.getOrElse(docs(index, operation), (): Docs => ({}))

/**
 * Whether the handler is to be called without the operation's input: TypeScript lets a function with fewer parameters
 * stand for one with more, but refuses a call that gives it an argument.
 */
export const ignoresInput = (index: NodeLookup, operation: StableId): boolean =>
  Option.isSome(handler(index, operation))

/** `undefined` where nothing is declared. */
export const accessOf = (index: NodeLookup, operation: StableId): Access | undefined =>
  Option.match(access(index, operation), {
    onNone: () => undefined,
    onSome: ({ exposure, middleware = [] }) => ({ exposure, middleware })
  })

/** `undefined` where errors are answered as they are. */
export const problemsOf = (index: NodeLookup, operation: StableId): Problems | undefined =>
  Option.match(problems(index, operation), {
    onNone: () => undefined,
    onSome: ({ codes, map = {}, registry }) => ({ registry, codes, map })
  })

/** The middleware that guards an RPC exposure. */
export const rpcGuardsOf = (index: NodeLookup, exposure: StableId): ReadonlyArray<SymbolRef> =>
  Option.match(guards(index, exposure), { onNone: () => [], onSome: ({ middleware }) => middleware })

/** The key string of a service, where source tells it: it is the service's identity at run time. */
export const serviceKeyOf = (index: NodeLookup, service: StableId): string | undefined =>
  Option.getOrUndefined(serviceKey(index, service))?.key
