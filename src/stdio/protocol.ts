/** What program and I/O worker say to each other, besides the memory that they share. */

/** The program's only message. */
export interface WorkerStart {
  readonly library: string
  readonly memory: SharedArrayBuffer
  readonly input: number
  readonly writer: number
  readonly wake: number
  readonly stallMilliseconds: number
}

/** How the input ended: properly, or because the other side is gone. */
export type InputEnd = "EndOfInput" | "HangUp"

/** Why the worker has ended. `Finished`: it was asked to. */
export type WorkerEnd =
  | { readonly _tag: "Finished" }
  | { readonly _tag: "OutputClosed" }
  | { readonly _tag: "OutputStalled"; readonly milliseconds: number }
  | { readonly _tag: "SystemCall"; readonly call: string; readonly error: string }
  | { readonly _tag: "WorkerFailed"; readonly detail: string }

export type WorkerEvent =
  | { readonly _tag: "Started" }
  | { readonly _tag: "Chunk"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly _tag: "InputEnded"; readonly end: InputEnd }
  | { readonly _tag: "InputFailed"; readonly error: string }
  | { readonly _tag: "ClientGone" }
  /** Bytes were written since the program asked for a word. */
  | { readonly _tag: "Progress" }
  /** The last word: no native call follows it. */
  | { readonly _tag: "Ended"; readonly end: WorkerEnd }
