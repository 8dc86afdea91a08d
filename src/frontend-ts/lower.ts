/**
 * Lowers the arguments of annotations to plain data (Spec 0002, "Argument lowering").
 *
 * Nothing is evaluated: a value is a literal, a name that leads to one, or one of the runtime's plain values. Whatever else
 * stands there is EFFX1102 at the argument, and the annotation is dropped as a whole.
 */
import { type AnnotationArg, type CompilerFault, pointerTo, type Spread } from "@effx/compiler"
import { EFFX1102, EFFX1106, inBuilderWords, type Site } from "@effx/diagnostics"
import { Effect } from "effect"
import {
  type CallExpression,
  type Expression,
  isArrayLiteralExpression,
  isArrowFunction,
  isCallExpression,
  isComputedPropertyName,
  isFunctionExpression,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isNumericLiteral,
  isObjectLiteralExpression,
  isPrefixUnaryExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isSpreadElement,
  isStringLiteral,
  type Node,
  type ObjectLiteralExpression,
  type PropertyName,
  SyntaxKind
} from "typescript/ast"
import type { Analysis } from "./analysis.ts"
import { type EngineSymbol, SymbolFlags } from "./checker.ts"
import { type SymbolKind, securityOf } from "./classify.ts"
import { peel } from "./initializer.ts"
import { LIMITS } from "./limits.ts"
import { type Reference, symbolRef } from "./references.ts"
import { spreadValues } from "./spread.ts"
import { namePathOf } from "./symbols.ts"
import { all, chained, each, mapped } from "./wave.ts"

/** What lowering one annotation collects beside its value. */
export interface Lowering {
  readonly annotation: string
  /** Whether it is a call of a chain; messages name it as its author wrote it. */
  readonly inChain: boolean
  readonly declaration: string
  readonly sites: Record<string, Site>
  readonly spreads: Array<Spread>
}

/** Marks a value that could not be lowered; it has been reported. */
export const FAILED: unique symbol = Symbol("failed")
/** Marks `undefined`, which an object literal may give to an optional property. */
const ABSENT: unique symbol = Symbol("absent")

type Lowered = AnnotationArg | typeof FAILED
type LoweredOrAbsent = Lowered | typeof ABSENT

/** Where in an annotation a value stands. */
interface Place {
  readonly pointer: string
  /** How many arrays and objects it is in. */
  readonly depth: number
  /** The argument to blame when the value stands elsewhere, behind a name. */
  readonly blame?: Node
  /** Constants on the way here. */
  readonly behind: ReadonlyArray<EngineSymbol>
}

/**
 * Lowers one argument.
 *
 * @returns `FAILED` when anything in it is not static; the reasons have been reported
 */
export const lowerArgument = (
  analysis: Analysis,
  lowering: Lowering,
  argument: Expression,
  index: number
): Effect.Effect<Lowered, CompilerFault> => lowerArgumentAt(analysis, lowering, argument, pointerTo(index))

/** The names in an argument that lowering will follow, at least those of the argument itself. */
export const namesIn = (argument: Expression): ReadonlyArray<Expression> => {
  const value = peel(argument)
  if (isArrayLiteralExpression(value)) {
    return value.elements.flatMap((element) => (isSpreadElement(element) ? [] : namesIn(element)))
  }
  if (isObjectLiteralExpression(value)) {
    return value.properties.flatMap((property) => (isPropertyAssignment(property) ? namesIn(property.initializer) : []))
  }
  return namePathOf(value) === undefined ? [] : [value]
}

/** Lowers an argument that the annotation has at another place than the call. */
export const lowerArgumentAt = (
  analysis: Analysis,
  lowering: Lowering,
  argument: Expression,
  pointer: string
): Effect.Effect<Lowered, CompilerFault> =>
  mapped(lower(analysis, lowering, argument, { pointer, depth: 0, behind: [] }), (value) =>
    value === ABSENT ? fail(analysis, lowering, argument, notStatic(argument)) : value
  )

type Problem =
  | { readonly _tag: "NotStatic"; readonly expression: string }
  | { readonly _tag: "Malformed"; readonly problem: string }

const fail = (analysis: Analysis, lowering: Lowering, node: Node, problem: Problem): typeof FAILED => {
  reportArgument(analysis, lowering, problem, analysis.siteOf(node))
  return FAILED
}

