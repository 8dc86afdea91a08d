/** Which source forms are declarations (Spec 0002, "Recognition"), and which are EFFX1104. */
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type Files, siteOf, Workbench, withImports } from "./workbench.ts"

const MAIN = "src/main.ts"

layer(Workbench.layer)("recognition", (it) => {
  const accepts = (title: string, files: Files, expected: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
    it.effect(title, () =>
      Effect.gen(function* () {
        const { run } = yield* Workbench
        const { collected, findings } = yield* run(files)
        expect(findings).toEqual([])
        expect(collected.declarations).toMatchObject(expected)
        expect(collected.declarations).toHaveLength(expected.length)
      })
    )
  const source = (text: string): Files => ({ [MAIN]: withImports(text) })

  accepts(
    "a static method with decorators, top to bottom as written",
    source(`export class C {
  @Query({ name: "A", success: Text })
  @Errors()
  @Http.Get("/a")
  static m() { return Effect.succeed("") }
}`),
    [
      {
        kind: "staticMethod",
        export: "C",
        member: "m",
        id: "C.m",
        file: MAIN,
        handler: { module: "../../src/main", export: "C", member: "m" },
        annotations: [{ name: "Query" }, { name: "Errors" }, { name: "Http.Get" }]
      }
    ]
  )

  accepts(
    "a chain, root to tip",
    source(
      `export const v = Operation.query({ name: "A", success: Text }).errors().http.get("/a").http.access({ exposure: "public" }).rpc("A").cli("a b").annotate("x", 1).handler(() => Effect.succeed(""))`
    ),
    [
      {
        kind: "builder",
        export: "v",
        id: "v",
        handler: { module: "../../src/main", export: "v", member: "handler" },
        annotations: ["Query", "Errors", "Http.Get", "Http.Access", "Rpc", "Cli", "Annotate"].map((name) => ({ name }))
      }
    ]
  )

  accepts(
    "a command",
    source(`export const v = Operation.command({ success: Text }).handler(() => Effect.succeed(""))`),
    [{ annotations: [{ name: "Command" }] }]
  )

  const schemaUser = {
    _tag: "Schema",
    ref: { module: "../../src/domain", export: "User", symbolId: "schema:src/domain/User" }
  }
  accepts(
    "@PersistentModel on a class",
    source(`@PersistentModel({ table: "accounts", focus: ["id"], views: { Public: User.Public } })
export class Account extends Schema.Class<Account>("Account")({ id: Schema.String }) {}`),
    [
      {
        kind: "model",
        export: "Account",
        id: "Account",
        annotations: [
          {
            name: "PersistentModel",
            args: [
              {
                table: "accounts",
                focus: ["id"],
                views: {
                  Public: { _tag: "Schema", ref: { export: "User.Public", symbolId: "schema:src/domain/User.Public" } }
                },
                schema: { _tag: "Schema", ref: { module: "../../src/main", export: "Account" } }
              }
            ]
          }
        ]
      }
    ]
  )

  accepts(
    "Model.persistent",
    source(`export const users = Model.persistent(User, { table: "users", focus: Focus.key(User, "id") })`),
    [
      {
        kind: "model",
        export: "users",
        annotations: [{ name: "PersistentModel", args: [{ table: "users", focus: ["id"], schema: schemaUser }] }]
      }
    ]
  )

  accepts(
    "default exports",
    source(`export default class Ops { @Query({ success: Text }) static m() { return Effect.succeed("") } }`),
    [{ export: "default", member: "m", id: "Ops.m", handler: { export: "default", member: "m" } }]
  )
  accepts(
    "an anonymous default class",
    source(`export default class { @Query({ success: Text }) static m() { return Effect.succeed("") } }`),
    [{ export: "default", id: "default.m" }]
  )
  accepts(
    "a chain as default export",
    source(`export default Operation.query({ success: Text }).handler(() => Effect.succeed(""))`),
    [{ export: "default", id: "default", handler: { export: "default", member: "handler" } }]
  )
  accepts(
    "late and renamed exports",
    source(`class Ops { @Query({ success: Text }) static m() { return Effect.succeed("") } }
const v = Operation.query({ success: Text }).handler(() => Effect.succeed(""))
export { Ops as Operations, v as show }`),
    [
      { export: "Operations", id: "Operations.m" },
      { export: "show", id: "show" }
    ]
  )
  accepts(
    "a class expression in a constant",
    source(`export const Ops = class { @Query({ success: Text }) static m() { return Effect.succeed("") } }`),
    [{ export: "Ops", member: "m" }]
  )
  accepts(
    "parentheses, as and satisfies around a chain",
    source(`export const v = (Operation.query({ success: Text }).handler(() => Effect.succeed(""))) satisfies object`),
    [{ export: "v" }]
  )
  accepts(
    "a method named by a string",
    source(`export class C { @Query({ success: Text }) static "get it"() { return Effect.succeed("") } }`),
    [{ member: "get it" }]
  )

  const NAMES: ReadonlyArray<readonly [string, string, Files]> = [
    ["a renamed import", `import { Query as Read, Operation as Op } from "@effx/runtime"`, {}],
    [
      "a namespace import",
      `import * as R from "@effx/runtime"
const Read = R.Query
const Op = R.Operation`,
      {}
    ],
    [
      "a barrel",
      `import { Query as Read, Operation as Op } from "./barrel.ts"`,
      { "src/barrel.ts": `export * from "./inner.ts"` }
    ],
    ["a renaming barrel", `import { Read, Op } from "./rename.ts"`, {}],
    [
      "a namespace behind a barrel",
      `import { RT } from "./space.ts"
const { length } = "never looked at"
const Read = RT.Query, Op = RT.Operation`,
      {}
    ]
  ]
  const barrels: Files = {
    "src/inner.ts": `export { Query, Operation } from "@effx/runtime"`,
    "src/rename.ts": `export { Query as Read, Operation as Op } from "@effx/runtime"`,
    "src/space.ts": `export * as RT from "@effx/runtime"`
  }
  for (const [title, header, files] of NAMES) {
    accepts(
      `the runtime through ${title}`,
      {
        ...barrels,
        ...files,
        [MAIN]: `${header}
import { Effect } from "effect"
import { Text } from "./domain.ts"
export class C { @Read({ success: Text }) static m() { return Effect.succeed("") } }
export const v = Op.query({ success: Text }).handler(() => Effect.succeed(""))`
      },
      [
        { id: "C.m", annotations: [{ name: "Query" }] },
        { id: "v", annotations: [{ name: "Query" }] }
      ]
    )
  }
  accepts(
    "qualified decorators",
    {
      [MAIN]: `import * as R from "@effx/runtime"
import { Effect } from "effect"
import { Text } from "./domain.ts"
export class C { @R.Query({ success: Text }) @R.Http.Get("/") @(R.Http["Access"]({ exposure: "public" })) static m() { return Effect.succeed("") } }`
    },
    [{ annotations: [{ name: "Query" }, { name: "Http.Get" }, { name: "Http.Access" }] }]
  )
  accepts(
    "nothing that only has the runtime's names",
    {
      [MAIN]: `const Query = (_: unknown) => (_method: unknown, _context: unknown) => {}
const Operation = { query: (_: unknown) => ({ handler: (_: unknown) => 1 }) }
export class C { @Query({}) static m() {} }
export const v = Operation.query({}).handler(() => 1)`
    },
    []
  )
  accepts(
    "other decorators beside the runtime's",
    source(`const log = (_: unknown, _context: unknown) => {}
export class C { @log @Query({ success: Text }) static m() { return Effect.succeed("") } @log static other() {} }`),
    [{ id: "C.m", annotations: [{ name: "Query" }] }]
  )

  /** `marked` has one mark: the name at which the finding stands. */
  const refuses = (title: string, marked: string, message: string) =>
    it.effect(`refuses ${title}`, () =>
      Effect.gen(function* () {
        const { run } = yield* Workbench
        const { collected, findings, marks } = yield* run(source(marked))
        expect(findings.map(({ code, message, severity }) => ({ code, severity, message }))).toEqual([
          { code: "EFFX1104", severity: "error", message }
        ])
        expect(findings.map(siteOf)).toEqual(marks(MAIN))
        expect(collected.declarations).toEqual([])
      })
    )

  refuses(
    "an instance method",
    `export class C { @Query({ success: Text }) /*<*/m/*>*/() { return Effect.succeed("") } }`,
    "C.m is an instance method, but only a static method can be an operation"
  )
  refuses(
    "a field",
    `export class C { @Query({ success: Text }) static /*<*/m/*>*/ = () => Effect.succeed("") }`,
    "C.m is a field, but only a static method can be an operation"
  )
  refuses(
    "an accessor",
    `export class C { @Query({ success: Text }) static get /*<*/m/*>*/() { return Effect.succeed("") } }`,
    "C.m is an accessor, but only a static method can be an operation"
  )
  refuses(
    "a private method",
    `export class C { @Query({ success: Text }) private static /*<*/m/*>*/() { return Effect.succeed("") } }`,
    "C.m is private, but generated code has to call it"
  )
  refuses(
    "a computed name",
    `const name = "m" as const
export class C { @Query({ success: Text }) static /*<*/[name]/*>*/() { return Effect.succeed("") } }`,
    "C.[name] has a computed name, which is not known without running the program"
  )
  refuses(
    "a class that is not exported",
    `class /*<*/C/*>*/ { @Query({ success: Text }) static m() { return Effect.succeed("") } }`,
    "C is not exported, but generated code has to import it"
  )
  refuses(
    "a constant that is not exported",
    `const /*<*/v/*>*/ = Operation.query({ success: Text }).handler(() => Effect.succeed(""))`,
    "v is not exported, but generated code has to import it"
  )
  refuses(
    "a chain without handler",
    `export const /*<*/v/*>*/ = Operation.query({ success: Text }).errors(NotFound)`,
    "v is a chain that does not end with .handler"
  )
  refuses(
    "a chain without handler that nothing holds",
    `/*<*/Operation.query({ success: Text }).errors(NotFound)/*>*/`,
    "This operation is a chain that does not end with .handler"
  )
  refuses(
    "a chain that nothing holds",
    `/*<*/Operation.query({ success: Text }).handler(() => Effect.succeed(""))/*>*/`,
    "This operation is not exported, but generated code has to import it"
  )
  refuses(
    "a chain without handler in an object",
    `export const all = { v: /*<*/Operation.query({ success: Text }).errors(NotFound)/*>*/ }`,
    "This operation is not declared at the top level of its module, but generated code has to import it"
  )
  refuses(
    "a part of a finished chain",
    `export const /*<*/v/*>*/ = Operation.query({ success: Text }).handler(() => Effect.succeed("")).annotations`,
    "v is a chain that does not end with .handler"
  )
  refuses(
    "a variable",
    `export let /*<*/v/*>*/ = Operation.query({ success: Text }).handler(() => Effect.succeed(""))`,
    "v can be assigned again; declare it with const"
  )
  refuses(
    "a class in a function",
    `export const make = () => {
  class /*<*/C/*>*/ {
    @Query({ success: Text })
    static m() { return Effect.succeed("") }
  }
  return C
}`,
    "C is not declared at the top level of its module, but generated code has to import it"
  )
  refuses(
    "a chain in an object",
    `export const all = { v: /*<*/Operation.query({ success: Text }).handler(() => Effect.succeed(""))/*>*/ }`,
    "This operation is not declared at the top level of its module, but generated code has to import it"
  )
  refuses(
    "an operation's decorator on a class",
    `@Query({ success: Text })
export class /*<*/C/*>*/ {}`,
    "C is a class, but @Query is for static methods"
  )
})
