/** Findings name annotations as their author writes them, and advise what fits what was found. */
import { expect, layer } from "@effect/vitest"
import type { Diagnostic } from "@effx/diagnostics"
import { Effect } from "effect"
import { Workbench, withImports } from "../frontend-ts/workbench.ts"
import { run } from "./run.ts"

const MAIN = "src/main.ts"

/** Everything that a finding says, without places. */
const words = ({ code, message, notes, related }: Diagnostic) => [
  `${code} ${message}`,
  ...related.map((other) => `> ${other.message}`),
  ...notes.filter(({ label }) => label === "fix").map(({ text }) => `fix ${text}`)
]

const decorated = (annotations: string, body: string) => `export class C {
  @Query({ name: "User.Get", input: Get, success: Text })
  ${annotations}
  static get(input: typeof Get.Type) { return ${body} }
}`
const chained = (steps: string, body: string) =>
  `export const get = Operation.query({ name: "User.Get", input: Get, success: Text })${steps}.handler((input) => ${body})`

const FAILS = "input.id === '' ? Effect.fail(new NotFound({ id: input.id })) : Effect.succeed('')"

layer(Workbench.layer)("findings", (it) => {
  const found = (source: string) =>
    Effect.gen(function* () {
      const workbench = yield* Workbench
      const { collected } = yield* workbench.run({ [MAIN]: withImports(source) })
      return run(collected)
        .diagnostics.filter(({ code }) => code !== "EFFX0001")
        .map(words)
    })

  const says = (title: string, source: string, expected: ReadonlyArray<ReadonlyArray<string>>) =>
    it.effect(title, () => Effect.map(found(source), (lines) => expect(lines).toEqual(expected)))

  says("name decorators to who decorates", decorated("@Errors()\n  @Errors()\n  @Http.Get('/u/:id')", FAILS), [
    [
      "EFFX2201 User.Get can fail with NotFound, which @Errors does not declare",
      "fix add NotFound to @Errors, or handle it in the handler"
    ],
    [
      "EFFX1104 User.Get has more than one @Errors",
      "> The first is @Errors",
      "fix write the declaration in one of the documented forms"
    ],
    [
      "EFFX2504 User.Get is exposed as GET /u/:id, but does not declare who may call it",
      'fix add @Http.Access({ exposure: "public" }) or protect it with middleware'
    ]
  ])

  says("name steps to who chains", chained(".errors().errors().http.get('/u/:id')", FAILS), [
    [
      "EFFX2201 User.Get can fail with NotFound, which .errors does not declare",
      "fix add NotFound to .errors, or handle it in the handler"
    ],
    [
      "EFFX1104 User.Get has more than one .errors",
      "> The first is .errors",
      "fix write the declaration in one of the documented forms"
    ],
    [
      "EFFX2504 User.Get is exposed as GET /u/:id, but does not declare who may call it",
      'fix add .http.access({ exposure: "public" }) or protect it with middleware'
    ]
  ])

  says("name the steps of a chain that source cannot tell", chained(".errors(...[NotFound])", FAILS), [
    [
      "EFFX1102 .errors cannot use ...[NotFound], because its value is not known without running the program",
      "fix use a literal, an exported const or an exported class"
    ]
  ])

  says(
    "name both where both are",
    `${decorated("@Errors()", FAILS)}\n${chained(".errors()", FAILS)}`.replace("User.Get", "A.B"),
    [
      [
        "EFFX2201 A.B can fail with NotFound, which @Errors does not declare",
        "fix add NotFound to @Errors, or handle it in the handler"
      ],
      [
        "EFFX2201 User.Get can fail with NotFound, which .errors does not declare",
        "fix add NotFound to .errors, or handle it in the handler"
      ]
    ]
  )

  says(
    "name the call that makes a model",
    'export const users = Model.persistent(User, { views: {} })\nexport const texts = Model.persistent(1 as never, { table: "t" })',
    [
      ["EFFX1102 Model.persistent expects the name of a table, but it is given nothing", "fix correct the argument"],
      ["EFFX1102 Model.persistent needs an exported schema class", "fix correct the argument"]
    ]
  )

  says(
    "advise Effect.scoped where a handler leaves a scope open",
    chained(".requirements()", "Effect.acquireRelease(Effect.succeed(input.id), () => Effect.void)"),
    [
      [
        "EFFX2302 User.Get requires Scope, which .requirements does not declare",
        "fix close it in the handler with Effect.scoped, or add Scope to .requirements"
      ]
    ]
  )

  says(
    "advise Effect.catchTag for an error of Effect's own",
    chained("", "Schema.decodeUnknownEffect(Schema.String)(input.id)"),
    [
      [
        "EFFX2203 User.Get can fail with SchemaError, which is not an exported schema",
        'fix handle it in the handler with Effect.catchTag("SchemaError", …), or turn it there into an exported Schema.TaggedError'
      ]
    ]
  )
})
