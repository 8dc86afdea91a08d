/** Every core code's messages, as a reader sees them. Each variant of each entry occurs here once. */

import { describe, expect, it } from "@effect/vitest"
import * as Catalogue from "@effx/diagnostics"
import { CORE_ENTRIES, type Diagnostic } from "@effx/diagnostics"

const operation = "User.Get"
const audit = { extension: "audit" }

const OCCURRENCES: ReadonlyArray<readonly [Diagnostic, string]> = [
  [
    Catalogue.EFFX0001.make({ analysing: "7.1.0-beta", project: "5.9.3" }),
    "effx analyses with TypeScript 7.1.0-beta, but the project uses 5.9.3"
  ],
  [
    Catalogue.EFFX0002.make({ file: "tsconfig.json", reason: "target is not one of the known versions" }),
    "tsconfig.json is not valid: target is not one of the known versions"
  ],
  [
    Catalogue.EFFX0003.make({ project: "tsconfig.json", files: 1 }),
    "tsconfig.json selects one file, but it declares no operation and no model"
  ],
  [
    Catalogue.EFFX0003.make({ project: "tsconfig.json", files: 3 }),
    "tsconfig.json selects 3 files, but none of them declares an operation or a model"
  ],
  [
    Catalogue.EFFX0010.make({ ...audit, _tag: "DuplicateCode", code: "EFFX[a]/0001", other: "log" }),
    "The extension audit registers EFFX[a]/0001, which log registers too"
  ],
  [
    Catalogue.EFFX0010.make({ ...audit, _tag: "ForeignCode", code: "EFFX2201", owner: "effx" }),
    "The extension audit uses EFFX2201, which belongs to effx"
  ],
  [
    Catalogue.EFFX0010.make({ ...audit, _tag: "UnregisteredCode", code: "EFFX[a]/0002" }),
    "The extension audit reports EFFX[a]/0002, which it does not register"
  ],
  [
    Catalogue.EFFX0010.make({ ...audit, _tag: "WrongSeverity", code: "EFFX[a]/0001", severity: "info" }),
    "The extension audit reports EFFX[a]/0001 as info, which its registration does not allow"
  ],
  [
    Catalogue.EFFX0010.make({ ...audit, _tag: "InvalidEntry", code: "EFFX[a]/0001", problem: "its title is empty" }),
    "The extension audit registers EFFX[a]/0001 with an invalid entry: its title is empty"
  ],
  [
    Catalogue.EFFX0011.make({ ...audit, callback: "the generator log", outcome: "threw", problem: "no disk" }),
    "The extension audit failed in the generator log: no disk"
  ],
  [
    Catalogue.EFFX0011.make({ ...audit, callback: "the analysis log", outcome: "returned", problem: "it is no list" }),
    "The extension audit returned an invalid value from the analysis log: it is no list"
  ],
  [
    Catalogue.EFFX1001.make({ kind: "operation", name: operation }),
    "Two declarations of the operation User.Get differ"
  ],
  [
    Catalogue.EFFX1002.make({ owner: "the capability users.read", missing: "the model User" }),
    "The capability users.read refers to the model User, which is not declared"
  ],
  [Catalogue.EFFX1003.make({ ...audit, tag: "log" }), "The extension audit adds a log that belongs to no declaration"],
  [
    Catalogue.EFFX1101.make({ annotation: "audit", subject: operation }),
    "User.Get carries the annotation audit, which no extension interprets"
  ],
  [
    Catalogue.EFFX1102.make({ annotation: "Http.Get", _tag: "NotStatic", expression: "paths.get()" }),
    "@Http.Get cannot use paths.get(), because its value is not known without running the program"
  ],
  [
    Catalogue.EFFX1102.make({ annotation: "Query", _tag: "NotStatic", expression: "Schema.Array(User)" }),
    "@Query cannot use Schema.Array(User) in place, because generated code imports it by name"
  ],
  [
    Catalogue.EFFX1102.make({ annotation: "Query", _tag: "NotStatic", expression: "inputs.get()" }),
    "@Query cannot use inputs.get(), because its value is not known without running the program"
  ],
  [
    Catalogue.EFFX1102.make({ annotation: "Http.Get", _tag: "Unexpected", expected: "a path", actual: "a number" }),
    "@Http.Get expects a path, but it is given a number"
  ],
  [
    Catalogue.EFFX1102.make({ annotation: "Http.Problems", _tag: "Malformed", problem: "lists the code gone twice" }),
    "@Http.Problems lists the code gone twice"
  ],
  [
    Catalogue.EFFX1103.make({ annotation: "Rpc", subject: "User" }),
    "@Rpc is on User, which is neither a query nor a command"
  ],
  ...(
    [
      ["InstanceMethod", "is an instance method, but only a static method can be an operation"],
      ["PrivateMethod", "is private, but generated code has to call it"],
      ["Field", "is a field, but only a static method can be an operation"],
      ["Accessor", "is an accessor, but only a static method can be an operation"],
      ["UnfinishedChain", "is a chain that does not end with .handler"],
      ["NotExported", "is not exported, but generated code has to import it"],
      ["ComputedName", "has a computed name, which is not known without running the program"]
    ] as const
  ).map(([_tag, text]) => [Catalogue.EFFX1104.make({ _tag, name: "Users.get" }), `Users.get ${text}`] as const),
  [
    Catalogue.EFFX1104.make({ _tag: "Other", name: "Users.get", problem: "is both a query and a command" }),
    "Users.get is both a query and a command"
  ],
  [
    Catalogue.EFFX1105.make({ operation, returned: "Promise<User>" }),
    "The handler of User.Get does not return an Effect, but Promise<User>"
  ],
  [
    Catalogue.EFFX1106.make({ name: "User", file: "../shared/user.ts" }),
    "User is declared in ../shared/user.ts, which is neither in the project nor exported by a package, so its identity is not portable"
  ],
  [Catalogue.EFFX1107.make({ problem: "')' expected" }), "This file is not well-formed TypeScript: ')' expected"],
  [
    Catalogue.EFFX2201.make({ operation: "User.ChangeEmail", error: "EmailTaken" }),
    "User.ChangeEmail can fail with EmailTaken, which @Errors does not declare"
  ],
  [
    Catalogue.EFFX2202.make({ operation, error: "EmailTaken" }),
    "User.Get declares EmailTaken in @Errors, but its handler cannot fail with it"
  ],
  [
    Catalogue.EFFX2203.make({ operation, error: "Error" }),
    "User.Get can fail with Error, which is not an exported schema"
  ],
  [
    Catalogue.EFFX2204.make({ operation, reason: "any", display: "any" }),
    "The errors of User.Get cannot be known, because their type is any"
  ],
  [
    Catalogue.EFFX2204.make({ operation, reason: "type parameter", display: "E" }),
    "The errors of User.Get cannot be known, because their type is the type parameter E"
  ],
  [
    Catalogue.EFFX2205.make({ operation, error: "NotFound" }),
    "User.Get can fail with NotFound, to which @Http.Problems gives no problem code"
  ],
  [
    Catalogue.EFFX2206.make({ operation, error: "NotFound", code: "gone" }),
    "@Http.Problems of User.Get maps NotFound to gone, which its codes do not list"
  ],
  [
    Catalogue.EFFX2302.make({ operation, service: "Users" }),
    "User.Get requires Users, which @Requirements does not declare"
  ],
  [
    Catalogue.EFFX2303.make({ operation, service: "Users" }),
    "User.Get declares Users in @Requirements, but its handler does not require it"
  ],
  [
    Catalogue.EFFX2304.make({ operation, requirement: "Clock" }),
    "User.Get requires Clock, which is not an exported service class"
  ],
  [Catalogue.EFFX2401.make({ operation, method: "PUT" }), "User.Get is a query, but PUT is a method that writes"],
  [
    Catalogue.EFFX2402.make({ _tag: "SameRoute", operation, other: "User.Find", method: "GET", path: "/users/:id" }),
    "User.Get and User.Find both answer GET /users/:id"
  ],
  [
    Catalogue.EFFX2402.make({ _tag: "MissingParameter", operation, parameter: "id", input: "GetUser" }),
    "The path of User.Get has the parameter id, which its input GetUser does not have"
  ],
  [
    Catalogue.EFFX2402.make({ _tag: "MissingParameter", operation, parameter: "id" }),
    "The path of User.Get has the parameter id, but the operation takes no input"
  ],
  [
    Catalogue.EFFX2402.make({ _tag: "OptionalParameter", operation, parameter: "id" }),
    "The path of User.Get has the parameter id, which its input makes optional"
  ],
  [
    Catalogue.EFFX2402.make({ _tag: "Repeated", operation, annotation: "Http.Access" }),
    "User.Get gives @Http.Access more than once"
  ],
  [
    Catalogue.EFFX2402.make({ _tag: "NoRoute", operation, annotation: "Http.Access" }),
    "User.Get gives @Http.Access, but it is not exposed over HTTP"
  ],
  [
    Catalogue.EFFX2402.make({
      _tag: "InvalidPath",
      operation,
      path: "users",
      problem: "it does not begin with a slash"
    }),
    "The path users of User.Get is not valid: it does not begin with a slash"
  ],
  [
    Catalogue.EFFX2402.make({ _tag: "Input", operation, problem: "it is no object" }),
    "The input of User.Get cannot be taken from an HTTP request: it is no object"
  ],
  [
    Catalogue.EFFX2403.make({ _tag: "Clash", identifier: "User", schema: "User", other: "Member" }),
    "The schemas User and Member both claim the public identifier User, but differ in shape"
  ],
  [
    Catalogue.EFFX2403.make({ _tag: "Hidden", schema: "Forest" }),
    "The schema Forest contains a recursive schema that is not exported, so nothing can describe it by name"
  ],
  [
    Catalogue.EFFX2403.make({ _tag: "Recursive", schema: "Tree" }),
    "The schema Tree is recursive, but has no public identifier"
  ],
  [
    Catalogue.EFFX2404.make({ operation, error: "NotFound" }),
    "User.Get can fail with NotFound, which states no HTTP status and would be answered with 500"
  ],
  [
    Catalogue.EFFX2405.make({ key: "users/Users", service: "Users", other: "Members" }),
    "The services Users and Members share the key users/Users"
  ],
  [
    Catalogue.EFFX2406.make({ operation, field: "limit", place: "query", encoded: "an object" }),
    "The query field limit of User.Get is an object, which a URL cannot carry"
  ],
  [
    Catalogue.EFFX2501.make({ transport: "rpc", name: "get", operation, other: "User.Find" }),
    "User.Get and User.Find both claim the RPC name get"
  ],
  [
    Catalogue.EFFX2501.make({ transport: "cli", name: "users get", operation, other: "User.Find" }),
    "User.Get and User.Find both claim the command users get"
  ],
  [Catalogue.EFFX2503.make({ operation }), "@Http.Access of User.Get says protected, but names no security middleware"],
  [
    Catalogue.EFFX2503.make({ operation, middleware: "Counted" }),
    "@Http.Access of User.Get says protected, but Counted is not a security middleware"
  ],
  [
    Catalogue.EFFX2504.make({ operation, method: "GET", path: "/users" }),
    "User.Get is exposed as GET /users, but does not declare who may call it"
  ],
  [
    Catalogue.EFFX2505.make({ operation, rpc: "get", because: { _tag: "Protected" } }),
    "User.Get is protected over HTTP, but the RPC get has no guard"
  ],
  [
    Catalogue.EFFX2505.make({ operation, rpc: "get", because: { _tag: "Authorized", capability: "users.read" } }),
    "User.Get requires the capability users.read, but the RPC get has no guard"
  ],
  [
    Catalogue.EFFX2701.make({ _tag: "Unsupported", version: "3.19.0", supported: "4.0.x and 4.1.x" }),
    "The project uses Effect 3.19.0, but effx supports 4.0.x and 4.1.x"
  ],
  [
    Catalogue.EFFX2701.make({ _tag: "Missing", supported: "4.0.x and 4.1.x" }),
    "The project has no Effect installed; effx supports 4.0.x and 4.1.x"
  ],
  [
    Catalogue.EFFX2701.make({
      _tag: "Several",
      copies: [
        { version: "4.0.1", folder: "node_modules/a/node_modules/effect" },
        { version: "4.1.0", folder: "node_modules/effect" }
      ]
    }),
    "The project has several copies of Effect: 4.0.1 in node_modules/a/node_modules/effect, 4.1.0 in node_modules/effect"
  ],
  [
    Catalogue.EFFX2701.make({ _tag: "NoTarget", target: "3.0", supported: "4.0.x and 4.1.x" }),
    "There is no target 3.0: effx generates code for 4.0.x and 4.1.x"
  ],
  [
    Catalogue.EFFX2701.make({ _tag: "Target", target: "4.0", version: "4.1.0" }),
    "The target 4.0 does not fit the installed Effect 4.1.0"
  ]
]

