/** The built-in extension "http": exposure over HTTP, problem responses and access. */
import {
  EFFX1102,
  EFFX1103,
  EFFX2205,
  EFFX2206,
  EFFX2401,
  EFFX2402,
  EFFX2403,
  EFFX2404,
  EFFX2406,
  EFFX2503,
  EFFX2504
} from "@effx/diagnostics"
import { defineExtension } from "../../extension.ts"
import { http as generator } from "../../generators/http.ts"
import { access } from "./access.ts"
import { declaredAccess } from "./declared-access.ts"
import { identifiers } from "./identifiers.ts"
import { methods } from "./methods.ts"
import { problems } from "./problems.ts"
import { routes } from "./routes.ts"
import { statuses } from "./statuses.ts"
import { urlFields } from "./url-fields.ts"
import { verbs } from "./verbs.ts"

export const http = defineExtension({
  name: "http",
  diagnostics: [
    EFFX1102,
    EFFX1103,
    EFFX2205,
    EFFX2206,
    EFFX2401,
    EFFX2402,
    EFFX2403,
    EFFX2404,
    EFFX2406,
    EFFX2503,
    EFFX2504
  ],
  interpreters: [...verbs, problems, access],
  analyses: [routes, methods, urlFields, identifiers, statuses, declaredAccess],
  generators: [generator]
})
