/** What generated commands share, as source text; a module takes only what its commands call. */
import type { EffectName } from "../target.ts"

export interface Helper {
  /** The namespaces of Effect that the text names. */
  readonly needs: ReadonlyArray<EffectName>
  readonly text: string
}

/** The names that the texts declare. */
export const HELPER_NAMES = ["CommandFailed", "decodeInput", "fail", "given", "parseJson", "print", "reject"]

export const fail: Helper = {
  needs: ["Console", "Effect", "Runtime"],
  text: `/** What a command fails with after it printed why. A program exits with 1 and prints nothing more. */
export class CommandFailed extends Error {
  readonly _tag = "CommandFailed"
  override readonly [Runtime.errorExitCode] = 1
  override readonly [Runtime.errorReported] = false
}

const fail = (reason: string) => Effect.flatMap(Console.error(reason), () => Effect.fail(new CommandFailed(reason)))`
}

export const parseJson: Helper = {
  needs: [],
  text: "const parseJson = (value: string): unknown => JSON.parse(value)"
}

export const given: Helper = {
  needs: ["Option"],
  text: `/** The flags that were given, by the fields that they fill. */
const given = (flags: object): object =>
  Object.fromEntries(
    Object.entries(flags).flatMap(([field, value]) => {
      if (!Option.isOption(value)) return [[field, value]]
      return Option.isSome(value) ? [[field, value.value]] : []
    })
  )`
}

export const decodeInput: Helper = {
  needs: ["Effect", "Schema"],
  text: `const decodeInput = <S extends Schema.Top>(schema: S, encoded: unknown) =>
  Effect.catch(Schema.decodeUnknownEffect(Schema.toCodecJson(schema))(encoded), (error) => fail(error.message))`
}

export const reject: Helper = {
  needs: ["Effect", "Schema"],
  text: `/** Prints a declared error as JSON on stderr. */
const reject = <S extends Schema.Top>(schema: S) => (error: S["Type"]) =>
  Effect.flatMap(Effect.orDie(Schema.encodeEffect(Schema.toCodecJson(schema))(error)), (encoded) =>
    fail(JSON.stringify(encoded))
  )`
}

export const print: Helper = {
  needs: ["Console", "Effect", "Schema"],
  text: `/** Prints a success as JSON. */
const print = <S extends Schema.Top>(schema: S, success: S["Type"]) =>
  Effect.flatMap(Effect.orDie(Schema.encodeEffect(Schema.toCodecJson(schema))(success)), (encoded) =>
    Console.log(JSON.stringify(encoded, null, 2))
  )`
}
