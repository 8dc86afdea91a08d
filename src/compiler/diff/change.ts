/** What can change between two versions of the public surface. A change says for whom it breaks what, or why it does not. */

/** Where a value travels: into an operation, out of it, or out of it as an error. */
export type Place = "input" | "output" | "error"

/** How a type changed at one place. */
export type TypeChangeKind =
  | "field-added"
  | "field-removed"
  | "field-made-optional"
  | "field-made-required"
  | "widened"
  | "narrowed"
  | "replaced"

export type ChangeKind =
  | "operation-added"
  | "operation-removed"
  | "operation-renamed"
  | "operation-kind-changed"
  | "route-added"
  | "route-removed"
  | "route-changed"
  | "rpc-added"
  | "rpc-removed"
  | "rpc-renamed"
  | "command-added"
  | "command-removed"
  | "command-renamed"
  | `${Place}-${TypeChangeKind}`
  | "error-added"
  | "error-removed"
  | "status-changed"
  | "problems-changed"
  | "access-changed"
  | "authority-changed"
  | "identifier-changed"
  | "schema-moved"
  | "handler-moved"
  | "documentation-changed"

export interface Change {
  readonly kind: ChangeKind
  /** The name of the operation, in the new version where it exists there. */
  readonly subject: string
  readonly breaking: boolean
  /** Why it breaks callers, or why not: a plain clause. */
  readonly reason: string
  /** What exactly changed: a route, a field's path, a type before and after. */
  readonly detail: string
}
