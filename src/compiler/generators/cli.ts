/**
 * Generates `cli.ts`: a tree of commands from the words of the CLI exposures, and `main`, which runs it.
 *
 * A command decodes its flags with the author's input schema, calls the author's handler and prints the encoded success as
 * JSON. A declared error is printed as JSON on stderr and fails the command, so that a program exits with 1. Importing the
 * file runs nothing.
 */
import { compareStrings } from "@effx/ir"
import type { GenerateInput, Generator } from "../extension.ts"
import { type FlagView, type InputFlags, inputFlags } from "./cli-flags.ts"
import * as helpers from "./cli-helpers.ts"
import { array, call, type Doc, hard, hug, indent, join, object } from "./doc.ts"
import { kebabCase, pascalCase, propertyKey } from "./names.ts"
import { isVoid, type OperationView, operationsOf } from "./operation-view.ts"
import { type SourceModule, sourceModule } from "./source-module.ts"

interface CommandView {
  readonly word: string
  /** The constant that is the command. */
  readonly constant: string
  readonly operation: OperationView | undefined
  readonly children: ReadonlyArray<CommandView>
}

interface Exposed {
  readonly words: ReadonlyArray<string>
  readonly operation: OperationView
}

const text = (value: string): string => JSON.stringify(value)

/** The field of the generated flags that holds an input which is no object. */
const WHOLE = "input"

const treeOf = (
  module: SourceModule,
  exposed: ReadonlyArray<Exposed>,
  above: ReadonlyArray<string>
): ReadonlyArray<CommandView> =>
  Array.from(Map.groupBy(exposed, ({ words }) => words[above.length] ?? ""))
    .sort(([a], [b]) => compareStrings(a, b))
    .map(([word, below]) => {
      const path = [...above, word]
      const name = pascalCase(path.join(" "))
      return {
        word,
        constant: module.declare(`${name.slice(0, 1).toLowerCase()}${name.slice(1)}Command`),
        operation: below.find(({ words }) => words.length === path.length)?.operation,
        children: treeOf(
          module,
          below.filter(({ words }) => words.length > path.length),
          path
        )
      }
    })

const flagDoc = (module: SourceModule, view: FlagView): Doc => {
  const flag = module.effect("Flag")
  const steps: Array<Doc> = []
  const { kind } = view
  if (kind._tag === "Json") {
    steps.push(`${flag}.withMetavar("json")`, `${flag}.mapTryCatch(parseJson, () => "Expected JSON")`)
  }
  if (view.repeated) steps.push(`${flag}.atLeast(${view.optional ? 1 : 0})`)
  if (view.description !== undefined) steps.push(`${flag}.withDescription(${text(view.description)})`)
  if (view.optional) steps.push(`${flag}.optional`)
  const base: Doc =
    kind._tag === "Literals"
      ? hug(`${flag}.Literals`, text(view.flag), array(kind.values.map(text)))
      : `${flag}.${kind._tag === "Json" ? "String" : kind._tag}(${text(view.flag)})`
  return steps.length === 0 ? base : [base, call(".pipe", ...steps)]
}

/** What the handler decodes: the flags, and the fields that can only have one value. */
const encodedInput = ({ flags, constants }: InputFlags): Doc => {
  if (flags.some(({ field }) => field === undefined)) return `flags.${WHOLE}`
  const fixed = constants.map(([field, value]) => [propertyKey(field), text(value)] as const)
  if (flags.length === 0) return object(fixed)
  return fixed.length === 0 ? "given(flags)" : object([...fixed, ["...given(flags)", "...given(flags)"]])
}

const handlerDoc = (input: GenerateInput, module: SourceModule, operation: OperationView, flags: InputFlags): Doc => {
  const effect = module.effect("Effect")
  const errors = operation.errors.map(({ ref }) => module.schema(ref))
  const error: Doc = errors.length > 1 ? hug(`${module.effect("Schema")}.Union`, array(errors)) : (errors[0] ?? "")
  const called = `${module.symbol(operation.handler)}(${operation.takesInput ? "input" : ""})`
  const silent = isVoid(input.index, operation.success)
  const lines: Array<Doc> = []
  if (operation.input !== undefined) {
    lines.push([
      operation.takesInput ? "const input = yield* " : "yield* ",
      call("decodeInput", module.schema(operation.input.ref), encodedInput(flags))
    ])
  }
  const bound = silent ? "yield* " : "const success = yield* "
  lines.push(
    errors.length === 0
      ? [bound, called]
      : [
          `${bound}${effect}.gen(function* () {`,
          indent(hard, `return yield* ${called}`),
          hard,
          "})",
          call(".pipe", hug(`${effect}.catch`, hug("reject", error)))
        ]
  )
  if (!silent) lines.push(`yield* print(${module.schema(operation.success.ref)}, success)`)
  return [
    `${flags.flags.length === 0 ? "()" : "(flags)"} =>`,
    indent(hard, `${effect}.gen(function* () {`, indent(hard, join(hard, lines)), hard, "})")
  ]
}

