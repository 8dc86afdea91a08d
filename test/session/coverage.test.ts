/** Which folders a session watches for its inputs. */
import { expect, it } from "@effect/vitest"
import { type Input, NO_ENTRIES } from "@effx/frontend-ts"
import { Effect, Path } from "effect"
import { coverageOf, isSamePlace, outlookOf } from "../../src/session/live/coverage.ts"

const input = (path: string, more: Partial<Input> = {}): Input => ({ path, overlay: false, ...more })
const content: Partial<Input> = { content: { _tag: "Content", hash: "1" } }
const missing: Partial<Input> = { content: { _tag: "Missing" } }

/** Real folders: those that are not there are watched through the nearest above. */
const PROJECT = "/usr/share"

const folders = (...inputs: ReadonlyArray<Input>) =>
  Effect.map(Path.Path, (path) => [...coverageOf(path, PROJECT, inputs, [])].sort()).pipe(Effect.provide(Path.layer))

it.effect.each<[string, Input, ReadonlyArray<string>]>([
  ["looked for above the project: none", input("/usr/package.json", missing), []],
  ["looked for beside the project: none", input("/etc/tsconfig.json", { kind: "none" }), []],
  ["that is there, above the project: none", input("/usr", { kind: "directory" }), []],
  ["looked for in the project: its folder", input("/usr/share/a.ts", missing), ["/usr/share"]],
  [
    "looked for in a folder that is not there: the nearest",
    input("/usr/share/none/at/all.ts", missing),
    ["/usr/share"]
  ],
  ["read elsewhere: its folder", input("/etc/hostname", content), ["/etc"]],
  ["a folder that was listed elsewhere: itself", input("/etc", { entries: "1" }), ["/etc"]],
  ["a folder that could not be listed elsewhere: none", input("/etc/none", { entries: NO_ENTRIES }), []]
])("of something %s", ([, one, expected]) =>
  Effect.gen(function* () {
    expect(yield* folders(one)).toEqual(expected)
  })
)

it("tells inputs whose content or entries matter, those that are only there, and those of packages and of TypeScript", () => {
  const all = [
    input("/p/a.ts", content),
    input("/p/lib.own.d.ts", content),
    input("/p/none.ts", missing),
    input("/p/src", { kind: "directory", entries: "1" }),
    input("/p", { kind: "directory", realpath: "/p" }),
    input("/p/node_modules/effect/package.json", content),
    input("/opt/effx/lib/typescript/lib.es2022.d.ts", content)
  ]
  expect(outlookOf("/p", all)).toEqual({
    whole: ["/p/a.ts", "/p/lib.own.d.ts", "/p/none.ts", "/p/src"],
    names: ["/p"],
    far: ["/p/node_modules/effect/package.json", "/opt/effx/lib/typescript/lib.es2022.d.ts"]
  })
})

it.each<[string, Input, Input, boolean]>([
  ["another content", input("/a", content), input("/a", { content: { _tag: "Content", hash: "2" } }), true],
  ["other entries", input("/a", { entries: "1" }), input("/a", { entries: "2" }), true],
  ["another path", input("/a", content), input("/b", content), false],
  ["a content that came", input("/a", missing), input("/a", content), false],
  ["entries that were asked for", input("/a"), input("/a", { entries: "1" }), false],
  ["a folder that came", input("/a", { entries: NO_ENTRIES }), input("/a", { entries: "1" }), false]
])("is the same place with %s or not", (_, before, after, same) => {
  expect(isSamePlace([before], [after])).toBe(same)
})