describe("messages", () => {
  it.each(OCCURRENCES.map(([diagnostic, text]) => [diagnostic.code, diagnostic.message, text] as const))(
    "%s: %s",
    (_code, message, expected) => {
      expect(message).toBe(expected)
      expect(message).not.toMatch(/[.!\s]$/)
      expect(message).not.toMatch(/undefined|\[object|~effect|_tag|\n|(schema|service|operation|model|exposure|ext):/)
    }
  )

  it("of every core code are shown here", () => {
    const shown = new Set(OCCURRENCES.map(([{ code }]) => code))
    expect(CORE_ENTRIES.map(({ code }) => code).filter((code) => !shown.has(code))).toEqual([])
  })
})

describe("make", () => {
  const site = { location: { file: "a.ts", line: 1, col: 2 }, span: { start: 1, end: 3 } }

  it("gives the default severity, and place, notes and related places as they are", () => {
    const related = [{ message: "the other one", ...site }]
    const notes = [{ label: "fix", text: "rename one" }]
    expect(Catalogue.EFFX2401.make({ operation, method: "PUT" }, { site, related, notes })).toEqual({
      code: "EFFX2401",
      severity: "error",
      message: "User.Get is a query, but PUT is a method that writes",
      ...site,
      related,
      notes
    })
  })

  it("allows the severities of the policy and no other", () => {
    const params = { analysing: "7.1.0", project: "6.0.3" }
    expect(Catalogue.EFFX0001.make(params, { severity: "warning" }).severity).toBe("warning")
    expect(() => Catalogue.EFFX0001.make(params, { severity: "error" })).toThrow(RangeError)
    expect(() => Catalogue.EFFX2401.make({ operation, method: "PUT" }, { severity: "info" })).toThrow(RangeError)
  })
})
