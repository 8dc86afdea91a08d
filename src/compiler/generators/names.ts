/**
 * Names in generated code: which text is an identifier, and which identifiers a module has left.
 *
 * Guarantees: a scope never gives one name twice, and gives the same names for the same requests in the same order.
 */
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u

/** Words that no binding of a module may have (ECMAScript's keywords in strict code, and TypeScript's of that kind). */
const RESERVED = new Set(
  (
    "arguments as async await break case catch class const continue debugger default delete do else enum eval export " +
    "extends false finally for from function get if implements import in instanceof interface let new null of package " +
    "private protected public return set static super switch this throw true try type typeof undefined var void while " +
    "with yield NaN Infinity"
  ).split(" ")
)

/** Globals that generated code uses, so that no import may hide them. */
const GLOBALS = ["Array", "Error", "JSON", "Object", "ReadonlyArray"]

/** Whether `text` can be written as an identifier name, for instance behind a dot. */
export const isIdentifierName = (text: string): boolean => IDENTIFIER.test(text)

/** A property key as source: bare where possible, else quoted. */
export const propertyKey = (text: string): string => (isIdentifierName(text) ? text : JSON.stringify(text))

/** An access to a member as source: `.a` or `["a b"]`. */
export const memberAccess = (text: string): string =>
  isIdentifierName(text) ? `.${text}` : `[${JSON.stringify(text)}]`

/** Words of a name, split at everything that is not a letter or a digit. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  text.split(/[^\p{ID_Continue}$]+/u).filter((word) => word !== "")

/** `user.get-all` to `UserGetAll`; letters of every script stay. Empty text gives `Unnamed`. */
export const pascalCase = (text: string): string => {
  const joined = wordsOf(text)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")
  return joined === "" ? "Unnamed" : isIdentifierName(joined) ? joined : `_${joined}`
}

/** `userId` to `user-id`, `HTTPPort` to `http-port`; what is no letter or digit separates words. */
export const kebabCase = (text: string): string =>
  text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1-$2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1-$2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .join("-")
    .toLowerCase()

/** Gives `wanted` or `wanted` with the first free number. */
export const freeName = (wanted: string, isTaken: (name: string) => boolean): string => {
  if (!isTaken(wanted)) return wanted
  for (let number = 2; ; number++) if (!isTaken(`${wanted}${number}`)) return `${wanted}${number}`
}

export interface NameScope {
  /** Takes `wanted`, or a numbered variation of it, out of the scope. Text that is no identifier is made one. */
  readonly take: (wanted: string) => string
}

/** A scope in which reserved words, used globals and `taken` are not to be had. */
export const nameScope = (taken: Iterable<string>): NameScope => {
  const used = new Set([...RESERVED, ...GLOBALS, ...taken])
  return {
    take: (wanted) => {
      const name = freeName(isIdentifierName(wanted) ? wanted : pascalCase(wanted), (candidate) => used.has(candidate))
      used.add(name)
      return name
    }
  }
}
