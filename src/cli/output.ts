/**
 * The one way out: every command writes its result through `out` and what it says about its own run through `err`.
 *
 * Guarantees: nothing is lost to a slow reader; after the reader closed, further output is dropped quietly and the exit code
 * stays what it was; a full disk is an `OutputFault`.
 */
import { Context, Data, Effect, Layer } from "effect"
import * as host from "./host.ts"

export class OutputFault extends Data.TaggedError("OutputFault")<{ readonly message: string }> {}

export interface OutputService {
  /** Writes text to standard output as it is. */
  readonly out: (text: string) => Effect.Effect<void, OutputFault>
  /** Writes one line or several to standard error; where that fails, there is nobody left to tell. */
  readonly err: (text: string) => Effect.Effect<void>
  /** Writes text to standard error as it is, without a line break of its own. */
  readonly errRaw: (text: string) => Effect.Effect<void>
  /** Whether nobody reads standard output any more, as the last write to it found. */
  readonly isClosed: () => boolean
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean
  /** The terminal's width in cells; undefined when it is no terminal or does not say. */
  readonly columns: number | undefined
}

const encoder = new TextEncoder()

const make = (write: (descriptor: number, bytes: Uint8Array) => host.WriteOutcome) => {
  const closed = new Set<number>()
  return {
    isClosed: (descriptor: number): boolean => closed.has(descriptor),
    write: (descriptor: number, text: string): host.WriteOutcome => {
      if (closed.has(descriptor) || text === "") return { _tag: "Written" }
      const outcome = write(descriptor, encoder.encode(text))
      if (outcome._tag !== "Written") closed.add(descriptor)
      return outcome
    }
  }
}

export class Output extends Context.Service<Output, OutputService>()("@effx/cli/Output") {
  static readonly from = (options: {
    readonly write: (descriptor: number, bytes: Uint8Array) => host.WriteOutcome
    readonly isTerminal?: boolean
    readonly columns?: number | undefined
  }): OutputService => {
    const { isClosed, write } = make(options.write)
    return {
      out: (text) =>
        Effect.suspend(() => {
          const outcome = write(1, text)
          return outcome._tag === "Failed"
            ? Effect.fail(new OutputFault({ message: `cannot write to standard output: ${outcome.reason}` }))
            : Effect.void
        }),
      err: (text) => Effect.sync(() => void write(2, text.endsWith("\n") ? text : `${text}\n`)),
      errRaw: (text) => Effect.sync(() => void write(2, text)),
      isClosed: () => isClosed(1),
      isTerminal: options.isTerminal ?? false,
      columns: options.columns
    }
  }

  static readonly layer = Layer.sync(Output, () =>
    Output.from({ write: host.writeAll, isTerminal: host.isTerminal(1), columns: host.terminalColumns(1) })
  )
}
