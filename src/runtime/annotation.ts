/**
 * The run-time record of what an author declared, and the registry that keeps it (Spec 0002, "Runtime annotation record").
 *
 * Annotations live in a module-level weak map keyed by the decorated class or static method, since `Symbol.metadata` does
 * not exist on every supported runtime. Decorators return nothing and change nothing.
 */

/** Name and live arguments of one annotation. */
export interface Annotation {
  readonly name: string
  readonly args: ReadonlyArray<unknown>
}

const registry = new WeakMap<object, Array<Annotation>>()

/**
 * Records an annotation that decorators apply from the bottom up, so that the list keeps source order.
 *
 * @internal
 */
export const record = (target: object, annotation: Annotation): void => {
  const annotations = registry.get(target)
  if (annotations === undefined) registry.set(target, [annotation])
  else annotations.unshift(annotation)
}

/** Reads annotations back. */
export const Reflect = {
  /** The annotations of a decorated class or static method in source order; empty when there are none. */
  annotationsOf: (target: object): ReadonlyArray<Annotation> => registry.get(target) ?? []
}
