/**
 * The project that a walk changes: operations, schemas and services that import each other through a barrel, a path alias, a package of
 * the workspace and a dependency, with one included folder behind a symbolic link, in a repository with three branches.
 */
import { execFileSync } from "node:child_process"
import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const repository = join(import.meta.dirname, "../..")

/** Text by path relative to the top folder. */
export type Texts = Readonly<Record<string, string>>

const schema = (entity: string, notFound = ""): string => `import { Schema } from "effect"
${notFound}
export const ${entity}Id = Schema.String.pipe(Schema.brand("${entity}Id"))

export class ${entity} extends Schema.Class<${entity}>("${entity}")({ id: ${entity}Id, name: Schema.String }) {}

export const Get${entity} = Schema.Struct({ id: ${entity}Id })
`

const failure = (entity: string): string =>
  `export class ${entity}NotFound extends Schema.TaggedError<${entity}NotFound>()("${entity}NotFound", { id: Schema.String }, { httpApiStatus: 404 }) {}
`

const service = (
  entity: string,
  imports: string,
  fails = `${entity}NotFound`
): string => `import { Context, type Effect } from "effect"
${imports}

export class ${entity}s extends Context.Service<
  ${entity}s,
  { readonly get: (id: string) => Effect.Effect<${entity}, ${fails}> }
>()("walk/${entity}s") {}
`

interface OperationText {
  readonly entity: string
  readonly imports: string
  readonly errors?: string
  readonly requires?: string
  readonly route?: string
  readonly name?: string
  readonly handler?: string
}

const operations = ({ entity, errors, handler, imports, name, requires, route }: OperationText): string =>
  `import { Errors, Http, Query, Requirements } from "@effx/runtime"
${imports}

export class ${entity}Operations {
  /** Shows one. */
  @Query({ name: "${name ?? `${entity}.Get`}", input: Get${entity}, success: ${entity} })
  @Errors(${errors ?? `${entity}NotFound`})
  @Requirements(${requires ?? `${entity}s`})
  @Http.Get("${route ?? `/${entity.toLowerCase()}s/:id`}")
  @Http.Access({ exposure: "public" })
  static get(input: typeof Get${entity}.Type) {
    return ${handler ?? `${entity}s.use((all) => all.get(input.id))`}
  }
}
`

const userImports = `import { GetUser, User, UserNotFound } from "../index.js"
import { Users } from "../services/users.js"`
const orderImports = `import { OrderNotFound } from "@lib/errors.js"
import { limited } from "tiny"
import { GetOrder, Order } from "../schemas/order.js"
import { Orders } from "../services/orders.js"`
const priceImports = `import { GetPrice, Price, PriceNotFound, Prices } from "@acme/shared"`

const LIMITED = "limited(Orders.use((all) => all.get(input.id)))"

const shared = `export { GetPrice, Price, PriceNotFound } from "./money.js"
export { Prices } from "./prices.js"
`

const TSCONFIG = {
  extends: "./tsconfig.base.json",
  compilerOptions: { paths: { "@lib/*": ["./lib/*"] } },
  files: ["cookie.ts"],
  include: ["src", "linked"]
}

const BASE = `{
  // What every package of the workspace agrees on.
  "compilerOptions": {
    "target": "es2022", "module": "nodenext", "lib": ["esnext"], "types": [], "strict": true,
    "exactOptionalPropertyTypes": true, "skipLibCheck": true, "allowImportingTsExtensions": true, "noEmit": true
  }
}
`

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const manifest = (name: string, more: object = {}): string => json({ name, version: "1.0.0", type: "module", ...more })

const tiny = (fails: string): string => `import type { Effect } from "effect"
export declare class Limited { readonly _tag: "Limited" }
export declare const limited: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, ${fails}, R>
`

