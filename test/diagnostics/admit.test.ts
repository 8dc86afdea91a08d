/** What an extension reports becomes a diagnostic only when it keeps the registry's contract. */

import { describe, expect, it } from "@effect/vitest"
import { admit, CORE_ENTRIES, definePackageDiagnostic, EFFX2401, makeRegistry } from "@effx/diagnostics"
import { Result } from "effect"

const entry = definePackageDiagnostic<{ readonly operation: string }>("effx-audit", {
  code: "0001",
  title: "Missing reason",
  severity: "warning",
  explanation: "An audited operation gives a reason.",
  examples: [{ title: "A reason", before: "a", after: "b" }],
  message: ({ operation }) => `${operation} gives no reason`
})
const registry = makeRegistry([...CORE_ENTRIES, entry])
const finding = entry.make({ operation: "User.Get" })
const core = EFFX2401.make({ operation: "User.Get", method: "PUT" })

describe("admit", () => {
  it("admits a finding of a registered code by its owner, also after a JSON round trip", () => {
    expect(admit(registry, "effx-audit", JSON.parse(JSON.stringify(finding)))).toEqual(Result.succeed(finding))
    expect(admit(registry, "effx", core)).toEqual(Result.succeed(core))
  })

  it("refuses a code of someone else", () => {
    expect(admit(registry, "effx-audit", core)).toEqual(
      Result.fail({ _tag: "ForeignCode", code: "EFFX2401", owner: "effx" })
    )
  })

  it("refuses a code that nobody registered", () => {
    const code = "EFFX[effx-audit]/0002"
    expect(admit(registry, "effx-audit", { ...finding, code })).toEqual(Result.fail({ _tag: "UnregisteredCode", code }))
  })

  it("refuses a severity that the entry does not allow", () => {
    expect(admit(registry, "effx-audit", { ...finding, severity: "info" })).toEqual(
      Result.fail({ _tag: "WrongSeverity", code: finding.code, severity: "info" })
    )
  })

  it.each([[undefined], ["text"], [{ code: 1 }], [{ ...finding, message: undefined }]])("refuses %o", (value) => {
    expect(Result.isFailure(admit(registry, "effx-audit", value))).toBe(true)
  })
})
