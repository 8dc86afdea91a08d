/**
 * From a body to a message of JSON-RPC 2.0: a request, a notification, a response, or the error that answers what is none of them.
 *
 * Guarantees: total, whatever the bytes are; a message is of one kind only. Whether method and params mean anything is left to others.
 */
import { Result } from "effect"
import type { NotificationMessage, RequestMessage } from "vscode-jsonrpc"
import { CODE } from "./protocol.ts"

export type Envelope =
  | { readonly _tag: "Request"; readonly message: RequestMessage }
  | { readonly _tag: "Notification"; readonly message: NotificationMessage }
  | { readonly _tag: "Response" }
  /** What it is answered with; its id where it has one. */
  | { readonly _tag: "Invalid"; readonly id: string | number | null; readonly code: number; readonly reason: string }

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const parse = (body: Uint8Array): Result.Result<unknown, string> =>
  Result.flatMap(
    Result.try({ try: () => utf8.decode(body), catch: () => "the body is not UTF-8" }),
    (text): Result.Result<unknown, string> =>
      Result.try({ try: (): unknown => JSON.parse(text), catch: () => "the body is not JSON" })
  )

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isId = (value: unknown): value is string | number => typeof value === "string" || typeof value === "number"

export const envelopeOf = (body: Uint8Array): Envelope => {
  const parsed = parse(body)
  if (Result.isFailure(parsed)) {
    return { _tag: "Invalid", id: null, code: CODE.parseError, reason: parsed.failure }
  }
  const message = parsed.success
  const invalid = (reason: string, id: unknown = undefined): Envelope => ({
    _tag: "Invalid",
    id: isId(id) ? id : null,
    code: CODE.invalidRequest,
    reason
  })
  if (Array.isArray(message)) return invalid("batches are not part of the protocol")
  if (!isRecord(message)) return invalid("a message is an object")
  const { id, jsonrpc, method, params } = message
  if (jsonrpc !== "2.0") return invalid('jsonrpc is not "2.0"', id)
  if (method === undefined && ("result" in message || "error" in message)) return { _tag: "Response" }
  if (typeof method !== "string") return invalid("there is no method", id)
  const rest = { jsonrpc, method, ...(params !== undefined && { params: params as object }) }
  if (!("id" in message)) return { _tag: "Notification", message: rest }
  return isId(id) ? { _tag: "Request", message: { ...rest, id } } : invalid("an id is a string or a number")
}
