/** RFC 8785 by its own examples, and what it leaves to an implementation. */

import { describe, expect, it } from "@effect/vitest"
import { canonicalJson } from "@effx/ir"
import { Schema } from "effect"

describe("RFC 8785", () => {
  it("section 3.2.2: literals, numbers and strings", () => {
    const input = JSON.parse(
      String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`
    )
    expect(canonicalJson(input)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`
    )
  })

  it("section 3.2.3: keys are sorted by UTF-16 code units", () => {
    const input = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis"
    }
    expect(Object.values(JSON.parse(canonicalJson(input)) as object).length).toBe(7)
    expect(Array.from(canonicalJson(input).matchAll(/:"([^"]+)"/g), ([, value]) => value)).toEqual([
      "Carriage Return",
      "One",
      "Control",
      "Latin Small Letter O With Diaeresis",
      "Euro Sign",
      "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh"
    ])
  })

  it.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["ffefffffffffffff", "-1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef4f", "999999999999999900000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555554", "333333333.33333325"],
    ["41b3de4355555555", "333333333.3333333"],
    ["becbf647612f3696", "-0.0000033333333333333333"]
  ])("appendix B: the number %s is %s", (hex, expected) => {
    const view = new DataView(new ArrayBuffer(8))
    view.setBigUint64(0, BigInt(`0x${hex}`))
    expect(canonicalJson(view.getFloat64(0))).toBe(expected)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1n, Symbol("s"), () => 1, undefined])("%o is refused", (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError)
  })
})

describe("canonicalJson", () => {
  it("leaves out keys whose value is undefined and replaces lone surrogates", () => {
    expect(canonicalJson({ b: undefined, a: "\ud800x" })).toBe('{"a":"\ufffdx"}')
  })

  it("joins keys that differ only in lone surrogates, and sorts them as they are written", () => {
    expect(canonicalJson({ "\udc00": 2, "\ud800": 1, "\ue000": 3 })).toBe('{"\ue000":3,"\ufffd":2}')
  })

  it.prop("reads back as the value, and again to the same text", { value: Schema.Json }, ({ value }) => {
    const text = canonicalJson(value)
    expect(canonicalJson(JSON.parse(text))).toBe(text)
  })
})
