/** The built-in extension "core": operations, models, capabilities and their contracts. */
import {
  EFFX1102,
  EFFX1103,
  EFFX1104,
  EFFX2201,
  EFFX2202,
  EFFX2203,
  EFFX2204,
  EFFX2302,
  EFFX2303,
  EFFX2304,
  EFFX2405
} from "@effx/diagnostics"
import { defineExtension } from "../../extension.ts"
import { authorize } from "./authorize.ts"
import { errors } from "./errors.ts"
import { focusPaths } from "./focus-paths.ts"
import { persistentModel } from "./model.ts"
import { command, query } from "./operation.ts"
import { requirements } from "./requirements.ts"
import { serviceKeys } from "./service-keys.ts"

export const core = defineExtension({
  name: "core",
  diagnostics: [
    EFFX1102,
    EFFX1103,
    EFFX1104,
    EFFX2201,
    EFFX2202,
    EFFX2203,
    EFFX2204,
    EFFX2302,
    EFFX2303,
    EFFX2304,
    EFFX2405
  ],
  interpreters: [query, command, errors, requirements, authorize, persistentModel],
  analyses: [serviceKeys, focusPaths],
  generators: []
})
