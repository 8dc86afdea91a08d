/** What `package.json` files tell, read through the snapshot so that they are inputs like any other. */
import { Option, Schema } from "effect"
import type { View } from "./engine.ts"
import { paths } from "./host.ts"

const Manifest = Schema.Struct({
  name: Schema.optionalKey(Schema.String),
  version: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String),
  type: Schema.optionalKey(Schema.String),
  main: Schema.optionalKey(Schema.String),
  types: Schema.optionalKey(Schema.String),
  exports: Schema.optionalKey(Schema.Unknown)
})

export interface PackageFacts extends Schema.Schema.Type<typeof Manifest> {
  /** Absolute. */
  readonly folder: string
}

type Reader = Pick<View, "readFile">

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Manifest))

/** What the manifests that were read last say: they are asked for again and again, and hardly ever change. */
const read = new Map<string, { readonly text: string; readonly facts: PackageFacts | undefined }>()

/** The package whose manifest lies in `folder`; a manifest that is not well formed counts as none. */
export const packageAt = (view: Reader, folder: string): PackageFacts | undefined => {
  const text = view.readFile(paths.join(folder, "package.json"))
  if (text === undefined) return undefined
  const known = read.get(folder)
  if (known?.text === text) return known.facts
  const facts = Option.getOrUndefined(Option.map(decode(text), (manifest) => ({ ...manifest, folder })))
  read.set(folder, { text, facts })
  return facts
}

/** The package that `folder` belongs to: the nearest manifest with a name. */
export const nearestPackage = (view: Reader, folder: string): PackageFacts | undefined => {
  for (let at = folder; ; at = paths.dirname(at)) {
    const found = packageAt(view, at)
    if (found?.name !== undefined) return found
    if (at === paths.dirname(at)) return undefined
  }
}
