/** Generated IRs and what is done to them. Ids come from few short names, so that duplicates and meeting edges are common. */
import { ApplicationIR, applicationIR } from "@effx/ir"
import { Arbitrary } from "effect"

export const anyIR: Arbitrary.Arbitrary<ApplicationIR> = Arbitrary.schema(ApplicationIR)

const rotate = <A>(items: ReadonlyArray<A>, by: number): ReadonlyArray<A> => {
  const at = items.length === 0 ? 0 : by % items.length
  return [...items.slice(at), ...items.slice(0, at)].reverse()
}

/** The same IR written in another order, in its sets too, and with some of it twice. */
export const shuffled = (ir: ApplicationIR, by: number): ApplicationIR =>
  applicationIR(
    rotate(
      [...ir.nodes, ...ir.nodes.slice(0, by)].map((node) =>
        node._tag === "Operation"
          ? { ...node, errors: { ...node.errors, values: rotate(node.errors.values, by) } }
          : node._tag === "Model"
            ? { ...node, views: rotate(node.views, by) }
            : node
      ),
      by
    ),
    rotate([...ir.edges, ...ir.edges.slice(0, by)], by)
  )
