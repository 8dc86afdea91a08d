/**
 * One operation as `effx inspect` shows it: what it is, what it promises and how it is reached, read from the IR alone.
 */
import { readFact, schemaFacts } from "@effx/compiler"
import { type GraphIndex, nameOf, type OperationNode, type StableId, type SymbolRef, type Transport } from "@effx/ir"
import { Option } from "effect"
import { type Style, visible } from "./reporters/style.ts"

interface Channel {
  readonly values: ReadonlyArray<string>
  /** False when an annotation declares the set. */
  readonly inferred: boolean
}

export interface Exposure {
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
  readonly errors: Channel
  readonly requirements: Channel
  /** Capabilities that `@Authorize` declares. */
  readonly authority: ReadonlyArray<string>
  readonly exposures: ReadonlyArray<Exposure>
  readonly problems?: ReadonlyArray<string>
  readonly handler: string
}

interface Access {
  readonly exposure: "public" | "protected"
  readonly middleware: ReadonlyArray<SymbolRef>
}

const symbol = (ref: SymbolRef): string => (ref.member === undefined ? ref.export : `${ref.export}.${ref.member}`)

const fact = <A>(index: GraphIndex, extension: string, tag: string, owner: StableId): A | undefined =>
  Option.getOrUndefined(readFact(index, extension, tag, owner)) as A | undefined

const exportOf = (id: StableId): string => nameOf(id).slice(nameOf(id).lastIndexOf("/") + 1)

const schemaName = (index: GraphIndex, id: StableId): string =>
  Option.match(index.node(id), {
    onNone: () => exportOf(id),
    onSome: (node) => (node._tag === "Schema" ? node.ref.export : exportOf(id))
  })

const errorName = (index: GraphIndex, id: StableId): string => {
  const status = Option.getOrUndefined(schemaFacts(index, id))?.status
  return status === undefined ? schemaName(index, id) : `${schemaName(index, id)} (${status})`
}

const address = (transport: Transport): Pick<Exposure, "transport" | "address"> => {
  switch (transport._tag) {
    case "http":
      return { transport: "HTTP", address: `${transport.method} ${transport.path}` }
    case "rpc":
      return { transport: "RPC", address: transport.name }
    case "cli":
      return { transport: "CLI", address: transport.words.join(" ") }
  }
}

const exposureOf = (index: GraphIndex, operation: StableId, id: StableId): ReadonlyArray<Exposure> => {
  const node = Option.getOrUndefined(index.node(id))
  if (node?._tag !== "Exposure") return []
  const where = address(node.transport)
  const access = where.transport === "HTTP" ? fact<Access>(index, "http", "access", operation) : undefined
  const guards =
    where.transport === "RPC"
      ? fact<{ readonly middleware: ReadonlyArray<SymbolRef> }>(index, "rpc", "middleware", id)?.middleware
      : access?.middleware
  return [{ ...where, ...(access && { access: access.exposure }), guards: (guards ?? []).map(symbol) }]
}

/** Reads the card of an operation. */
export const operationCard = (index: GraphIndex, node: OperationNode): OperationCard => {
  const docs = fact<{ readonly summary?: string; readonly description?: string }>(index, "core", "docs", node.id) ?? {}
  const edges = index.outgoing(node.id)
  const problems = fact<{ readonly codes: ReadonlyArray<string> }>(index, "http", "problems", node.id)
  return {
    name: node.name,
    kind: node.kind,
    ...docs,
    ...(node.input && { input: node.input.export }),
    success: node.success.export,
    errors: { values: node.errors.values.map((id) => errorName(index, id)), inferred: node.errors.inferred },
    requirements: {
      values: node.requirements.values.map((id) => {
        const service = Option.getOrUndefined(index.node(id))
        return service?._tag === "Service" ? service.name : nameOf(id)
      }),
      inferred: node.requirements.inferred
    },
    authority: edges.filter((edge) => edge.kind === "AuthorizedBy").map((edge) => nameOf(edge.to)),
    exposures: edges.filter((edge) => edge.kind === "ExposedAs").flatMap((edge) => exposureOf(index, node.id, edge.to)),
    ...(problems && { problems: problems.codes }),
    handler: symbol(node.handler)
  }
}

const channel = ({ inferred, values }: Channel, none: string): string =>
  `${values.length === 0 ? none : values.join(", ")}   (${inferred ? "inferred" : "declared"})`

const reached = ({ access, address: where, guards }: Exposure): string =>
  [
    where,
    ...(access === undefined ? [] : [access]),
    ...(guards.length === 0 ? [] : [`guarded by ${guards.join(", ")}`])
  ].join("   ")

/**
 * The card as text.
 *
 * @param place where the operation is declared, `file:line:col`
 */
export const renderCard = (card: OperationCard, place: string | undefined, style: Style): string => {
  const rows: ReadonlyArray<readonly [label: string, text: string]> = [
    ["input", card.input ?? "none"],
    ["success", card.success],
    ["errors", channel(card.errors, "none")],
    ["requires", channel(card.requirements, "nothing")],
    ...card.authority.map(
      (capability) => ["authority", `${capability}   (declared by @Authorize; effx generates no check for it)`] as const
    ),
    ...card.exposures.map((exposure) => [exposure.transport, reached(exposure)] as const),
    ...(card.problems === undefined ? [] : [["problems", card.problems.join(", ")] as const]),
    ["handler", place === undefined ? card.handler : `${card.handler}   ${place}`]
  ]
  const width = Math.max(...rows.map(([label]) => label.length)) + 2
  const paragraphs = [card.summary, card.description].flatMap((text) => (text === undefined ? [] : text.split("\n")))
  return [
    `${style.strong(visible(card.name))}   ${card.kind}`,
    ...paragraphs.map((line) => (line === "" ? "" : `  ${visible(line)}`)),
    "",
    ...rows.map(([label, text], at) => {
      const shown = rows[at - 1]?.[0] === label ? "" : label
      return `  ${style.faint(shown.padEnd(width))}${visible(text)}`
    }),
    ...(card.exposures.length === 0 ? ["  not exposed over HTTP, RPC or the command line"] : []),
    ""
  ].join("\n")
}
