/**
 * Remembers what a built-in interpreter contributed for an annotation, for as long as the frontend goes on with the same
 * annotation: in a session that is every declaration that an edit did not affect.
 *
 * Guarantees: an answer is given again only where everything that the interpreter had read of the collection is the same object
 * still. Built-in interpreters are pure, so that is all they depend on; those of others are always asked.
 */
import type { Annotation, Collected } from "../collected.ts"
import type { Contribution, Interpreter, InterpretInput } from "../extension.ts"

type Tables = Pick<Collected, "schemas" | "services">

/** One look into a table: which, at what key, and what was there. */
interface Look {
  readonly table: keyof Tables
  readonly key: string
  readonly found: unknown
}

interface Answer {
  readonly interpreter: Interpreter
  readonly input: Pick<InterpretInput, "declaration" | "subject">
  readonly looks: ReadonlyArray<Look>
  readonly contribution: Contribution
}

const answers = new WeakMap<Annotation, Array<Answer>>()

/** A table whose every look is written down; reading it as a whole depends on the table itself. */
const observed = <K extends keyof Tables>(tables: Tables, table: K, looks: Array<Look>): Tables[K] =>
  new Proxy(tables[table], {
    get: (target, key) => {
      const found = Reflect.get(target, key)
      if (typeof key === "string") looks.push({ table, key, found })
      return found
    },
    has: (target, key) => {
      if (typeof key === "string") looks.push({ table, key, found: Reflect.get(target, key) })
      return Reflect.has(target, key)
    },
    ownKeys: (target) => {
      looks.push({ table, key: WHOLE, found: target })
      return Reflect.ownKeys(target)
    }
  })

/** Stands for a whole table; no stable id is empty. */
const WHOLE = ""

const isTrue = (tables: Tables, { found, key, table }: Look): boolean =>
  (key === WHOLE ? tables[table] : tables[table][key]) === found

/** Interprets, or gives the contribution that it gave before. */
export const interpretOnce = (interpreter: Interpreter, input: InterpretInput): Contribution => {
  const { annotation, collected, declaration, subject } = input
  const before = answers.get(annotation) ?? []
  const known = before.find(
    (answer) =>
      answer.interpreter === interpreter &&
      answer.input.declaration === declaration &&
      answer.input.subject === subject &&
      answer.looks.every((look) => isTrue(collected, look))
  )
  if (known !== undefined) return known.contribution
  const looks: Array<Look> = []
  const contribution = interpreter.interpret({
    ...input,
    collected: { schemas: observed(collected, "schemas", looks), services: observed(collected, "services", looks) }
  })
  const others = before.filter((answer) => answer.interpreter !== interpreter)
  answers.set(annotation, [...others, { interpreter, input: { declaration, subject }, looks, contribution }])
  return contribution
}
