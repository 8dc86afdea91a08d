/**
 * The errors that Effect itself declares for HTTP (`HttpApiError`): their statuses are in its code, not in its declarations,
 * so that no declaration of a project tells them. The same on every supported Effect; a test compares them with Effect.
 */
import type { EngineSymbol } from "../checker.ts"

const STATUSES: Readonly<Record<string, number>> = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  RequestTimeout: 408,
  Conflict: 409,
  Gone: 410,
  UnprocessableEntity: 422,
  InternalServerError: 500,
  NotImplemented: 501,
  ServiceUnavailable: 503,
  BadRequestProblem: 400,
  InternalServerErrorProblem: 500
}

const FILE = /\/node_modules\/effect[^/]*\/(?:.*\/)?HttpApiError\.(?:d\.)?ts$/

/** The status of one of Effect's errors, with or without content; `undefined` for every other symbol. */
export const effectHttpStatus = ({ declarations, name }: EngineSymbol): number | undefined => {
  const base = name.replace(/NoContent$/, "")
  return Object.hasOwn(STATUSES, base) && declarations.some(({ path }) => FILE.test(path)) ? STATUSES[base] : undefined
}
