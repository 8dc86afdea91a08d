/** Why standard input or output cannot be used, or not any more. One class; `reason` tells which. */
import { Data } from "effect"
import { ABI, type DescriptorKind } from "./abi.ts"

export type StdioReason =
  /** The path of the native library is not absolute. */
  | { readonly _tag: "LibraryPath"; readonly path: string }
  | { readonly _tag: "LibraryUnloadable"; readonly path: string; readonly detail: string }
  /** The native library belongs to another version of effx. */
  | { readonly _tag: "AbiMismatch"; readonly path: string; readonly found: number }
  /** Standard input is of no supported kind (Spec 0018, Linux platform amendment). */
  | { readonly _tag: "UnsupportedInput"; readonly kind: DescriptorKind }
  /** Standard output is of no supported kind; a regular file is none (Spec 0018, amendment B). */
  | { readonly _tag: "UnsupportedOutput"; readonly kind: DescriptorKind }
  /** A call to the system failed. `error` is the system's name for it, such as `EACCES`. */
  | { readonly _tag: "SystemCall"; readonly call: string; readonly error: string }
  /** There is no process of this number, or it cannot be seen from here. */
  | { readonly _tag: "NoSuchProcess"; readonly pid: number }
  /** Nobody reads standard output any more. */
  | { readonly _tag: "OutputClosed" }
  /** The reader of standard output has taken nothing for this long. */
  | { readonly _tag: "OutputStalled"; readonly milliseconds: number }
  | { readonly _tag: "WorkerFailed"; readonly detail: string }
  /** The scope that owns standard input and output has ended. */
  | { readonly _tag: "Closed" }

const KIND: Readonly<Record<DescriptorKind, string>> = {
  closed: "closed",
  socket: "a socket",
  fifo: "a pipe",
  regular: "a regular file",
  terminal: "a terminal",
  other: "a device or another unsupported kind"
}

const REINSTALL = "install effx again"

const sentence = (reason: StdioReason): string => {
  switch (reason._tag) {
    case "LibraryPath":
      return `The native library's path must be absolute, and is ${JSON.stringify(reason.path)}`
    case "LibraryUnloadable":
      return `${reason.path} cannot be loaded: ${reason.detail}; ${REINSTALL}`
    case "AbiMismatch":
      return `${reason.path} has ABI ${reason.found} where this effx needs ${ABI}; ${REINSTALL}`
    case "UnsupportedInput":
      return `Standard input is ${KIND[reason.kind]}; connect a pipe, a socket, a terminal or a regular file`
    case "UnsupportedOutput":
      return `Standard output is ${KIND[reason.kind]}; connect a pipe, a socket or a terminal`
    case "SystemCall":
      return `${reason.call} failed with ${reason.error}`
    case "NoSuchProcess":
      return `The client's process ${reason.pid} does not exist, or cannot be seen from here`
    case "OutputClosed":
      return "Nobody reads standard output any more"
    case "OutputStalled":
      return `The reader of standard output has taken nothing for ${reason.milliseconds} ms`
    case "WorkerFailed":
      return `The worker for standard input and output failed: ${reason.detail}`
    case "Closed":
      return "Standard input and output are closed"
  }
}

export class StdioError extends Data.TaggedError("StdioError")<{ readonly reason: StdioReason }> {
  override get message(): string {
    return sentence(this.reason).replaceAll(/\s+/g, " ")
  }
}
