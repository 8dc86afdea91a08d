/** Where a server is in its life, and what it answers there (LSP 3.17, Lifecycle Messages). Pure. */
import { CODE, type Failure } from "./protocol.ts"

/** `Refused`: the one `initialize` failed, so that only `exit` makes sense. */
export type Phase = "Uninitialized" | "Initializing" | "Running" | "Refused" | "ShutDown"

/** Why a request is refused in a phase; undefined where it is due. */
export const refusalIn = (phase: Phase, method: string): Failure | undefined => {
  if (phase === "ShutDown") return { code: CODE.invalidRequest, message: `${method} comes after shutdown` }
  if (method === "initialize") {
    return phase === "Uninitialized"
      ? undefined
      : { code: CODE.invalidRequest, message: "initialize may be sent once only" }
  }
  if (phase !== "Running") {
    const why = phase === "Refused" ? "initialize failed" : "initialize has no response yet"
    return {
      code: CODE.serverNotInitialized,
      message: `${method} is refused: ${phase === "Uninitialized" ? "initialize comes first" : why}`
    }
  }
  return method === "shutdown" ? undefined : { code: CODE.methodNotFound, message: `there is no method ${method}` }
}

/** How a server ends. Only after `shutdown` it is as it should be. */
export type Ending =
  | { readonly _tag: "Exit"; readonly afterShutdown: boolean }
  | { readonly _tag: "InputEnded"; readonly afterShutdown: boolean }
  | { readonly _tag: "ClientGone" }
  /** It could not go on, and why. */
  | { readonly _tag: "Broken"; readonly reason: string }

/** The exit code that LSP asks for. */
export const exitCodeOf = (ending: Ending): 0 | 1 =>
  (ending._tag === "Exit" || ending._tag === "InputEnded") && ending.afterShutdown ? 0 : 1
