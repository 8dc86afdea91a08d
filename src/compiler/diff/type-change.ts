/** What a change of a type means for callers: the variance of inputs, outputs and errors. */
import type { Change, Place } from "./change.ts"
import type { ShapeChange } from "./shape-changes.ts"

type Meaning = readonly [breaking: boolean, reason: string]

const input = (change: ShapeChange): Meaning => {
  switch (change.kind) {
    case "field-added":
      return change.optional === true
        ? [false, "callers may leave the field out"]
        : [true, "callers do not send the field yet, so they are refused"]
    case "field-removed":
      return [true, "callers that give the field no longer compile, and what they send is ignored"]
    case "field-made-optional":
      return [false, "callers that send the field are still accepted"]
    case "field-made-required":
      return [true, "callers that leave the field out are refused"]
    case "widened":
      return [false, "everything that was accepted still is"]
    case "narrowed":
      return [true, "some of what callers send is refused now"]
    default:
      return [true, "what callers send is refused now"]
  }
}

const output = (change: ShapeChange): Meaning => {
  switch (change.kind) {
    case "field-added":
      return [false, "callers ignore fields that they do not know"]
    case "field-removed":
      return [true, "callers that read the field no longer find it"]
    case "field-made-optional":
      return [true, "callers have to expect that the field is missing"]
    case "field-made-required":
      return [false, "callers that expect the field to be missing still work"]
    case "widened":
      return [true, "callers receive values that they do not expect"]
    case "narrowed":
      return [false, "callers expect everything that they receive"]
    default:
      return [true, "callers receive something else than they expect"]
  }
}

const DOCUMENTATION: Meaning = [false, "only the documentation differs"]

/** The change of an operation that a change of a shape is, seen from its callers. */
export const typeChange = (subject: string, place: Place, schema: string, change: ShapeChange): Change => {
  const path = `${schema}${change.path}`
  if (change.kind === "documentation") {
    const [breaking, reason] = DOCUMENTATION
    return { kind: "documentation-changed", subject, breaking, reason, detail: `${change.detail} of ${place} ${path}` }
  }
  const [breaking, reason] = place === "input" ? input(change) : output(change)
  return { kind: `${place}-${change.kind}`, subject, breaking, reason, detail: `${path}: ${change.detail}` }
}
