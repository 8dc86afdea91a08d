/** Equivalent inputs for the peers: the operations of `fixtures/large` written for TypeSpec, for tsoa and by hand. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const PER_FILE = 10

const groups = (operations: number): ReadonlyArray<ReadonlyArray<number>> =>
  Array.from({ length: Math.ceil(operations / PER_FILE) }, (_, group) =>
    Array.from({ length: Math.min(PER_FILE, operations - group * PER_FILE) }, (_, at) => group * PER_FILE + at)
  )

const write = (path: string, text: string): void => {
  mkdirSync(join(path, ".."), { recursive: true })
  writeFileSync(path, text)
}

/** TypeSpec: one namespace and interface for each group. */
export const typespec = (operations: number, folder: string): void => {
  const files = groups(operations).map((numbers, group) => {
    const operationsText = numbers.map((n) =>
      n % 2 === 0
        ? `  /** Reads item ${n}. */\n  @route("/items${n}/{id}") @get get${n}(@path id: string): Group${group}Item | NotFound;`
        : `  /** Writes item ${n}. */\n  @route("/items${n}/{id}") @put put${n}(@path id: string, @body item: Group${group}New): Group${group}Item | NotFound;`
    )
    write(
      join(folder, `group${group}.tsp`),
      `import "@typespec/http";
import "./common.tsp";
using Http;
namespace Large;
model Group${group}Item { id: string; name: string; size: int32; }
model Group${group}New { name: string; size: int32; }
interface Group${group} {
${operationsText.join("\n")}
}
`
    )
    return `import "./group${group}.tsp";`
  })
  write(
    join(folder, "common.tsp"),
    `import "@typespec/http";\nusing Http;\nnamespace Large;\n@error model NotFound { @statusCode _: 404; id: string; }\n`
  )
  write(
    join(folder, "main.tsp"),
    `import "@typespec/http";\n${files.join("\n")}\nusing Http;\n@service(#{ title: "Large" })\nnamespace Large;\n`
  )
}

/** tsoa: one controller for each group. */
export const tsoa = (operations: number, folder: string): void => {
  groups(operations).forEach((numbers, group) => {
    const methods = numbers.map((n) =>
      n % 2 === 0
        ? `  /** Reads item ${n}. */
  @Get("items${n}/{id}")
  @Response<NotFound>(404, "Not found")
  public async get${n}(@Path() id: string): Promise<Group${group}Item> {
    return { id, name: "", size: ${n} }
  }`
        : `  /** Writes item ${n}. */
  @Put("items${n}/{id}")
  @Response<NotFound>(404, "Not found")
  public async put${n}(@Path() id: string, @Body() item: Group${group}New): Promise<Group${group}Item> {
    return { id, ...item }
  }`
    )
    write(
      join(folder, `src/group${group}.ts`),
      `import { Body, Controller, Get, Path, Put, Response, Route } from "@tsoa/runtime"
import type { NotFound } from "./common.js"
export interface Group${group}Item { id: string; name: string; size: number }
export interface Group${group}New { name: string; size: number }
@Route("")
export class Group${group} extends Controller {
${methods.join("\n")}
}
`
    )
  })
  write(join(folder, "src/common.ts"), "export interface NotFound { id: string }\n")
  write(join(folder, "package.json"), `{ "name": "large", "version": "1.0.0" }\n`)
  write(
    join(folder, "tsconfig.json"),
    `{ "compilerOptions": { "target": "es2022", "module": "nodenext", "strict": true, "experimentalDecorators": true, "skipLibCheck": true, "noEmit": true }, "include": ["src"] }\n`
  )
  write(
    join(folder, "tsoa.json"),
    `{ "entryFile": "src/common.ts", "noImplicitAdditionalProperties": "silently-remove-extras", "controllerPathGlobs": ["src/group*.ts"], "spec": { "outputDirectory": "out", "specVersion": 3 } }\n`
  )
}

/** By hand: the same API as one `HttpApi` whose groups are all registered against the whole API. */
export const byHand = (operations: number, folder: string): void => {
  const names = groups(operations).map((numbers, group) => {
    const endpoints = numbers.map((n) =>
      n % 2 === 0
        ? `  HttpApiEndpoint.get("get${n}", "/items${n}/:id", { params: { id: Schema.String }, success: Item, error: NotFound })`
        : `  HttpApiEndpoint.put("put${n}", "/items${n}/:id", { params: { id: Schema.String }, payload: New, success: Item, error: NotFound })`
    )
    write(
      join(folder, `src/group${group}.ts`),
      `import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { NotFound } from "./store.js"
class Item extends Schema.Class<Item>("Group${group}Item")({ id: Schema.String, name: Schema.String, size: Schema.Int }) {}
export { Item }
const New = Schema.Struct({ name: Schema.String, size: Schema.Int })
export const Group${group} = HttpApiGroup.make("Group${group}").add(
${endpoints.join(",\n")}
)
`
    )
    const handlers = numbers.map((n) =>
      n % 2 === 0
        ? `    get${n}: ({ params }) => store.read(params.id).pipe(Effect.map((name) => new Item({ id: params.id, name, size: ${n} })))`
        : `    put${n}: ({ params, payload }) => store.read(params.id).pipe(Effect.map((name) => new Item({ id: params.id, name, size: payload.size })))`
    )
    write(
      join(folder, `src/live${group}.ts`),
      `import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "./api.js"
import { Item } from "./group${group}.js"
import { Store } from "./store.js"
export const Live = HttpApiBuilder.group(Api, "Group${group}", Effect.fn(function* (handlers) {
  const store = yield* Store
  return handlers.handleAll({
${handlers.join(",\n")}
  })
}))
`
    )
    return `Group${group}`
  })
  write(
    join(folder, "src/api.ts"),
    `import { HttpApi } from "effect/http-api"\n${names.map((name, at) => `import { ${name} } from "./group${at}.js"`).join("\n")}
export class Api extends HttpApi.make("large").add(${names.join(", ")}) {}\n`
  )
}
