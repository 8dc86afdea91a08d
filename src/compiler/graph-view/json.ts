/** The graph as JSON, one document. */
import { canonicalJson } from "@effx/ir"
import type { GraphView } from "./view.ts"

/** Renders the view as canonical JSON with a final newline. */
export const renderGraphJson = (view: GraphView): string => `${canonicalJson({ schema: "effx.graph.v1", ...view })}\n`