/** What is there when a walk begins; without a finding. */
export const ORIGINAL: Texts = {
  "app/package.json": manifest("walk", { dependencies: { effect: "4.1.0", tiny: "1.0.0", "@acme/shared": "1.0.0" } }),
  "app/tsconfig.json": json(TSCONFIG),
  "app/tsconfig.base.json": BASE,
  "app/cookie.ts": "export const cookie = 0\n",
  "app/src/index.ts": `export * from "./schemas/user.js"\nexport * from "./schemas/order.js"\n`,
  "app/src/schemas/user.ts": schema("User", failure("User")),
  "app/src/schemas/order.ts": schema("Order"),
  "app/src/services/users.ts": service("User", `import type { User, UserNotFound } from "../index.js"`),
  "app/src/services/orders.ts": service(
    "Order",
    `import type { OrderNotFound } from "@lib/errors.js"\nimport type { Order } from "../schemas/order.js"`
  ),
  "app/src/operations/users.ts": operations({ entity: "User", imports: userImports }),
  "app/src/operations/orders.ts": operations({ entity: "Order", imports: orderImports, handler: LIMITED }),
  "app/lib/errors.ts": `import { Schema } from "effect"\n${failure("Order")}`,
  "app/packages/shared/package.json": manifest("@acme/shared", { exports: "./index.ts" }),
  "app/packages/shared/index.ts": shared,
  "app/packages/shared/money.ts": schema("Price", failure("Price")),
  "app/packages/shared/prices.ts": service("Price", `import type { Price, PriceNotFound } from "./money.js"`),
  "elsewhere/v1/prices.ts": operations({ entity: "Price", imports: priceImports }),
  "elsewhere/v2/prices.ts": operations({ entity: "Price", imports: priceImports, errors: "", route: "/v2/prices/:id" }),
  "elsewhere/v2/more.ts": `import { PriceNotFound } from "@acme/shared"\nexport const again = PriceNotFound\n`,
  "elsewhere/shared2/package.json": manifest("@acme/shared", { version: "2.0.0", exports: "./index.ts" }),
  "elsewhere/shared2/index.ts": shared.replace("./prices.js", "./dear.js"),
  "elsewhere/shared2/money.ts": schema("Price", failure("Price")),
  "elsewhere/shared2/dear.ts": service(
    "Price",
    `import type { Price, PriceNotFound } from "./money.js"`,
    "PriceNotFound | Error"
  )
}

/** Links by path relative to the top folder. */
const LINKS: Texts = { "app/linked": "../elsewhere/v1" }

const SYNTAX_ERROR = "export const broken = ;\n"

/** Other texts that a file of this path may have: each is told apart by findings, by none, or by what it no longer exports. */
export const variantsOf = (file: string): ReadonlyArray<string> => {
  const original = ORIGINAL[file]
  const general = ["", SYNTAX_ERROR, "export {}\n", `export * from "./later.js"\n${original ?? ""}`]
  const own = VARIANTS[file] ?? []
  return [...own, ...own, ...general, ...(original === undefined ? [] : [original, original, original])]
}

/** Files whose texts are told apart. */
export const isKnown = (file: string): boolean => file in VARIANTS

const VARIANTS: Readonly<Record<string, ReadonlyArray<string>>> = {
  "app/src/index.ts": [
    `export * from "./schemas/user.js"\n`,
    `export { GetUser, User, UserNotFound } from "./schemas/user.js"\n`,
    `export * from "./schemas/later.js"\nexport * from "./schemas/user.js"\n`,
    `export * from "../lib/errors.js"\nexport * from "./schemas/user.js"\n`
  ],
  "app/src/schemas/user.ts": [
    schema("User", failure("User")).replace("name: Schema.String", "name: Schema.Finite"),
    schema("User", failure("User")).replace("GetUser = Schema.Struct({ id", "GetUser = Schema.Struct({ key"),
    schema("User", failure("User")).replace("404", "410"),
    schema("User", failure("User")).replace('("UserNotFound"', '("UserGone"'),
    schema("User"),
    `${schema("User", failure("User"))}\ndeclare global {\n  interface Walked { readonly user: User }\n}\n`
  ],
  "app/src/schemas/order.ts": [
    schema("Order").replace("name: Schema.String", "total: Schema.Finite"),
    schema("Order").replace("Schema.brand", "Schema.branded"),
    `import { UserId } from "./user.js"\n${schema("Order").replace("name: Schema.String", "owner: UserId")}`
  ],
  "app/src/services/users.ts": [
    service("User", `import type { User } from "../index.js"`, "never"),
    service("User", `import type { User, UserNotFound } from "../schemas/user.js"`, "UserNotFound | Error"),
    service(
      "User",
      `import type { OrderNotFound } from "@lib/errors.js"\nimport type { User, UserNotFound } from "../index.js"`,
      "UserNotFound | OrderNotFound"
    )
  ],
  "app/src/services/orders.ts": [
    service("Order", `import type { OrderNotFound } from "@lib/errors"\nimport type { Order } from "../index.js"`),
    service(
      "Order",
      `import type { OrderNotFound } from "../../lib/errors.js"\nimport type { Order } from "../schemas/order.js"`
    )
  ],
  "app/src/operations/users.ts": [
    operations({ entity: "User", imports: userImports, errors: "" }),
    operations({ entity: "User", imports: userImports, requires: "" }),
    operations({ entity: "User", imports: userImports, route: "/orders/:id" }),
    operations({ entity: "User", imports: userImports, name: "Order.Get" }),
    operations({ entity: "User", imports: userImports.replace("../index.js", "../schemas/user.js") }),
    operations({ entity: "User", imports: userImports.replace("../services/users.js", "../services/later.js") })
  ],
  "app/src/operations/orders.ts": [
    operations({ entity: "Order", imports: orderImports, handler: LIMITED, errors: "" }),
    operations({ entity: "Order", imports: orderImports.replace('import { limited } from "tiny"\n', "") }),
    operations({ entity: "Order", imports: orderImports.replace("tiny", "tiny/more"), handler: LIMITED }),
    operations({ entity: "Order", imports: orderImports, handler: LIMITED, route: "/orders/:key" })
  ],
  "app/lib/errors.ts": [
    `import { Schema } from "effect"\n${failure("Order").replace("404", "409")}`,
    `import { Schema } from "effect"\n${failure("Order")}${failure("User")}`
  ],
  "app/packages/shared/index.ts": [
    `export * from "./money.js"\n`,
    `export * from "./money.js"\nexport * from "./prices.js"\n`
  ],
  "app/packages/shared/package.json": [
    manifest("@acme/shared", { exports: { ".": "./later.ts" } }),
    manifest("@acme/shared", { exports: { ".": "./index.ts", "./money": "./money.ts" } }),
    manifest("@acme/other", { exports: "./index.ts" })
  ],
  "app/package.json": [
    manifest("renamed"),
    manifest("walk", { dependencies: { effect: "4.1.0" }, devDependencies: { typescript: "7.0.2" } }),
    "{ broken",
    manifest("walk", { type: "commonjs" })
  ]
}

