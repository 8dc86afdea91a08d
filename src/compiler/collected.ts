/**
 * What a frontend hands to the compiler: declarations with lowered annotations and inferred signatures, as plain data.
 *
 * Guarantees: no object of the TypeScript engine crosses this boundary; lists are in source order (files in ordinal order,
 * then position). It deliberately does not interpret annotations: that is the extensions' work.
 */
import type { Diagnostic, Site } from "@effx/diagnostics"
import type { SchemaFacts, SchemaRef, StableId, SymbolRef } from "@effx/ir"
import type { GuardFacts } from "./security-scheme.ts"

/** A lowered annotation argument (Spec 0002, "Argument lowering"). Records never have an own `_tag`. */
export type AnnotationArg =
  | string
  | number
  | boolean
  | null
  | { readonly _tag: "Schema"; readonly ref: SchemaRef }
  | {
      readonly _tag: "Symbol"
      readonly ref: SymbolRef
      readonly service?: StableId
      /** Whether a middleware class has a `security`; absent where that is unknown, and for everything else. */
      readonly security?: boolean
      /** What a middleware class of HTTP says of itself; absent for everything else. */
      readonly guard?: GuardFacts
    }
  | { readonly _tag: "Lambda" }
  | ReadonlyArray<AnnotationArg>
  | { readonly [key: string]: AnnotationArg }

/** One annotation as written; decorators top to bottom, chains root to tip. */
export interface Annotation {
  /** `Query`, `Errors`, `Http.Get`, `Rpc`, …; `Annotate` for custom ones, whose first argument is the name. */
  readonly name: string
  readonly args: ReadonlyArray<AnnotationArg>
  /** The annotation's own node: the decorator expression, or the call of the chain. */
  readonly site: Site
  /** Sites of arguments and of everything inside them, by JSON pointer into `args` (`/0/codes/2`). */
  readonly sites: Readonly<Record<string, Site>>
}

/** One member of an error or requirement channel. `display` is the type as TypeScript prints it, for messages only. */
export type Constituent =
  | { readonly _tag: "Schema"; readonly ref: SchemaRef; readonly display: string }
  | { readonly _tag: "Service"; readonly id: StableId; readonly ref: SymbolRef; readonly display: string }
  /** `tag` is the `_tag` of an error that Effect itself declares. */
  | { readonly _tag: "Opaque"; readonly display: string; readonly tag?: string }

/** A channel: its members sorted by stable id, or why it cannot be known. */
export type Channel =
  | { readonly _tag: "Known"; readonly members: ReadonlyArray<Constituent> }
  | { readonly _tag: "Unknowable"; readonly reason: "any" | "unknown" | "type parameter"; readonly display: string }

export interface HandlerSignature {
  /** The success type as TypeScript prints it, for messages only. */
  readonly success: string
  readonly errors: Channel
  readonly requirements: Channel
  /** The handler has no parameter: whatever the input, a call has no argument. */
  readonly ignoresInput?: true
}

/** JSDoc of a declaration: the first sentence or paragraph, and the rest. */
export interface Docs {
  readonly summary?: string
  readonly description?: string
}

export interface Declaration {
  readonly kind: "staticMethod" | "builder" | "model"
  /** The export name of the declaring class or constant. */
  readonly export: string
  readonly member?: string
  /** `C.m`, `v`, or the model's class; the default name of the operation. Not a stable id. */
  readonly id: string
  /** The project-relative POSIX path of the declaring file, with its extension. */
  readonly file: string
  /** The method's or constant's name. */
  readonly site: Site
  readonly annotations: ReadonlyArray<Annotation>
  /**
   * Names of annotations that the frontend reported (EFFX1102) and left out. Nothing is concluded from their absence, so
   * that one mistake gives one finding.
   */
  readonly dropped?: ReadonlyArray<string>
  /** Absent for models. */
  readonly handler?: SymbolRef
  /** Absent for models and where the handler does not return an Effect (EFFX1105 says so). */
  readonly signature?: HandlerSignature
  readonly docs?: Docs
}

export interface SchemaInfo extends SchemaFacts {
  readonly ref: SchemaRef
  /** The declaration of the schema, where it lies in the project. */
  readonly site?: Site
  /** Where a schema inside it that is not exported refers to itself: no shape can say so. */
  readonly recursion?: Site
}

export interface ServiceInfo {
  readonly ref: SymbolRef
  /** The key string of the class, where it is static: it is the identity of the service at run time. */
  readonly key?: string
  readonly site?: Site
}

/** Where a spread of `Http.Problems.codes` came from; provenance only, never part of the IR or its hash. */
export interface Spread {
  /** `Declaration.id` of the operation. */
  readonly declaration: string
  readonly operand: string
  readonly site: Site
  readonly values: ReadonlyArray<string>
}

export interface Versions {
  /** The TypeScript that analysed. */
  readonly typescript: string
  /** The project's own TypeScript, where one is installed. */
  readonly projectTypescript?: string
  /** The project's Effect, where one is installed. */
  readonly effect?: string
}

export interface Collected {
  readonly declarations: ReadonlyArray<Declaration>
  readonly diagnostics: ReadonlyArray<Diagnostic>
  /** Every schema that a declaration or a handler's signature names, and those that their shapes refer to, by id. */
  readonly schemas: Readonly<Record<string, SchemaInfo>>
  /** Every service that a declaration or a handler's signature names, by id. */
  readonly services: Readonly<Record<string, ServiceInfo>>
  /** `SchemaRef.module`/`SymbolRef.module` to the specifier that generated code in the real `outDir` imports. */
  readonly modules: Readonly<Record<string, string>>
  readonly spreads: ReadonlyArray<Spread>
  readonly versions: Versions
}
