/** What a declaration stands for: the operation or model that its annotations are about. */
import { type StableId, stableId } from "@effx/ir"
import { recordOf, schemaOf, textOf } from "./argument.ts"
import type { Annotation, Declaration } from "./collected.ts"

/** The annotations that make a declaration an operation. */
export const OPERATION_KINDS = ["Query", "Command"] as const

/** The annotation that makes the declaration an operation; absent for everything else. */
export const operationAnnotation = (declaration: Declaration): Annotation | undefined =>
  declaration.kind === "model"
    ? undefined
    : declaration.annotations.find(({ name }) => OPERATION_KINDS.some((kind) => kind === name))

/** The operation's name: the `name` option, else `Class.method` or the constant. For models, the schema's export name. */
export const subjectName = (declaration: Declaration): string => {
  if (declaration.kind === "model") {
    const model = declaration.annotations.find(({ name }) => name === "PersistentModel")
    return schemaOf(recordOf(model?.args[0])?.schema)?.export ?? declaration.export
  }
  const name = textOf(recordOf(operationAnnotation(declaration)?.args[0])?.name)
  return name === undefined || name === "" ? declaration.id : name
}

/** The stable id of what the declaration stands for, whether or not its annotations are valid. */
export const subjectId = (declaration: Declaration): StableId =>
  stableId(declaration.kind === "model" ? "model" : "operation", subjectName(declaration))
