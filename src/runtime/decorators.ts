/**
 * The decorator syntax. Every decorator is inert: it records its annotation and returns nothing, under the standard and
 * under the legacy calling convention.
 */
import { record } from "./annotation.ts"
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

// biome-ignore lint/suspicious/noExplicitAny: any function can be decorated; effx checks what it is
type AnyMethod = (...args: any) => any

/** A method decorator of both conventions that leaves the method alone. */
export interface MethodDecorator<Method extends AnyMethod = AnyMethod> {
  (value: Method, context: ClassMethodDecoratorContext): void
  /** The descriptor is read only, so that a method with fewer errors or requirements than `Method` allows fits. */
  (target: object, key: string | symbol, descriptor: { readonly value?: Method }): void
}

/** A class decorator of both conventions that leaves the class alone. */
export type ClassDecorator = (value: abstract new (...args: never) => unknown, context?: ClassDecoratorContext) => void

const onMethod = <Method extends AnyMethod>(name: string, args: ReadonlyArray<unknown>): MethodDecorator<Method> => {
  const decorate = (value: object, _key?: unknown, descriptor?: { readonly value?: Method }): void =>
    record(descriptor?.value ?? value, { name, args })
  return decorate as MethodDecorator<Method>
}

/** An operation that only reads. */
export const Query = <Success extends AnySchema, Input extends AnySchema = AnySchema>(
  options: OperationOptions<Input, Success>
): MethodDecorator<Handler<Input, Success>> => onMethod("Query", [options])

/** An operation that may write. */
export const Command = <Success extends AnySchema, Input extends AnySchema = AnySchema>(
  options: OperationOptions<Input, Success>
): MethodDecorator<Handler<Input, Success>> => onMethod("Command", [options])

/** Asserts the errors of the handler; without arguments, that there are none. */
export const Errors = (...errors: ReadonlyArray<AnySchema>): MethodDecorator => onMethod("Errors", errors)

/** Asserts the services that the handler requires; without arguments, that there are none. */
export const Requirements = (...services: ReadonlyArray<AnyService>): MethodDecorator =>
  onMethod("Requirements", services)

/** Declares the capability that a caller needs. It enforces nothing by itself. */
export const Authorize = (capability: AnyCapability): MethodDecorator => onMethod("Authorize", [capability])

/** Exposures and facts of HTTP. */
export const Http = {
  Get: (path: string): MethodDecorator => onMethod("Http.Get", [path]),
  Post: (path: string): MethodDecorator => onMethod("Http.Post", [path]),
  Put: (path: string): MethodDecorator => onMethod("Http.Put", [path]),
  Patch: (path: string): MethodDecorator => onMethod("Http.Patch", [path]),
  Delete: (path: string): MethodDecorator => onMethod("Http.Delete", [path]),
  Problems: <const Code extends string>(options: ProblemsOptions<Code>): MethodDecorator =>
    onMethod("Http.Problems", [options]),
  Access: (options: AccessOptions): MethodDecorator => onMethod("Http.Access", [options])
}

/** Exposes the operation as a remote procedure. */
export const Rpc = (name: string, options?: RpcOptions): MethodDecorator =>
  onMethod("Rpc", options === undefined ? [name] : [name, options])

/** Exposes the operation as a command, its words separated by spaces. */
export const Cli = (words: string): MethodDecorator => onMethod("Cli", [words])

/** A custom annotation, interpreted by a configured extension. */
export const Annotate = (name: string, ...data: ReadonlyArray<unknown>): MethodDecorator =>
  onMethod("Annotate", [name, ...data])

/** Declares that a schema class is kept in a table. */
export const PersistentModel =
  (options: ModelOptions): ClassDecorator =>
  (value) =>
    record(value, { name: "PersistentModel", args: [{ ...options, schema: value }] })
