/** The builder syntax: a chain that ends with `.handler(fn)` and evaluates to plain data. */
import type { Annotation } from "./annotation.ts"
import type {
  AccessOptions,
  AnyCapability,
  AnySchema,
  AnyService,
  Handler,
  ModelOptions,
  OperationOptions,
  ProblemsOptions,
  RpcOptions
} from "./options.ts"

/** What a finished chain is. */
export interface Operation<Fn> {
  readonly _tag: "Operation"
  readonly annotations: ReadonlyArray<Annotation>
  readonly handler: Fn
}

/** The HTTP part of a chain. */
export interface HttpBuilder<Input extends AnySchema, Success extends AnySchema> {
  readonly get: (path: string) => OperationBuilder<Input, Success>
  readonly post: (path: string) => OperationBuilder<Input, Success>
  readonly put: (path: string) => OperationBuilder<Input, Success>
  readonly patch: (path: string) => OperationBuilder<Input, Success>
  readonly delete: (path: string) => OperationBuilder<Input, Success>
  readonly problems: <const Code extends string>(options: ProblemsOptions<Code>) => OperationBuilder<Input, Success>
  readonly access: (options: AccessOptions) => OperationBuilder<Input, Success>
}

/** A chain under construction; each call gives a new chain. */
export interface OperationBuilder<Input extends AnySchema, Success extends AnySchema> {
  readonly errors: (...errors: ReadonlyArray<AnySchema>) => OperationBuilder<Input, Success>
  readonly requirements: (...services: ReadonlyArray<AnyService>) => OperationBuilder<Input, Success>
  readonly authorize: (capability: AnyCapability) => OperationBuilder<Input, Success>
  readonly http: HttpBuilder<Input, Success>
  readonly rpc: (name: string, options?: RpcOptions) => OperationBuilder<Input, Success>
  readonly cli: (words: string) => OperationBuilder<Input, Success>
  readonly annotate: (name: string, ...data: ReadonlyArray<unknown>) => OperationBuilder<Input, Success>
  readonly handler: <Fn extends Handler<Input, Success>>(fn: Fn) => Operation<Fn>
}

const builder = <Input extends AnySchema, Success extends AnySchema>(
  annotations: ReadonlyArray<Annotation>
): OperationBuilder<Input, Success> => {
  const add = (name: string, args: ReadonlyArray<unknown>): OperationBuilder<Input, Success> =>
    builder([...annotations, { name, args }])
  return {
    errors: (...errors) => add("Errors", errors),
    requirements: (...services) => add("Requirements", services),
    authorize: (capability) => add("Authorize", [capability]),
    http: {
      get: (path) => add("Http.Get", [path]),
      post: (path) => add("Http.Post", [path]),
      put: (path) => add("Http.Put", [path]),
      patch: (path) => add("Http.Patch", [path]),
      delete: (path) => add("Http.Delete", [path]),
      problems: (options) => add("Http.Problems", [options]),
      access: (options) => add("Http.Access", [options])
    },
    rpc: (name, options) => add("Rpc", options === undefined ? [name] : [name, options]),
    cli: (words) => add("Cli", [words]),
    annotate: (name, ...data) => add("Annotate", [name, ...data]),
    handler: (handler) => ({ _tag: "Operation", annotations, handler })
  }
}

export const Operation = {
  /** Begins an operation that only reads. */
  query: <Success extends AnySchema, Input extends AnySchema = AnySchema>(
    options: OperationOptions<Input, Success>
  ): OperationBuilder<Input, Success> => builder([{ name: "Query", args: [options] }]),
  /** Begins an operation that may write. */
  command: <Success extends AnySchema, Input extends AnySchema = AnySchema>(
    options: OperationOptions<Input, Success>
  ): OperationBuilder<Input, Success> => builder([{ name: "Command", args: [options] }])
}

/** What `Model.persistent` evaluates to. */
export interface Model<C> {
  readonly _tag: "Model"
  readonly annotations: ReadonlyArray<Annotation>
  readonly schema: C
}

export const Model = {
  /** Declares that a schema class is kept in a table. */
  persistent: <C extends AnySchema>(schema: C, options: ModelOptions): Model<C> => ({
    _tag: "Model",
    annotations: [{ name: "PersistentModel", args: [{ ...options, schema }] }],
    schema
  })
}