/** Texts of a tsconfig; `cookie` tells whether `cookie.ts` is still an input. */
export const TSCONFIGS: ReadonlyArray<{ readonly text: string; readonly cookie: boolean }> = [
  { text: json(TSCONFIG), cookie: true },
  { text: json({ ...TSCONFIG, include: ["src"] }), cookie: true },
  { text: json({ ...TSCONFIG, include: ["src", "linked", "lib", "packages"] }), cookie: true },
  { text: json({ ...TSCONFIG, exclude: ["src/operations"] }), cookie: true },
  { text: json({ ...TSCONFIG, compilerOptions: {} }), cookie: true },
  {
    text: json({ ...TSCONFIG, compilerOptions: { ...TSCONFIG.compilerOptions, preserveSymlinks: true } }),
    cookie: true
  },
  { text: json({ ...TSCONFIG, effx: { strictAccess: true } }), cookie: true },
  { text: json({ ...TSCONFIG, extends: "./later.json" }), cookie: true },
  { text: json({ ...TSCONFIG, extends: ["./tsconfig.base.json", "tiny/tsconfig.json"] }), cookie: true },
  { text: json({ ...TSCONFIG, compilerOptions: { target: "es1999" } }), cookie: true },
  { text: json({ ...TSCONFIG, references: [{ path: "./packages/shared" }] }), cookie: true },
  { text: json({ extends: "./tsconfig.base.json", files: [] }), cookie: false },
  { text: '{ "files": ["cookie.ts"], "include": ["src"', cookie: false },
  { text: "", cookie: false }
]

/** Texts of what the tsconfig extends. */
export const BASES: ReadonlyArray<string> = [
  BASE,
  BASE,
  BASE.replace('"lib": ["esnext"]', '"lib": ["es2015"]'),
  BASE.replace('"strict": true', '"strict": false'),
  BASE.replace("nodenext", "preserve"),
  "{ broken",
  json({ extends: "./tsconfig.json" })
]

/** What the dependency of the project can say. */
export const TINY: ReadonlyArray<Texts> = [
  { "index.d.ts": tiny("E") },
  { "index.d.ts": tiny("E | Limited") },
  { "index.d.ts": tiny("E").replace("limited:", "unlimited:") },
  { "package.json": manifest("tiny", { types: "./index.d.ts" }) },
  { "package.json": manifest("tiny", { exports: { ".": { types: "./more.d.ts" } } }) },
  {
    "package.json": manifest("tiny", {
      exports: { ".": { types: "./index.d.ts" }, "./more": { types: "./more.d.ts" } }
    })
  },
  { "more.d.ts": tiny("E | Limited") },
  { "tsconfig.json": json({ compilerOptions: { strict: false } }) }
]

