/**
 * Decodes what an interpreter returned, piece by piece, so that one malformed node costs only itself.
 *
 * A value that was accepted once is accepted again without another look: contributions share nodes. What a built-in
 * extension returns is held by its types instead, which the compiler's own build checks.
 */
import { type Diagnostic, Site } from "@effx/diagnostics"
import { Edge, kindOf, Node } from "@effx/ir"
import { Result, Schema } from "effect"
import type { Contribution } from "../extension.ts"
import { problemOf, type Supervisor } from "./extension-contract.ts"

export interface DecodedContribution {
  readonly nodes: ReadonlyArray<Node>
  readonly edges: ReadonlyArray<Edge>
  readonly sites: Readonly<Record<string, Site>>
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

const KIND_OF: Record<Node["_tag"], string> = {
  Schema: "schema",
  Model: "model",
  Service: "service",
  Operation: "operation",
  Capability: "capability",
  Focus: "focus",
  Exposure: "exposure",
  Extension: "ext"
}

const memoized = <A extends object>(decode: (value: unknown) => Result.Result<A, unknown>) => {
  const accepted = new WeakMap<object, A>()
  return (value: unknown): Result.Result<A, string> => {
    if (typeof value !== "object" || value === null) return Result.fail("it is not an object")
    const known = accepted.get(value)
    if (known !== undefined) return Result.succeed(known)
    const result = Result.mapError(decode(value), problemOf)
    if (Result.isSuccess(result)) accepted.set(value, result.success)
    return result
  }
}

const decodeNode = memoized(Schema.decodeUnknownResult(Node))
const decodeEdge = memoized(Schema.decodeUnknownResult(Edge))
const decodeSite = memoized(Schema.decodeUnknownResult(Site))

/** Rules of a node that its schema does not state. */
const nodeProblem = (node: Node, extension: string): string | undefined => {
  if (kindOf(node.id) !== KIND_OF[node._tag]) return `the id ${node.id} is not that of a ${node._tag}`
  return node._tag === "Extension" && node.extension !== extension
    ? `the fact ${node.id} names the extension ${node.extension}`
    : undefined
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined

/**
 * @param callback how messages name the interpreter
 * @param site where findings about the extension point
 */
export const decodeContribution = (
  supervisor: Supervisor,
  callback: string,
  site: Site,
  contribution: unknown
): DecodedContribution =>
  supervisor.isBuiltin ? typed(contribution as Contribution) : decoded(supervisor, callback, site, contribution)

const typed = ({ diagnostics = [], edges = [], nodes = [], sites = {} }: Contribution): DecodedContribution => ({
  nodes,
  edges,
  sites,
  diagnostics
})

const decoded = (supervisor: Supervisor, callback: string, site: Site, contribution: unknown): DecodedContribution => {
  const diagnostics: Array<Diagnostic> = []
  const reject = (problem: string) => diagnostics.push(supervisor.invalid(callback, problem, site))
  const list = <A>(name: string, decode: (value: unknown) => Result.Result<A, string>): ReadonlyArray<A> => {
    const values = field(contribution, name)
    if (values === undefined) return []
    if (!Array.isArray(values)) {
      reject(`its ${name} are not a list`)
      return []
    }
    return values.flatMap((value, index) => {
      const result = decode(value)
      if (Result.isSuccess(result)) return [result.success]
      reject(`${name}[${index}]: ${result.failure}`)
      return []
    })
  }
  if (typeof contribution !== "object" || contribution === null) reject("it is not a contribution")
  const nodes = list("nodes", decodeNode).filter((node) => {
    const problem = nodeProblem(node, supervisor.extension.name)
    if (problem !== undefined) reject(problem)
    return problem === undefined
  })
  const edges = list("edges", decodeEdge)
  const sites: Record<string, Site> = {}
  for (const [key, value] of Object.entries(field(contribution, "sites") ?? {})) {
    const result = decodeSite(value)
    if (Result.isSuccess(result)) sites[key] = result.success
    else reject(`the site of ${key}: ${result.failure}`)
  }
  diagnostics.push(...supervisor.admit(callback, field(contribution, "diagnostics"), site))
  return { nodes, edges, sites, diagnostics }
}
