/** Every entry point of the shim through the compiled library, for every kind of descriptor: the cases of `matrix.c`. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { buildShim, compiler, root, run, scratch, tool } from "./toolchain.ts"

const KINDS = ["socket", "FIFO", "regular file", "PTY", "/dev/null", "closed descriptor"]

const prepare = (): { readonly shim: string; readonly matrix: string } => {
  const folder = scratch()
  const matrix = join(folder, "matrix")
  const flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-g"]
  run(compiler ?? "cc", [...flags, "-o", matrix, join(root, "test/native/matrix.c"), "-ldl", "-pthread"])
  return { shim: buildShim(folder), matrix }
}

if (compiler === undefined) {
  it.skip("every entry point, for every kind of descriptor (needs a C compiler)", () => {})
} else {
  const { shim, matrix } = prepare()
  const lines = (spawnSync(matrix, [shim], { encoding: "utf8" }).stdout ?? "").trim().split("\n")

  describe("the shim", () => {
    for (const line of lines) {
      const [, name = line] = /^(?:not )?ok ((?:[^:]|:(?! (?:exit|ended)))*)/.exec(line) ?? []
      it(name, () => expect(line).toBe(`ok ${name}`))
    }
  })

  it("is tested with every kind of descriptor", () => {
    for (const kind of KINDS) expect(lines.filter((line) => line.startsWith(`ok ${kind}: `)).length).toBeGreaterThan(5)
    expect(lines.length).toBeGreaterThan(70)
  })

  it.skipIf(tool("valgrind") === undefined)("is clean under valgrind (needs valgrind)", () => {
    const options = ["--quiet", "--error-exitcode=99", "--leak-check=full"]
    const checked = spawnSync("valgrind", [...options, matrix, shim, "--checked"], { encoding: "utf8" })
    expect(checked.stderr).toBe("")
    expect(checked.stdout.split("\n").filter((line) => line.startsWith("not ok"))).toEqual([])
    expect(checked.status).toBe(0)
  })
}