/** The text of a new file with an operation of its own, or with what others look for. */
export const newText = (file: string, number: number): string => {
  if (/schemas\/later\.ts$/.test(file)) return `export * from "./order.js"\n`
  if (/services\/later\.ts$/.test(file)) return `export { Users } from "./users.js"\n`
  if (!file.endsWith(".ts")) return `note ${number}\n`
  const entity = number % 3 === 0 ? "User" : "Order"
  const imports = entity === "User" ? userImports : orderImports
  const text = operations({
    entity,
    imports,
    name: `New${number}.Get`,
    route: `/new/${number}/:id`,
    ...(number % 4 === 0 && { errors: "" })
  })
  return text
    .replace(`class ${entity}Operations`, `class New${number}Operations`)
    .replaceAll('"../', '"#/../')
    .replaceAll('"#/../', file.split("/").length > 4 ? '"../' : '"./')
}

export const git = (top: string, ...args: ReadonlyArray<string>): void => {
  execFileSync("git", ["-c", "core.fsync=none", "-c", "user.name=walk", "-c", "user.email=walk@example.com", ...args], {
    cwd: top,
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env.PATH ?? "", GIT_CONFIG_NOSYSTEM: "1", HOME: top }
  })
}

export const write = (top: string, texts: Texts): void => {
  for (const [file, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(top, file)), { recursive: true })
    writeFileSync(join(top, file), text)
  }
}

export const BRANCHES = ["main", "feature", "broken"] as const

/** Copies what a program reads of a package: its manifest and its declarations. */
const copyDeclarations = (from: string, to: string): void =>
  cpSync(from, to, {
    recursive: true,
    filter: (file) => lstatSync(file).isDirectory() || /\.d\.ts$|package\.json$/.test(file)
  })

/** Dependencies beside the project, from which its `node_modules` is made and made again. */
const makeModules = (folder: string): void => {
  copyDeclarations(join(repository, "node_modules/effect"), join(folder, "effect"))
  const runtime = join(repository, "src/runtime")
  mkdirSync(join(folder, "@effx/runtime"), { recursive: true })
  for (const name of readdirSync(runtime)) cpSync(join(runtime, name), join(folder, "@effx/runtime", name))
  write(folder, {
    "tiny/package.json": manifest("tiny", { types: "./index.d.ts" }),
    "tiny/index.d.ts": tiny("E")
  })
  mkdirSync(join(folder, "@acme"), { recursive: true })
  symlinkSync("../../packages/shared", join(folder, "@acme/shared"))
  // Whatever the permissions were where they come from: the program runs as nobody.
  for (const name of readdirSync(folder, { recursive: true }) as Array<string>) {
    const stats = lstatSync(join(folder, name))
    if (!stats.isSymbolicLink()) chmodSync(join(folder, name), stats.isDirectory() ? 0o755 : 0o644)
  }
}

/** Puts the project of a walk into an empty folder. */
export const makeProject = (top: string): void => {
  makeModules(join(top, "modules"))
  copyModules(top)
  write(top, ORIGINAL)
  for (const [file, target] of Object.entries(LINKS)) symlinkSync(target, join(top, file))
  write(top, { ".gitignore": "node_modules\n/modules\n/outside\n" })
  mkdirSync(join(top, "outside"))
  git(top, "init", "-q", "-b", "main")
  const commit = (branch: string, change: () => void) => {
    if (branch !== "main") git(top, "checkout", "-q", "-b", branch, "main")
    change()
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", branch)
  }
  commit("main", () => {})
  commit("feature", () => {
    git(top, "mv", "app/src/schemas", "app/src/models")
    for (const file of ["index.ts", "services/orders.ts", "operations/orders.ts"]) {
      const path = `app/src/${file}`
      write(top, { [path]: (ORIGINAL[path] ?? "").replaceAll("schemas/", "models/") })
    }
  })
  commit("broken", () => {
    git(top, "rm", "-q", "app/lib/errors.ts", "app/src/services/users.ts")
    write(top, { "app/src/operations/users.ts": SYNTAX_ERROR })
  })
  git(top, "checkout", "-q", "main")
}

/** Puts `node_modules` in place again. */
export const copyModules = (top: string): void =>
  cpSync(join(top, "modules"), join(top, "app/node_modules"), { recursive: true, verbatimSymlinks: true })
