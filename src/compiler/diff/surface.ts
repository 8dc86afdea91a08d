/**
 * The public surface of an IR: what callers of an application can see of it, gathered for comparison.
 *
 * Guarantees: reads nothing but the IR; facts that are missing or malformed are absent, since an older effx may have
 * written the IR. Services, models and handlers are not part of the surface.
 */
import {
  type ApplicationIR,
  type ExtensionNode,
  type GraphIndex,
  indexOf,
  type OperationNode,
  SchemaFacts,
  type SchemaRef,
  type StableId,
  SymbolRef
} from "@effx/ir"
import { Option, Schema } from "effect"
import type { FactsOf } from "./resolve.ts"

const Docs = Schema.Struct({
  summary: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String)
})
const Access = Schema.Struct({ exposure: Schema.String, middleware: Schema.optionalKey(Schema.Array(SymbolRef)) })
const Guards = Schema.Struct({ middleware: Schema.Array(SymbolRef) })
const Problems = Schema.Struct({
  codes: Schema.Array(Schema.String),
  map: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
})

export interface Route {
  readonly method: string
  readonly path: string
}

export interface RpcExposure {
  readonly name: string
  readonly guards: ReadonlyArray<string>
}

export interface PublicOperation {
  readonly node: OperationNode
  readonly routes: ReadonlyArray<Route>
  readonly rpcs: ReadonlyArray<RpcExposure>
  readonly commands: ReadonlyArray<string>
  /** Who may call it over HTTP; undefined where nothing is declared. */
  readonly access: typeof Access.Type | undefined
  readonly problems: typeof Problems.Type | undefined
  readonly capabilities: ReadonlyArray<string>
  readonly docs: typeof Docs.Type
  readonly errors: ReadonlyArray<StableId>
}

export interface Surface {
  readonly index: GraphIndex
  readonly operations: ReadonlyMap<string, PublicOperation>
  readonly factsOf: FactsOf
  readonly refOf: (id: StableId) => SchemaRef | undefined
}

const factReader = (index: GraphIndex) => {
  const facts = index.ir.edges.filter(({ kind }) => kind === "ExtensionOf")
  const byOwner = Map.groupBy(facts, ({ to }) => to)
  return <S extends Schema.ConstraintDecoder<unknown>>(
    owner: StableId,
    extension: string,
    tag: string,
    schema: S
  ): S["Type"] | undefined => {
    const decode = Schema.decodeUnknownOption(schema)
    return (byOwner.get(owner) ?? [])
      .flatMap(({ from }) => Option.toArray(index.node(from)))
      .filter(
        (node): node is ExtensionNode => node._tag === "Extension" && node.extension === extension && node.tag === tag
      )
      .flatMap(({ data }) => Option.toArray(decode(data)))[0]
  }
}

const symbolName = ({ export: name, member }: SymbolRef): string => (member === undefined ? name : `${name}.${member}`)

/** Gathers the surface of an IR. */
export const surfaceOf = (ir: ApplicationIR): Surface => {
  const index = indexOf(ir)
  const fact = factReader(index)
  const exposures = Map.groupBy(index.tagged("Exposure"), ({ operation }) => operation)
  const schemaFacts = new Map(index.tagged("Schema").map(({ id }) => [id, fact(id, "core", "schema", SchemaFacts)]))
  const refs = new Map(index.tagged("Schema").map(({ id, ref }) => [id, ref]))

  const operation = (node: OperationNode): PublicOperation => {
    const own = exposures.get(node.id) ?? []
    const owners = [node.id, ...own.map(({ id }) => id)]
    return {
      node,
      routes: own.flatMap(({ transport }) => (transport._tag === "http" ? [transport] : [])),
      rpcs: own.flatMap(({ id, transport }) =>
        transport._tag === "rpc"
          ? [
              {
                name: transport.name,
                guards: (fact(id, "rpc", "middleware", Guards)?.middleware ?? []).map(symbolName)
              }
            ]
          : []
      ),
      commands: own.flatMap(({ transport }) => (transport._tag === "cli" ? [transport.words.join(" ")] : [])),
      access: owners.map((id) => fact(id, "http", "access", Access)).find((access) => access !== undefined),
      problems: fact(node.id, "http", "problems", Problems),
      capabilities: index
        .outgoing(node.id)
        .filter(({ kind }) => kind === "AuthorizedBy")
        .map(({ to }) =>
          Option.match(index.node(to), { onNone: () => to, onSome: (found) => ("name" in found ? found.name : to) })
        ),
      docs: fact(node.id, "core", "docs", Docs) ?? {},
      errors: node.errors.values
    }
  }

  return {
    index,
    operations: new Map(index.tagged("Operation").map((node) => [node.name, operation(node)])),
    factsOf: (id) => schemaFacts.get(id),
    refOf: (id) => refs.get(id)
  }
}

/** The names of the middleware that an access declaration demands, sorted. */
export const guardsOf = (access: PublicOperation["access"]): ReadonlyArray<string> =>
  access?.exposure === "protected" ? (access.middleware ?? []).map(symbolName).sort() : []
