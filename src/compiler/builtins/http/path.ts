/**
 * The grammar of HTTP paths: a slash, then segments; a segment is text or one parameter `:name`.
 *
 * It accepts only what Effect's router and OpenAPI read alike: parameters of ASCII names, no wildcards, no patterns, no
 * percent-encoding (the router compares decoded text).
 */
const PARAMETER = /^:[A-Za-z_][A-Za-z0-9_]*$/
const TEXT = /^[\p{L}\p{M}\p{N}\-._~!$&'+,=@]+$/u

/** The names of a path's parameters, in order. */
export const pathParameters = (path: string): ReadonlyArray<string> =>
  path.split("/").flatMap((segment) => (segment.startsWith(":") ? [segment.slice(1)] : []))

const segmentProblem = (segment: string): string | undefined => {
  if (segment === "") return "it has an empty segment"
  if (segment.startsWith(":")) {
    return PARAMETER.test(segment)
      ? undefined
      : `its parameter ${segment} is not a name of ASCII letters, digits and underscores`
  }
  if (segment.includes(":")) return `its segment ${segment} mixes text with a parameter`
  const foreign = Array.from(segment).find((char) => !TEXT.test(char))
  return foreign === undefined ? undefined : `its segment ${segment} has the character ${JSON.stringify(foreign)}`
}

/** What is wrong with a path, as a clause; `undefined` for a good one. */
export const pathProblem = (path: string): string | undefined => {
  if (!path.startsWith("/")) return "it does not begin with a slash"
  if (path === "/") return undefined
  if (path.endsWith("/")) return "it ends with a slash"
  const problem = path
    .slice(1)
    .split("/")
    .map(segmentProblem)
    .find((found) => found !== undefined)
  if (problem !== undefined) return problem
  const parameters = pathParameters(path)
  const repeated = parameters.find((name, index) => parameters.indexOf(name) !== index)
  return repeated === undefined ? undefined : `it has the parameter ${repeated} twice`
}

/** Equal for two paths that a router cannot tell apart: names of parameters and case do not count. */
export const routeKey = (path: string): string =>
  path
    .split("/")
    .map((segment) => (segment.startsWith(":") ? ":" : segment.toLowerCase()))
    .join("/")