/** EFFX1102 in the words of the author. */
export const reportArgument = (
  analysis: Analysis,
  { annotation, inChain }: Pick<Lowering, "annotation" | "inChain">,
  problem: Problem,
  site: Site
): void => {
  const diagnostic = EFFX1102.make({ annotation, ...problem }, { site })
  analysis.report(inChain ? inBuilderWords(diagnostic) : diagnostic)
}

/** Source text on one line, for a message. */
export const shown = (node: Node): string => {
  const text = node.getText().replace(/\s+/g, " ")
  return text.length > LIMITS.quotedText ? `${text.slice(0, LIMITS.quotedText - 1)}…` : text
}

const notStatic = (node: Node): Problem => ({ _tag: "NotStatic", expression: shown(node) })

/** The value of a numeric literal, with its sign. */
const numberOf = (value: Node): number | undefined => {
  if (isNumericLiteral(value)) return Number(value.text)
  if (!isPrefixUnaryExpression(value) || !isNumericLiteral(value.operand)) return undefined
  if (value.operator === SyntaxKind.MinusToken) return -Number(value.operand.text)
  return value.operator === SyntaxKind.PlusToken ? Number(value.operand.text) : undefined
}

const lower = (
  analysis: Analysis,
  lowering: Lowering,
  expression: Expression,
  place: Place
): Effect.Effect<LoweredOrAbsent, CompilerFault> => {
  const blame = place.blame ?? expression
  lowering.sites[place.pointer] = analysis.siteOf(place.blame ?? expression)
  const value = peel(expression)
  switch (value.kind) {
    case SyntaxKind.TrueKeyword:
      return Effect.succeed(true)
    case SyntaxKind.FalseKeyword:
      return Effect.succeed(false)
    case SyntaxKind.NullKeyword:
      return Effect.succeed(null)
  }
  if (isStringLiteral(value) || isNoSubstitutionTemplateLiteral(value)) return Effect.succeed(value.text)
  const number = numberOf(value)
  if (number !== undefined) {
    if (Number.isFinite(number)) return Effect.succeed(number)
    const problem = `takes finite numbers, and ${shown(value)} is too large to be one`
    return Effect.succeed(fail(analysis, lowering, blame, { _tag: "Malformed", problem }))
  }
  if (isArrowFunction(value) || isFunctionExpression(value)) return Effect.succeed({ _tag: "Lambda" })
  if (place.depth >= LIMITS.argumentDepth && (isArrayLiteralExpression(value) || isObjectLiteralExpression(value))) {
    const problem = `takes values that nest at most ${LIMITS.argumentDepth} levels deep`
    return Effect.succeed(fail(analysis, lowering, blame, { _tag: "Malformed", problem }))
  }
  if (isArrayLiteralExpression(value)) return lowerArray(analysis, lowering, value.elements, place)
  if (isObjectLiteralExpression(value)) return lowerRecord(analysis, lowering, value, place)
  if (isCallExpression(value)) return lowerCall(analysis, lowering, value, place, blame)
  if (isIdentifier(value) && value.text === "undefined") return Effect.succeed(ABSENT)
  if (namePathOf(value) !== undefined) return lowerName(analysis, lowering, value, place, blame)
  return Effect.succeed(fail(analysis, lowering, blame, notStatic(blame)))
}

const inside = (place: Place, key: string | number): Place => ({
  ...place,
  depth: place.depth + 1,
  pointer: place.pointer + pointerTo(key)
})

interface Part {
  readonly element: Expression
  /** What a spread stands for; `undefined` for everything else and where that is not static. */
  readonly values: ReadonlyArray<string> | undefined
}

const lowerArray = (
  analysis: Analysis,
  lowering: Lowering,
  elements: ReadonlyArray<Expression>,
  place: Place
): Effect.Effect<Lowered, CompilerFault> => {
  const spreadable = lowering.annotation === "Http.Problems" && place.pointer === "/0/codes"
  // Spreads shift what follows, so their lengths come first.
  const parts = each(
    elements,
    (element): Effect.Effect<Part, CompilerFault> =>
      isSpreadElement(element) && spreadable
        ? mapped(spreadValues(analysis, element.expression), (values) => ({ element, values }))
        : Effect.succeed({ element, values: undefined })
  )
  return chained(parts, (known) => lowerParts(analysis, lowering, known, place))
}

