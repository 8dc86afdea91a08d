/** Whatever the form of a handler, what `effx build` writes over it typechecks under the strictest settings. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { repository, run, temporaryFolder } from "./effx.ts"

const TSCONFIG = {
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    moduleResolution: "nodenext",
    lib: ["esnext"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    noEmit: true
  },
  include: ["src", ".effx/generated"]
}

/** Builds one module and typechecks it with what was written; gives the written files by name. */
const built = async (source: string) => {
  const cwd = temporaryFolder()
  symlinkSync(join(repository, "node_modules"), join(cwd, "node_modules"))
  writeFileSync(join(cwd, "package.json"), JSON.stringify({ name: "forms", version: "1.0.0", type: "module" }))
  writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify(TSCONFIG))
  mkdirSync(join(cwd, "src"))
  writeFileSync(join(cwd, "src/main.ts"), source)
  const ended = await run(["build"], { cwd })
  expect(ended, ended.stdout).toMatchObject({ code: 0, stderr: "" })
  const tsc = join(repository, "node_modules/.bin/tsc")
  expect(await run(["-p", cwd], { cwd, program: tsc })).toMatchObject({ stdout: "", code: 0 })
  return (file: string) => readFileSync(join(cwd, ".effx/generated", file), "utf8")
}

const HEADER = `import { Effect, Schema } from "effect"
export const Text = Schema.String
export const Key = Schema.Struct({ id: Schema.String, page: Schema.optionalKey(Schema.String) })
export class Item extends Schema.Class<Item>("Item")({ id: Schema.String, size: Schema.String }) {}
`

/** An operation over `input` with every kind of exposure, as a chain with the given handler. */
const chain = (name: string, route: "get" | "post", path: string, input: string, handler: string) =>
  `export const ${name} = Operation.command({ name: "Forms.${name}", input: ${input}, success: Text })
  .http.${route}("/${name}${path}").http.access({ exposure: "public" })
  .rpc("Forms.${name}").cli("${name}").handler(${handler})
`

it("calls a handler without parameters without an argument, and still decodes the input", async () => {
  const files = await built(`import { Cli, Http, Operation, Query, Rpc } from "@effx/runtime"
${HEADER}
const named = () => Effect.succeed("")
const traced = Effect.fn("traced")(function* () { return yield* named() })
const reading = (input: { readonly id: string }) => Effect.succeed(input.id)
${chain("inline", "get", "/:id", "Key", '() => Effect.succeed("")')}
${chain("byName", "post", "", "Key", "named")}
${chain("byFn", "post", "/:id", "Key", "traced")}
${chain("classInput", "get", "/:id", "Item", "named")}
${chain("reads", "post", "/:id", "Item", "reading")}
export class Methods {
  @Query({ name: "Forms.method", input: Item, success: Text })
  @Http.Get("/method/:id")
  @Http.Access({ exposure: "public" })
  @Rpc("Forms.method")
  @Cli("method")
  static method(this: void) { return Effect.succeed("") }
}
`)
  for (const file of ["http.ts", "rpc.ts", "cli.ts"]) {
    for (const name of ["inline", "byName", "byFn", "classInput"]) {
      expect(files(file)).toContain(`${name}.handler()`)
    }
    expect(files(file)).toContain("Methods.method()")
    expect(files(file)).toMatch(/reads\.handler\(\w+\)/)
  }
  expect(files("http.ts")).toMatch(/Item\.makeEffect\(\{ \.\.\.params, \.\.\.query \}\)/)
  expect(files("cli.ts")).toContain("yield* decodeInput(Item, given(flags))")
})

it("gives a list a flag that may be repeated, in whatever way its field is optional", async () => {
  const list = "Schema.Array(Schema.String)"
  const files = await built(`import { Operation } from "@effx/runtime"
${HEADER}
export const Tagged = Schema.Struct({
  all: ${list},
  key: Schema.optionalKey(${list}),
  undefinable: Schema.optional(${list}),
  nullable: Schema.optionalKey(Schema.NullOr(${list}))
})
${chain("tags", "post", "", "Tagged", "({ undefinable }) => Effect.succeed(String(undefinable))")}
`)
  expect(files("cli.ts")).toContain('Flag.String("all").pipe(Flag.atLeast(0))')
  for (const field of ["key", "undefinable", "nullable"]) {
    expect(files("cli.ts")).toContain(`Flag.String("${field}").pipe(Flag.atLeast(1), Flag.optional)`)
  }
})
