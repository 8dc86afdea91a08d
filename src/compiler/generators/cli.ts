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
  if (constants.length === 0) return "given(flags)"
  return object([
    ...constants.map(([field, value]) => [propertyKey(field), text(value)] as const),
    ["...given(flags)", "...given(flags)"]
  ])
}

const handlerDoc = (input: GenerateInput, module: SourceModule, operation: OperationView, flags: InputFlags): Doc => {
  const [effect, schema] = [module.effect("Effect"), module.effect("Schema")]
  const errors = operation.errors.map(({ ref }) => module.schema(ref))
  const error: Doc = errors.length > 1 ? hug(`${schema}.Union`, array(errors)) : (errors[0] ?? "")
  const called = `${module.symbol(operation.handler)}(${operation.input === undefined ? "" : "input"})`
  const silent = isVoid(input.index, operation.success)
  const lines: Array<Doc> = []
  if (operation.input !== undefined) {
    lines.push(["const input = yield* ", call("decodeInput", module.schema(operation.input.ref), encodedInput(flags))])
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
  const [consoleName, effect, runtime] = [module.effect("Console"), module.effect("Effect"), module.effect("Runtime")]
  const flags = operations.map((operation) => inputFlags(input.index, operation))
  const decodes = operations.some((operation) => operation.input !== undefined)
  const rejects = operations.some(({ errors }) => errors.length > 0)
  const prints = operations.some(({ success }) => !isVoid(input.index, success))
  const docs: Array<Doc> = []
  if (decodes || rejects) {
    docs.push(`/** What a command fails with after it printed why. A program exits with 1 and prints nothing more. */
export class CommandFailed extends Error {
  readonly _tag = "CommandFailed"
  override readonly [${runtime}.errorExitCode] = 1
  override readonly [${runtime}.errorReported] = false
}

const fail = (reason: string) =>
  ${effect}.flatMap(${consoleName}.error(reason), () => ${effect}.fail(new CommandFailed(reason)))`)
  }
  if (flags.some(({ flags }) => flags.some(({ kind }) => kind._tag === "Json"))) {
    docs.push("const parseJson = (value: string): unknown => JSON.parse(value)")
  }
  if (flags.some(({ flags }) => flags.some(({ field }) => field !== undefined))) {
    const option = module.effect("Option")
    docs.push(`/** The flags that were given, by the fields that they fill. */
const given = (flags: object): object =>
  Object.fromEntries(
    Object.entries(flags).flatMap(([field, value]) => {
      if (!${option}.isOption(value)) return [[field, value]]
      return ${option}.isSome(value) ? [[field, value.value]] : []
    })
  )`)
  }
  if (decodes) {
    const schema = module.effect("Schema")
    docs.push(`const decodeInput = <S extends ${schema}.Top>(schema: S, encoded: unknown) =>
  ${effect}.catch(${schema}.decodeUnknownEffect(${schema}.toCodecJson(schema))(encoded), (error) => fail(error.message))`)
  }
  if (rejects) {
    const schema = module.effect("Schema")
    docs.push(`/** Prints a declared error as JSON on stderr. */
const reject = <S extends ${schema}.Top>(schema: S) =>
(error: S["Type"]) =>
  ${effect}.flatMap(${effect}.orDie(${schema}.encodeEffect(${schema}.toCodecJson(schema))(error)), (encoded) =>
    fail(JSON.stringify(encoded))
  )`)
  }
  if (prints) {
    const schema = module.effect("Schema")
    docs.push(`/** Prints a success as JSON. */
const print = <S extends ${schema}.Top>(schema: S, success: S["Type"]) =>
  ${effect}.flatMap(${effect}.orDie(${schema}.encodeEffect(${schema}.toCodecJson(schema))(success)), (encoded) =>
    ${consoleName}.log(JSON.stringify(encoded, null, 2))
  )`)
  }
  return docs
}

const generate = (input: GenerateInput): string | undefined => {
  const exposed = operationsOf(input.index).flatMap((operation) =>
    operation.cli.map(({ transport: { words } }): Exposed => ({ words, operation }))
  )
  if (exposed.length === 0) return undefined
  const module = sourceModule(input)
  for (const name of ["CommandFailed", "cli", "decodeInput", "fail", "given", "main", "parseJson", "print", "reject"])
    module.declare(name)
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
