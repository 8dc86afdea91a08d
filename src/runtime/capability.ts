/** Capabilities and foci: plain values that annotations name. */

/** The part of a model that a capability is about. */
export interface Focus {
  readonly _tag: "Focus"
  readonly root: unknown
  readonly path: ReadonlyArray<string>
}

export const Focus = {
  /** A path of keys below a model. */
  key: (root: unknown, ...path: ReadonlyArray<string>): Focus => ({ _tag: "Focus", root, path })
}

/** A named authority over a model. Declaring one enforces nothing by itself. */
export interface Capability {
  readonly _tag: "Capability"
  readonly name: string
  readonly resource: unknown
  readonly focus?: ReadonlyArray<string> | Focus
}

export const Capability = {
  /** Names an authority over `resource`, optionally narrowed to a focus. */
  make: (
    name: string,
    options: { readonly resource: unknown; readonly focus?: ReadonlyArray<string> | Focus }
  ): Capability => ({ _tag: "Capability", name, ...options })
}
