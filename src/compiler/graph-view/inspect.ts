/**
 * One operation as `effx inspect` and the graph page show it: what it is, what it promises and how it is reached, read
 * from the IR alone. It deliberately leaves colours and source positions to its callers.
 */
import { type GraphIndex, nameOf, type OperationNode, type StableId, type SymbolRef, type Transport } from "@effx/ir"
import { Option } from "effect"
import { accessOf, docsOf, problemsOf, rpcGuardsOf } from "../facts.ts"
import { schemaFacts } from "../shapes.ts"

export interface CardChannel {
  readonly values: ReadonlyArray<string>
  /** False when an annotation declares the set. */
  readonly inferred: boolean
}

export interface CardExposure {
  readonly transport: "HTTP" | "RPC" | "CLI"
  readonly address: string
  readonly access?: "public" | "protected"
  /** Middleware that guards the exposure, by export name. */
  readonly guards: ReadonlyArray<string>
}

export interface OperationCard {
  readonly name: string
  readonly kind: "Query" | "Command"
  readonly summary?: string
  readonly description?: string
  readonly input?: string
  readonly success: string
  readonly errors: CardChannel
  readonly requirements: CardChannel
  /** Capabilities that `@Authorize` declares. */
  readonly authority: ReadonlyArray<string>
  readonly exposures: ReadonlyArray<CardExposure>
  readonly problems?: ReadonlyArray<string>
  readonly handler: string
}

/** A symbol as an author writes it. */
const symbolText = (ref: SymbolRef): string => (ref.member === undefined ? ref.export : `${ref.export}.${ref.member}`)

const lastPart = (id: StableId): string => nameOf(id).slice(nameOf(id).lastIndexOf("/") + 1)

/** The name by which readers know a node: an export, an operation's name, a route. */
export const nameOfNode = (index: GraphIndex, id: StableId): string => {
  const node = Option.getOrUndefined(index.node(id))
  if (node === undefined) return lastPart(id)
  switch (node._tag) {
    case "Schema":
      return node.ref.export
    case "Focus":
      return [lastPart(node.root), ...node.path].join(".")
    case "Exposure":
      return addressOf(node.transport).address
    case "Extension":
      return `${node.extension} ${node.tag}`
    default:
      return node.name
  }
}

const errorName = (index: GraphIndex, id: StableId): string => {
  const status = Option.getOrUndefined(schemaFacts(index, id))?.status
  return status === undefined ? nameOfNode(index, id) : `${nameOfNode(index, id)} (${status})`
}

/** Where an exposure is reached. */
export const addressOf = (transport: Transport): Pick<CardExposure, "transport" | "address"> => {
  switch (transport._tag) {
    case "http":
      return { transport: "HTTP", address: `${transport.method} ${transport.path}` }
    case "rpc":
      return { transport: "RPC", address: transport.name }
    case "cli":
      return { transport: "CLI", address: transport.words.join(" ") }
  }
}

const exposureOf = (index: GraphIndex, operation: StableId, id: StableId): ReadonlyArray<CardExposure> => {
  const node = Option.getOrUndefined(index.node(id))
  if (node?._tag !== "Exposure") return []
  const where = addressOf(node.transport)
  const access = where.transport === "HTTP" ? accessOf(index, operation) : undefined
  const guards = where.transport === "RPC" ? rpcGuardsOf(index, id) : (access?.middleware ?? [])
  return [{ ...where, ...(access && { access: access.exposure }), guards: guards.map(symbolText) }]
}

/** Reads the card of an operation. */
export const operationCard = (index: GraphIndex, node: OperationNode): OperationCard => {
  const edges = index.outgoing(node.id)
  const problems = problemsOf(index, node.id)
  return {
    name: node.name,
    kind: node.kind,
    ...docsOf(index, node.id),
    ...(node.input && { input: node.input.export }),
    success: node.success.export,
    errors: { values: node.errors.values.map((id) => errorName(index, id)), inferred: node.errors.inferred },
    requirements: {
      values: node.requirements.values.map((id) => nameOfNode(index, id)),
      inferred: node.requirements.inferred
    },
    authority: edges.filter(({ kind }) => kind === "AuthorizedBy").map(({ to }) => nameOfNode(index, to)),
    exposures: edges.filter(({ kind }) => kind === "ExposedAs").flatMap(({ to }) => exposureOf(index, node.id, to)),
    ...(problems && { problems: problems.codes }),
    handler: symbolText(node.handler)
  }
}

const channel = ({ inferred, values }: CardChannel, none: string): string =>
  `${values.length === 0 ? none : values.join(", ")}   (${inferred ? "inferred" : "declared"})`

const reached = ({ access, address, guards }: CardExposure): string =>
  [
    address,
    ...(access === undefined ? [] : [access]),
    ...(guards.length === 0 ? [] : [`guarded by ${guards.join(", ")}`])
  ].join("   ")

/**
 * The card as labelled lines; equal labels follow each other.
 *
 * @param place where the operation is declared, `file:line:col`
 */
export const cardRows = (
  card: OperationCard,
  place?: string
): ReadonlyArray<readonly [label: string, text: string]> => [
  ["input", card.input ?? "none"],
  ["success", card.success],
  ["errors", channel(card.errors, "none")],
  ["requires", channel(card.requirements, "nothing")],
  ...card.authority.map(
    (capability) => ["authority", `${capability}   (declared by @Authorize; effx generates no check for it)`] as const
  ),
  ...(card.exposures.length === 0
    ? [["exposed", "not over HTTP, RPC or the command line"] as const]
    : card.exposures.map((exposure) => [exposure.transport, reached(exposure)] as const)),
  ...(card.problems === undefined ? [] : [["problems", card.problems.join(", ")] as const]),
  ["handler", place === undefined ? card.handler : `${card.handler}   ${place}`]
]
