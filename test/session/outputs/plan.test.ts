import { expect, it } from "@effect/vitest"
import { sha256Hex } from "@effx/ir"
import { type Found, isSettled, type OutputFile, type OutputState, planOutputs } from "@effx/session"
import { Arbitrary, Schema } from "effect"

/** A disk as the planner sees it: texts by path, or `undefined` for what is no regular file. */
type Disk = ReadonlyMap<string, string | undefined>

/** Few paths and few texts, so that old, new and foreign files meet often. */
const PATHS = ["a", "b", "c/d", "c/e", "f/g/h", ".effx/ir.json"] as const
const text = Schema.Literals(["one", "two", "three", ""])
const some = <S extends Schema.Constraint>(value: S) =>
  Arbitrary.map(
    Arbitrary.schema(Schema.Struct({ present: Schema.Array(Schema.Tuple([Schema.Literals(PATHS), value])) })),
    ({ present }) => new Map<string, S["Type"]>(present)
  )
const disk: Arbitrary.Arbitrary<Disk> = some(Schema.Union([text, Schema.Undefined]))
const outputs: Arbitrary.Arbitrary<ReadonlyArray<OutputFile>> = Arbitrary.map(some(text), (files) =>
  Array.from(files, ([path, content]) => ({ path, text: content }))
)
const owned: Arbitrary.Arbitrary<OutputState["owned"]> = Arbitrary.map(
  some(Schema.Array(text)),
  (files) => new Map(Array.from(files, ([path, texts]) => [path, new Set(texts.map((content) => sha256Hex(content)))]))
)
const overwrite = Arbitrary.schema(Schema.Boolean)

const found = (content: string | undefined): Found =>
  content === undefined ? { _tag: "Blocked", reason: "a folder is there" } : { _tag: "File", hash: sha256Hex(content) }

const stateOf = (files: Disk, ownership: OutputState["owned"]): OutputState => ({
  found: new Map([...files].map(([name, content]) => [name, found(content)])),
  owned: ownership
})

/** What a carried out plan leaves on disk. */
const after = (files: Disk, plan: ReturnType<typeof planOutputs>): Disk => {
  const result = new Map(files)
  for (const file of plan.writes) result.set(file.path, file.text)
  for (const name of plan.removals) result.delete(name)
  return result
}

const ownershipOf = (next: ReadonlyArray<OutputFile>): OutputState["owned"] =>
  new Map(next.map((file) => [file.path, new Set([sha256Hex(file.text)])]))

const RUNS = { arbitrary: { runs: 1000 } }

const isForeign = (files: Disk, ownership: OutputState["owned"], name: string): boolean =>
  files.has(name) && !ownership.has(name)

it.prop(
  "never writes or removes a foreign file, not even with --overwrite",
  { files: disk, ownership: owned, next: outputs, overwrite },
  ({ files, next, overwrite, ownership }) => {
    const plan = planOutputs(stateOf(files, ownership), next, { overwrite })
    for (const name of [...plan.writes.map((file) => file.path), ...plan.removals]) {
      expect(isForeign(files, ownership, name)).toBe(false)
    }
  },
  RUNS
)

it.prop(
  "never loses bytes that effx did not write, unless --overwrite says so",
  { files: disk, ownership: owned, next: outputs },
  ({ files, next, ownership }) => {
    const plan = planOutputs(stateOf(files, ownership), next, { overwrite: false })
    for (const name of [...plan.writes.map((file) => file.path), ...plan.removals]) {
      const content = files.get(name)
      expect(!files.has(name) || (content !== undefined && ownership.get(name)?.has(sha256Hex(content)))).toBe(true)
    }
  },
  RUNS
)

it.prop(
  "leaves what is no regular file alone",
  { files: disk, ownership: owned, next: outputs, overwrite },
  ({ files, next, overwrite, ownership }) => {
    const plan = planOutputs(stateOf(files, ownership), next, { overwrite })
    const blocked = [...files].flatMap(([name, content]) => (content === undefined ? [name] : []))
    for (const name of blocked) {
      expect([...plan.writes.map((file) => file.path), ...plan.removals]).not.toContain(name)
    }
  },
  RUNS
)

it.prop(
  "arrives at exactly the new set, and a second run has nothing to do",
  { files: disk, ownership: owned, next: outputs, overwrite },
  ({ files, next, overwrite, ownership }) => {
    const plan = planOutputs(stateOf(files, ownership), next, { overwrite })
    if (plan.conflicts.length > 0) return
    const result = after(files, plan)
    for (const file of next) expect(result.get(file.path)).toBe(file.text)
    expect(isSettled(planOutputs(stateOf(result, ownershipOf(next)), next, { overwrite }))).toBe(true)
  },
  RUNS
)

it.prop(
  "builds over committed outputs without a manifest, and touches nothing",
  { next: outputs },
  ({ next }) => {
    const files: Disk = new Map(next.map((file) => [file.path, file.text]))
    expect(isSettled(planOutputs(stateOf(files, new Map()), next, { overwrite: false }))).toBe(true)
  },
  RUNS
)

it.prop(
  "removes exactly the files of what is no longer generated",
  { before: outputs, next: outputs, others: disk },
  ({ before, next, others }) => {
    const mine = new Map(before.map((file) => [file.path, file.text]))
    const files: Disk = new Map([...others, ...mine])
    const plan = planOutputs(stateOf(files, ownershipOf(before)), next, { overwrite: false })
    const kept = new Set(next.map((file) => file.path))
    expect(plan.removals).toEqual([...mine.keys()].filter((name) => !kept.has(name)).sort())
  },
  RUNS
)

it.prop(
  "resolves every edit with --overwrite, so that only foreign and blocked paths remain conflicts",
  { files: disk, ownership: owned, next: outputs },
  ({ files, next, ownership }) => {
    for (const { path: name } of planOutputs(stateOf(files, ownership), next, { overwrite: true }).conflicts) {
      expect(files.has(name) && (files.get(name) === undefined || isForeign(files, ownership, name))).toBe(true)
    }
  },
  RUNS
)

it("refuses outputs that cannot exist together", () => {
  const state: OutputState = { found: new Map(), owned: new Map() }
  const plan = (...paths: ReadonlyArray<string>) =>
    planOutputs(
      state,
      paths.map((name) => ({ path: name, text: "" })),
      { overwrite: true }
    ).conflicts
  expect(plan("a", "a")).toEqual([{ path: "a", reason: "would be written twice with different content" }])
  expect(plan("a", "a/b")).toEqual([{ path: "a/b", reason: "needs a folder where the file a is written" }])
  expect(plan("a", "ab/c")).toEqual([])
})