const lowerParts = (
  analysis: Analysis,
  lowering: Lowering,
  parts: ReadonlyArray<Part>,
  place: Place
): Effect.Effect<Lowered, CompilerFault> => {
  let index = 0
  const values: Array<Effect.Effect<LoweredOrAbsent, CompilerFault>> = []
  for (const { element, values: spread } of parts) {
    if (spread !== undefined && isSpreadElement(element)) {
      const site = analysis.siteOf(element)
      for (const value of spread) {
        lowering.sites[inside(place, index++).pointer] = site
        values.push(Effect.succeed(value))
      }
      const operand = shown(element.expression)
      lowering.spreads.push({ declaration: lowering.declaration, operand, site, values: spread })
    } else if (isSpreadElement(element) || element.kind === SyntaxKind.OmittedExpression) {
      const operand = isSpreadElement(element) ? element.expression : element
      values.push(Effect.succeed(fail(analysis, lowering, place.blame ?? element, notStatic(operand))))
    } else {
      values.push(
        mapped(lower(analysis, lowering, element, inside(place, index++)), (value) =>
          value === ABSENT ? fail(analysis, lowering, place.blame ?? element, notStatic(element)) : value
        )
      )
    }
  }
  return mapped(all(values), (lowered) =>
    lowered.some((value) => value === FAILED) ? FAILED : (lowered as ReadonlyArray<AnnotationArg>)
  )
}

const propertyName = (name: PropertyName): string | undefined =>
  isIdentifier(name) || isStringLiteral(name) || isNumericLiteral(name) || isNoSubstitutionTemplateLiteral(name)
    ? name.text
    : isComputedPropertyName(name) && (isStringLiteral(name.expression) || isNumericLiteral(name.expression))
      ? name.expression.text
      : undefined

const lowerRecord = (
  analysis: Analysis,
  lowering: Lowering,
  literal: ObjectLiteralExpression,
  place: Place
): Effect.Effect<Lowered, CompilerFault> => {
  const entries = each(
    literal.properties,
    (property): Effect.Effect<readonly [string, LoweredOrAbsent], CompilerFault> => {
      const blame = place.blame ?? property
      const refuse = (problem: Problem) => Effect.succeed(["", fail(analysis, lowering, blame, problem)] as const)
      if (!isPropertyAssignment(property) && !isShorthandPropertyAssignment(property)) {
        return refuse(notStatic(property))
      }
      const name = propertyName(property.name)
      if (name === undefined) return refuse(notStatic(property))
      if (name === "_tag") return refuse({ _tag: "Malformed", problem: "cannot take a property named _tag" })
      const at = inside(place, name)
      const value = isPropertyAssignment(property)
        ? lower(analysis, lowering, property.initializer, at)
        : lowerShorthand(analysis, lowering, property, at, blame)
      return mapped(value, (lowered) => [name, lowered])
    }
  )
  return mapped(entries, (lowered) =>
    lowered.some(([, value]) => value === FAILED)
      ? FAILED
      : (Object.fromEntries(lowered.filter(([, value]) => value !== ABSENT)) as AnnotationArg)
  )
}

const lowerShorthand = Effect.fnUntraced(function* (
  analysis: Analysis,
  lowering: Lowering,
  property: Node & { readonly name: Node },
  place: Place,
  blame: Node
): Effect.fn.Return<LoweredOrAbsent, CompilerFault> {
  lowering.sites[place.pointer] = analysis.siteOf(blame)
  const local = yield* analysis.checker.getShorthandAssignmentValueSymbol(property)
  const symbol = local && (yield* analysis.checker.resolveSymbol(local))
  return yield* lowerSymbol(analysis, lowering, symbol, place, blame, blame)
})

const lowerName = (
  analysis: Analysis,
  lowering: Lowering,
  expression: Expression,
  place: Place,
  blame: Node
): Effect.Effect<LoweredOrAbsent, CompilerFault> =>
  chained(analysis.names.symbolOf(expression), (symbol) =>
    lowerSymbol(analysis, lowering, symbol, place, blame, expression)
  )