const commandDoc = (input: GenerateInput, module: SourceModule, view: CommandView): Doc => {
  const command = module.effect("Command")
  const { operation } = view
  const flags = operation && inputFlags(input.index, operation)
  const base: Doc =
    operation === undefined || flags === undefined
      ? `${command}.make(${text(view.word)})`
      : call(
          `${command}.make`,
          text(view.word),
          object(flags.flags.map((flag) => [propertyKey(flag.field ?? WHOLE), flagDoc(module, flag)])),
          handlerDoc(input, module, operation, flags)
        )
  const steps: Array<Doc> = []
  const { summary, description } = operation?.docs ?? {}
  if (summary !== undefined) {
    if (description !== undefined) steps.push(`${command}.withShortDescription(${text(summary)})`)
    const whole = description === undefined ? summary : `${summary}\n\n${description}`
    steps.push(`${command}.withDescription(${text(whole)})`)
  }
  if (view.children.length > 0) {
    steps.push(hug(`${command}.withSubcommands`, array(view.children.map(({ constant }) => constant))))
  }
  return [`const ${view.constant} = `, base, steps.length === 0 ? "" : call(".pipe", ...steps)]
}

/** Children before their parents, as constants want it. */
const commandDocs = (input: GenerateInput, module: SourceModule, view: CommandView): ReadonlyArray<Doc> => [
  ...view.children.flatMap((child) => commandDocs(input, module, child)),
  commandDoc(input, module, view)
]

const commandsOf = (view: CommandView): ReadonlyArray<OperationView> => [
  ...(view.operation === undefined ? [] : [view.operation]),
  ...view.children.flatMap(commandsOf)
]

/** What the commands share; each helper only where a command needs it. */
const helperDocs = (
  input: GenerateInput,
  module: SourceModule,
  operations: ReadonlyArray<OperationView>
): ReadonlyArray<Doc> => {
  const flags = operations.flatMap((operation) => inputFlags(input.index, operation).flags)
  const decodes = operations.some((operation) => operation.input !== undefined)
  const rejects = operations.some(({ errors }) => errors.length > 0)
  const needed = [
    ...(decodes || rejects ? [helpers.fail] : []),
    ...(flags.some(({ kind }) => kind._tag === "Json") ? [helpers.parseJson] : []),
    ...(flags.some(({ field }) => field !== undefined) ? [helpers.given] : []),
    ...(decodes ? [helpers.decodeInput] : []),
    ...(rejects ? [helpers.reject] : []),
    ...(operations.some(({ success }) => !isVoid(input.index, success)) ? [helpers.print] : [])
  ]
  for (const name of needed.flatMap(({ needs }) => needs)) module.effect(name)
  return needed.map(({ text }) => text)
}

const generate = (input: GenerateInput): string | undefined => {
  const exposed = operationsOf(input.index).flatMap((operation) =>
    operation.cli.map(({ transport: { words } }): Exposed => ({ words, operation }))
  )
  if (exposed.length === 0) return undefined
  const module = sourceModule(input)
  for (const name of [...helpers.HELPER_NAMES, "cli", "main"]) module.declare(name)
  const tree = treeOf(module, exposed, [])
  const command = module.effect("Command")
  const name = kebabCase(input.api.title)
  const steps: Array<Doc> = []
  if (input.api.description !== undefined) steps.push(`${command}.withDescription(${text(input.api.description)})`)
  steps.push(hug(`${command}.withSubcommands`, array(tree.map(({ constant }) => constant))))
  return module.text([
    ...helperDocs(input, module, tree.flatMap(commandsOf)),
    ...tree.flatMap((view) => commandDocs(input, module, view)),
    [`export const cli = ${command}.make(${text(name === "" ? "main" : name)})`, call(".pipe", ...steps)],
    [
      "/** Runs the command line of this process, once it has the services of the handlers and of the platform. */",
      hard,
      `export const main = ${command}.run(cli, { version: ${text(input.api.version)} })`
    ]
  ])
}

export const cli: Generator = {
  name: "cli",
  generate: (input) => {
    const source = input.emit === "contract" ? undefined : generate(input)
    return source === undefined ? [] : [{ path: "cli.ts", text: source }]
  }
}
