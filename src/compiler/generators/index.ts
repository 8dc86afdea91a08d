/** The built-in generators. Each belongs to the built-in extension of its name; `client` and `openapi` stand alone. */
export { cli } from "./cli.ts"
export { client } from "./client.ts"
export { http } from "./http.ts"
export { openapi } from "./openapi.ts"
export { rpc } from "./rpc.ts"
