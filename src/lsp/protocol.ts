/** What the server takes from the protocol, LSP 3.17: the methods that it knows, their parameters, its capabilities, its errors. */
import { Schema } from "effect"

/** Codes of errors, by JSON-RPC and LSP. */
export const CODE = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  serverNotInitialized: -32002,
  requestCancelled: -32800,
  requestFailed: -32803
} as const

/** The error of a response. */
export interface Failure {
  readonly code: number
  readonly message: string
}

/** The response that says so. */
export const errorMessage = (id: string | number | null, code: number, message: string) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message }
})

const nullish = <S extends Schema.Top>(schema: S) => Schema.optional(Schema.NullOr(schema))

/** What some clients send for "the end" is greater than the protocol's greatest number. */
const Coordinate = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** What the client can take of diagnostics. */
const PublishDiagnostics = Schema.Struct({
  relatedInformation: nullish(Schema.Boolean),
  versionSupport: nullish(Schema.Boolean),
  codeDescriptionSupport: nullish(Schema.Boolean)
})

export const InitializeParams = Schema.Struct({
  processId: nullish(Schema.Int),
  rootPath: nullish(Schema.String),
  rootUri: nullish(Schema.String),
  workspaceFolders: nullish(Schema.Array(Schema.Struct({ uri: Schema.String }))),
  capabilities: nullish(
    Schema.Struct({ textDocument: nullish(Schema.Struct({ publishDiagnostics: nullish(PublishDiagnostics) })) })
  )
})
export type InitializeParams = typeof InitializeParams.Type

const Position = Schema.Struct({ line: Coordinate, character: Coordinate })
const Range = Schema.Struct({ start: Position, end: Position })

export const DidOpenParams = Schema.Struct({
  textDocument: Schema.Struct({ uri: Schema.String, version: Schema.Int, text: Schema.String })
})

export const DidChangeParams = Schema.Struct({
  textDocument: Schema.Struct({ uri: Schema.String, version: Schema.Int }),
  contentChanges: Schema.Array(Schema.Struct({ range: nullish(Range), text: Schema.String }))
})

export const DidCloseParams = Schema.Struct({ textDocument: Schema.Struct({ uri: Schema.String }) })

/** Exactly what Spec 0018 §6 allows; test/lsp holds it to a golden file. */
export const capabilities = {
  positionEncoding: "utf-16",
  textDocumentSync: { openClose: true, change: 2, save: { includeText: false } }
} as const

/** The types of `window/logMessage`. */
export const MessageType = { error: 1, warning: 2, info: 3 } as const
export type MessageType = (typeof MessageType)[keyof typeof MessageType]
