/**
 * What standard input and output are, before anything is read or written: supported, or refused with a reason.
 *
 * Supported input: socket, FIFO, terminal, regular file. Supported output: socket, FIFO, terminal (Spec 0018, Linux platform
 * amendment and amendment B). Asking changes nothing.
 */
import { Effect } from "effect"
import { type DescriptorKind, KINDS } from "./abi.ts"
import { errnoName, loadShim, type Shim } from "./host.ts"
import { StdioError, type StdioReason } from "./stdio-error.ts"

const INPUTS: ReadonlyArray<DescriptorKind> = ["socket", "fifo", "regular", "terminal"]
const OUTPUTS: ReadonlyArray<DescriptorKind> = ["socket", "fifo", "terminal"]

const refuse = (reason: StdioReason): Effect.Effect<never, StdioError> => Effect.fail(new StdioError({ reason }))

/** Makes a call whose result is not negative unless it fails. */
export const system = (call: string, make: () => number): Effect.Effect<number, StdioError> =>
  Effect.suspend(() => {
    const result = make()
    return result < 0 ? refuse({ _tag: "SystemCall", call, error: errnoName(result) }) : Effect.succeed(result)
  })

/** Loads the native part; fails when it is missing, broken or of another version. */
export const load = (path: string): Effect.Effect<Shim, StdioError> =>
  Effect.suspend(() => {
    const loading = loadShim(path)
    return loading._tag === "Loaded" ? Effect.succeed(loading.shim) : refuse({ ...loading, path })
  })

const kindOf = (shim: Shim, descriptor: number): Effect.Effect<DescriptorKind, StdioError> =>
  Effect.map(
    system("fstat", () => shim.kind(descriptor)),
    (number) => KINDS[number] ?? "other"
  )

/** The kinds of both ends; fails when one is not supported. */
export const classify = Effect.fnUntraced(function* (shim: Shim, input: number, output: number) {
  const inputKind = yield* kindOf(shim, input)
  if (!INPUTS.includes(inputKind)) return yield* refuse({ _tag: "UnsupportedInput", kind: inputKind })
  const outputKind = yield* kindOf(shim, output)
  if (!OUTPUTS.includes(outputKind)) return yield* refuse({ _tag: "UnsupportedOutput", kind: outputKind })
  return { input: inputKind, output: outputKind }
})
