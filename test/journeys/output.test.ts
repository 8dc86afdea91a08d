/** Output that is never lost: slow, gone and full readers, closed descriptors, and descriptor flags left as found. */
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { repository, run, shell } from "./effx.ts"

const text = async () => (await run(["explain", "EFFX2201"])).stdout

it("delivers everything to a slow reader over a full pipe, also one that another program made non-blocking", async () => {
  const whole = await text()
  const nonBlocking = "sed -n 's/^flags:.*4...$/non-blocking/p' /proc/self/fdinfo/3 3>&1 >&2"
  const fill = "head -c 65536 /dev/zero"
  const read = "{ sleep 1; tr -d '\\0'; }"
  expect(await shell(`{ ${fill}; ${nonBlocking}; "$effx" explain EFFX2201; } | ${read}`)).toMatchObject({
    stderr: "",
    stdout: whole
  })
  const touch = '"$bun" -e "process.stdout.isTTY"'
  const bun = join(repository, "tools/bun/node_modules/@oven/bun-linux-x64-baseline/bin/bun")
  const touched = `{ ${fill}; ${touch}; ${nonBlocking}; "$effx" explain EFFX2201; } | ${read}`
  expect(await shell(touched, { env: { bun } })).toMatchObject({ stderr: "non-blocking\n", stdout: whole })
})

it("keeps its exit code and is quiet when the reader closes", async () => {
  const known = await shell('{ "$effx" explain EFFX2201; echo "code $?" >&2; } | true')
  expect(known.stderr).toBe("code 0\n")
  const head = await shell('{ "$effx" explain EFFX2201; echo "code $?" >&2; } | head -1')
  expect(head).toMatchObject({ stderr: "code 0\n", stdout: "# EFFX2201: Undeclared error\n" })
})

it("fails with one line on a full disk", async () => {
  for (const args of ["explain EFFX2201", "--help", "--version"]) {
    expect(await shell(`"$effx" ${args} > /dev/full`)).toMatchObject({
      code: 3,
      stderr: "effx: cannot write to standard output: no space is left on the device\n"
    })
  }
})

it("works with closed descriptors", async () => {
  expect(await shell('"$effx" explain EFFX2201 >&-')).toMatchObject({ code: 0, stderr: "" })
  expect(await shell('"$effx" explain EFFX2201 <&- 2>&-')).toMatchObject({ code: 0, stdout: await text() })
  expect(await shell('"$effx" explain NOPE >&- 2>&- <&-')).toMatchObject({ code: 1, stdout: "", stderr: "" })
})

it("leaves the flags of shared descriptors as found", async () => {
  const flags = "for fd in 3 4 5; do sed -n 's/^flags:/flags/p' /proc/self/fdinfo/$fd 3<&0 4>&1 5>&2 >&2; done"
  const ended = await shell(`{ ${flags}; "$effx" explain EFFX2201; ${flags}; } | cat >/dev/null`)
  const lines = ended.stderr.trim().split("\n")
  expect(lines).toHaveLength(6)
  expect(lines.slice(3)).toEqual(lines.slice(0, 3))
})
