/** The laws of the normal form, the canonical encoding and the hash. */

import { describe, expect, it } from "@effect/vitest"
import {
  ApplicationIRFromJson,
  applicationIR,
  canonical,
  canonicalJson,
  normalize,
  semanticHash,
  stableId
} from "@effx/ir"
import { Schema } from "effect"
import { anyIR, shuffled } from "./arbitraries.ts"

const decode = Schema.decodeUnknownSync(ApplicationIRFromJson)
const by = Schema.Literals([0, 1, 2, 3, 5])

describe("laws", () => {
  it.prop("decoding the canonical encoding gives the normal form", { ir: anyIR }, ({ ir }) => {
    expect(decode(canonical(ir))).toEqual(normalize(ir))
  })

  it.prop("normalize is idempotent", { ir: anyIR }, ({ ir }) => {
    const once = normalize(ir)
    expect(normalize(once)).toBe(once)
    expect(normalize({ ...once })).toEqual(once)
  })

  it.prop("canonical is idempotent", { ir: anyIR }, ({ ir }) => {
    expect(canonical(decode(canonical(ir)))).toBe(canonical(ir))
  })

  it.prop("another order and repetitions change no hash", { ir: anyIR, by }, ({ by, ir }) => {
    expect(semanticHash(shuffled(ir, by))).toBe(semanticHash(ir))
  })

  it.prop("the hash tells different normal forms apart", { a: anyIR, b: anyIR }, ({ a, b }) => {
    expect(semanticHash(a) === semanticHash(b)).toBe(canonicalJson(normalize(a)) === canonicalJson(normalize(b)))
  })
})

describe("normalize", () => {
  const id = stableId("operation", "User.Get")
  const ref = { module: "../../src/user", export: "User", symbolId: stableId("schema", "src/user/User") }
  const operation = {
    _tag: "Operation",
    id,
    name: "User.Get",
    kind: "Query",
    success: ref,
    errors: {
      values: [stableId("schema", "b/B"), stableId("schema", "a/A"), stableId("schema", "b/B")],
      inferred: true
    },
    requirements: { values: [], inferred: true },
    handler: { module: "../../src/operations", export: "UserOperations", member: "get" }
  } as const

  it("sorts and deduplicates what is a set", () => {
    expect(normalize(applicationIR([operation, operation], [])).nodes).toEqual([
      { ...operation, errors: { values: ["schema:a/A", "schema:b/B"], inferred: true } }
    ])
  })

  it("keeps what is ordered", () => {
    const focus = {
      _tag: "Focus",
      id: stableId("focus", "User.z.a"),
      root: stableId("model", "User"),
      path: ["z", "a"]
    } as const
    const exposure = {
      _tag: "Exposure",
      id: stableId("exposure", "User.Get/cli/users.get"),
      operation: id,
      transport: { _tag: "cli", words: ["users", "get"] }
    } as const
    const extension = {
      _tag: "Extension",
      id: stableId("ext", "audit/log/User.Get"),
      extension: "audit",
      tag: "log",
      data: [3, 1, 2]
    } as const
    expect(normalize(applicationIR([focus, exposure, extension], [])).nodes).toEqual(
      expect.arrayContaining([focus, exposure, extension])
    )
  })

  it("keeps nodes that share an id but differ", () => {
    const other = { ...operation, kind: "Command" } as const
    expect(normalize(applicationIR([operation, other], [])).nodes.length).toBe(2)
  })
})
