/** The arguments of annotations, shared by decorators and builder: one meaning, two syntaxes. */
import type { Context, Effect, Schema } from "effect"
import type { Capability, Focus } from "./capability.ts"

/** Any schema value. */
export type AnySchema = Schema.Top

/** Any service class. */
// biome-ignore lint/suspicious/noExplicitAny: a service of any identifier and shape
export type AnyService = Context.Key<any, any>

/** `name` defaults to `Class.method` or the constant's name; without `input` the operation takes none. */
export interface OperationOptions<Input extends AnySchema, Success extends AnySchema> {
  readonly name?: string
  readonly input?: Input
  readonly success: Success
}

/** A handler of an operation: it takes the decoded input and returns an Effect of the decoded success. */
export type Handler<Input extends AnySchema, Success extends AnySchema> = (
  input: Input["Type"]
  // biome-ignore lint/suspicious/noExplicitAny: effx infers and checks errors and requirements
) => Effect.Effect<Success["Type"], any, any>

/**
 * RFC 9457 problem responses. `registry` is an exported function from an identifier and codes to the endpoint's error
 * schemas; `codes` is non-empty and unique; `map` takes an error's export name to one of the codes.
 */
export interface ProblemsOptions<Code extends string> {
  readonly registry: (identifier: string, codes: ReadonlyArray<Code>) => unknown
  readonly codes: ReadonlyArray<Code>
  readonly map?: Readonly<Record<string, NoInfer<Code>>>
}

/** Who may call an HTTP exposure. `middleware` are exported `HttpApiMiddleware` security classes. */
export type AccessOptions =
  | { readonly exposure: "public" }
  | { readonly exposure: "protected"; readonly middleware: readonly [AnyService, ...ReadonlyArray<AnyService>] }

/** Options of an RPC exposure; `middleware` are exported `RpcMiddleware` classes. */
export interface RpcOptions {
  readonly middleware?: ReadonlyArray<AnyService>
}

/** A model that is kept in `table`; `views` are named projections of it, `focus` the path of its key. */
export interface ModelOptions {
  readonly table: string
  readonly views?: Readonly<Record<string, AnySchema>>
  readonly focus?: ReadonlyArray<string> | Focus
}

/** What `authorize` takes. */
export type AnyCapability = Capability