const lowerSymbol = (
  analysis: Analysis,
  lowering: Lowering,
  symbol: EngineSymbol | undefined,
  place: Place,
  blame: Node,
  named: Node
): Effect.Effect<LoweredOrAbsent, CompilerFault> => {
  if (symbol === undefined || place.behind.includes(symbol)) {
    return Effect.succeed(fail(analysis, lowering, blame, notStatic(blame)))
  }
  const behind: Place = { ...place, blame, behind: [...place.behind, symbol] }
  return chained(all([analysis.kindOf(symbol), analysis.initializerOf(symbol)]), ([kind, initializer]) => {
    if (kind === "other") {
      return initializer === undefined
        ? Effect.succeed(fail(analysis, lowering, blame, notStatic(named)))
        : lower(analysis, lowering, initializer, behind)
    }
    return chained(analysis.references.referenceOf(symbol), (reference) => {
      const value = (): Effect.Effect<LoweredOrAbsent, CompilerFault> => {
        if (reference._tag === "Reference") return valueOf(analysis, lowering, kind, reference, symbol, blame)
        const problem = `names ${shown(named)}, which is not exported; export it, so that generated code can import it`
        return Effect.succeed(fail(analysis, lowering, blame, { _tag: "Malformed", problem }))
      }
      if (initializer === undefined || namePathOf(peel(initializer)) === undefined) return value()
      // A constant that only renames a class has the identity of the class, which is what inference finds.
      return chained(analysis.names.symbolOf(peel(initializer)), (target) => {
        const isClass = target !== undefined && (target.flags & SymbolFlags.Class) !== 0
        return isClass || reference._tag === "NotExported" ? lower(analysis, lowering, initializer, behind) : value()
      })
    })
  })
}

const valueOf = (
  analysis: Analysis,
  lowering: Lowering,
  kind: Exclude<SymbolKind, "other">,
  reference: Reference,
  symbol: EngineSymbol,
  blame: Node
): Effect.Effect<AnnotationArg, CompilerFault> => {
  reportPortability(analysis, reference, blame)
  switch (kind) {
    case "schema":
      return Effect.succeed({ _tag: "Schema", ref: analysis.named.schema(reference, symbol) })
    case "service": {
      const { id, ref } = analysis.named.service(reference, symbol)
      const value = { _tag: "Symbol", ref, service: id } as const
      if (lowering.annotation !== "Http.Access") return Effect.succeed(value)
      return chained(securityOf(analysis.checker, symbol), (security) =>
        security === undefined
          ? Effect.succeed(value)
          : mapped(analysis.guardOf(symbol), (guard) => ({ ...value, security, guard }))
      )
    }
    case "callable":
      return Effect.succeed({ _tag: "Symbol", ref: symbolRef(reference) })
  }
}

/** EFFX1106 for a symbol that has another identity in another checkout. */
export const reportPortability = (analysis: Analysis, reference: Reference, node: Node): void => {
  if (reference.portable) return
  const file = reference.declaration.path
  analysis.report(EFFX1106.make({ name: reference.path, file: analysis.fileOf(file) }, { site: analysis.siteOf(node) }))
}

const lowerCall = Effect.fnUntraced(function* (
  analysis: Analysis,
  lowering: Lowering,
  call: CallExpression,
  place: Place,
  blame: Node
): Effect.fn.Return<LoweredOrAbsent, CompilerFault> {
  const name = yield* analysis.runtime.nameOf(call.expression)
  const [first, ...rest] = call.arguments
  if (first !== undefined && name === "Focus.key") {
    return yield* lowerArray(analysis, lowering, rest, { ...place, blame })
  }
  const options = rest[0]
  if (first !== undefined && options !== undefined && name === "Capability.make") {
    const [title, record] = yield* all([
      lower(analysis, lowering, first, { ...place, pointer: `${place.pointer}/name`, blame }),
      lower(analysis, lowering, options, { ...place, blame })
    ])
    if (title === FAILED || record === FAILED || typeof record !== "object" || record === null) return FAILED
    const { focus, resource } = record as { readonly [key: string]: AnnotationArg | undefined }
    if (typeof title !== "string" || !isSchemaArg(resource)) {
      const problem = "takes a capability that is made of a name and of a model or its schema"
      return fail(analysis, lowering, blame, { _tag: "Malformed", problem })
    }
    return { name: title, resource: resource.ref.export, ...(focus !== undefined && { focus }) }
  }
  // `Capability.make` names a model by its schema or by the value that declares it.
  if (first !== undefined && name === "Model.persistent") return yield* lower(analysis, lowering, first, place)
  return fail(analysis, lowering, blame, notStatic(blame))
})

const isSchemaArg = (value: AnnotationArg | undefined): value is Extract<AnnotationArg, { readonly _tag: "Schema" }> =>
  typeof value === "object" && value !== null && "_tag" in value && value._tag === "Schema"
