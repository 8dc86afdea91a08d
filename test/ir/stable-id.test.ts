/** Stable ids: every name has one, it is in NFC, and it tells names apart. */

import { describe, expect, it } from "@effect/vitest"
import { encodeName, KINDS, kindOf, nameOf, StableId, stableId } from "@effx/ir"
import { Schema } from "effect"

const isStableId = Schema.is(StableId)
const names = { name: Schema.String }

describe("laws", () => {
  it.prop(
    "every name gives an id of its kind",
    { name: Schema.String, kind: Schema.Literals(KINDS) },
    ({ kind, name }) => {
      const id = stableId(kind, name)
      expect(isStableId(id)).toBe(true)
      expect(kindOf(id)).toBe(kind)
      expect(nameOf(id)).toBe(encodeName(name))
    }
  )

  it.prop("an encoded name is in NFC and encodes canonically equivalent names alike", names, ({ name }) => {
    const encoded = encodeName(name)
    expect(encoded.normalize("NFC")).toBe(encoded)
    expect(encodeName(name.normalize("NFD"))).toBe(encoded)
  })

  it.prop("an encoded name reads back", names, ({ name }) => {
    expect(decodeURIComponent(encodeName(name))).toBe(name === "" ? "_" : name.toWellFormed().normalize("NFC"))
  })
})

describe("encodeName", () => {
  it.each([
    ["User.Get", "User.Get"],
    ["src/user/User.Public", "src/user/User.Public"],
    ["@acme/users/User", "@acme/users/User"],
    ["User.Get/http/GET/users/:id", "User.Get/http/GET/users/:id"],
    ["Größe", "Größe"],
    ["Cafe\u0301", "Café"],
    ["漢字", "漢字"],
    ["a b", "a%20b"],
    ["100%", "100%25"],
    ["a#b", "a%23b"],
    ["🙂", "%F0%9F%99%82"],
    ["./a", "%2E/a"],
    ["", "_"],
    ["\ud800", "%EF%BF%BD"]
  ])("%o is %s", (name, encoded) => expect(encodeName(name)).toBe(encoded))
})

describe("StableId", () => {
  it.each(["schema:src/user/User", "ext:a-b", "operation:Größe", "focus:User.%20"])("accepts %s", (id) => {
    expect(isStableId(id)).toBe(true)
  })

  it.each([
    "",
    "User",
    "schema:",
    "Schema:User",
    "schema:.User",
    "schema:a b",
    "schema:a%2f",
    "schema:Cafe\u0301",
    "1a:b"
  ])("refuses %o", (id) => expect(isStableId(id)).toBe(false))
})
