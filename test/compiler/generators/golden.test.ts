import { describe, expect, it } from "@effect/vitest"
import { TARGETS } from "@effx/compiler"
import { filesOf } from "./inputs.ts"

describe("generated files", () => {
  for (const [name, files] of Object.entries(filesOf)) {
    it(`of ${name} are the reviewed ones`, async () => {
      for (const { path, text } of files("4.1")) await expect(text).toMatchFileSnapshot(`golden/${name}/${path}.txt`)
    })
  }

  it("differ between targets in the modules of Effect alone", () => {
    const neutral = (text: string): string => text.replaceAll(/from "effect\/[^"]*"$/gm, "from Effect")
    const [newest, ...older] = TARGETS.toReversed().map((target) =>
      filesOf.shop(target).map(({ path, text }) => ({ path, text: neutral(text) }))
    )
    for (const files of older) expect(files).toEqual(newest)
    expect(filesOf.shop("4.0.0-rc.116")).not.toEqual(filesOf.shop("4.1"))
  })
})
