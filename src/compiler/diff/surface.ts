/**
 * The public surface of an IR: what callers of an application can see of it, gathered for comparison.
 *
 * Guarantees: reads nothing but the IR; facts that are missing or malformed are absent, since an older effx may have
 * written the IR. Services, models and handlers are not part of the surface.
 */
import {
  type ApplicationIR,
  type GraphIndex,
  indexOf,
  type OperationNode,
  type SchemaRef,
  type StableId,
  type SymbolRef
} from "@effx/ir"
import { Option } from "effect"
import type { Docs } from "../collected.ts"
import { type Access, accessOf, docsOf, type Problems, problemsOf, rpcGuardsOf } from "../facts.ts"
import { schemaFacts } from "../shapes.ts"
import type { FactsOf } from "./resolve.ts"

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
  readonly access: Access | undefined
  readonly problems: Problems | undefined
  readonly capabilities: ReadonlyArray<string>
  readonly docs: Docs
  readonly errors: ReadonlyArray<StableId>
}

export interface Surface {
  readonly index: GraphIndex
  readonly operations: ReadonlyMap<string, PublicOperation>
  readonly factsOf: FactsOf
  readonly refOf: (id: StableId) => SchemaRef | undefined
}

const symbolName = ({ export: name, member }: SymbolRef): string => (member === undefined ? name : `${name}.${member}`)

/** Gathers the surface of an IR. */
export const surfaceOf = (ir: ApplicationIR): Surface => {
  const index = indexOf(ir)
  const exposures = Map.groupBy(index.tagged("Exposure"), ({ operation }) => operation)
  const refs = new Map(index.tagged("Schema").map(({ id, ref }) => [id, ref]))

  const operation = (node: OperationNode): PublicOperation => {
    const own = exposures.get(node.id) ?? []
    return {
      node,
      routes: own.flatMap(({ transport }) => (transport._tag === "http" ? [transport] : [])),
      rpcs: own.flatMap(({ id, transport }) =>
        transport._tag === "rpc" ? [{ name: transport.name, guards: rpcGuardsOf(index, id).map(symbolName) }] : []
      ),
      commands: own.flatMap(({ transport }) => (transport._tag === "cli" ? [transport.words.join(" ")] : [])),
      access: accessOf(index, node.id),
      problems: problemsOf(index, node.id),
      capabilities: index
        .outgoing(node.id)
        .filter(({ kind }) => kind === "AuthorizedBy")
        .map(({ to }) =>
          Option.match(index.node(to), { onNone: () => to, onSome: (found) => ("name" in found ? found.name : to) })
        ),
      docs: docsOf(index, node.id),
      errors: node.errors.values
    }
  }

  return {
    index,
    operations: new Map(index.tagged("Operation").map((node) => [node.name, operation(node)])),
    factsOf: (id) => Option.getOrUndefined(schemaFacts(index, id)),
    refOf: (id) => refs.get(id)
  }
}

/** The names of the middleware that an access declaration demands, sorted. */
export const guardsOf = (access: PublicOperation["access"]): ReadonlyArray<string> =>
  access?.exposure === "protected" ? access.middleware.map(symbolName).sort() : []
