/** The release that Nix builds is the one that is built without it, with what lies beside the archive. */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { builtPath, HOST, missing, need, type Workbench, workbench } from "../nix/workbench.ts"

const bun = process.execPath
/** Two compressions of the archive side by side, on a machine that is busy. */
const ARCHIVES = 2_400_000

/** What `npm run release` leaves beside the archive. */
const releasedFiles = (dist: string): ReadonlyArray<string> =>
  readdirSync(dist, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".stamp"))
    .map(({ name }) => name)
    .toSorted()

describe.skipIf(missing.length > 0)(`the flake${need}`, () => {
  let bench: Workbench
  beforeAll(() => {
    bench = workbench()
  })
  afterAll(() => bench.remove())

  it("the archive is the one of `npm run release`, byte for byte", { timeout: ARCHIVES }, async () => {
    const modules = bench.build(".#node-modules")
    expect(bench.run("bash", ["release/link-node-modules.sh", modules, "."]).status).toBe(0)
    const commit = bench.run("git", ["rev-parse", "HEAD"]).stdout.trim()
    // Both compress at once; that is what takes long.
    const outside = promisify(execFile)(bun, ["--no-env-file", "release/release.ts"], {
      cwd: bench.clone,
      env: { ...bench.environment, EFFX_RELEASE_BUN: bun }
    })
    const inside = promisify(execFile)(
      "nix",
      ["build", ...HOST, "--impure", "--no-link", "--json", "--print-build-logs", ".#release"],
      { cwd: bench.clone, env: { ...bench.environment, EFFX_COMMIT: commit } }
    )
    const [, { stdout }] = await Promise.all([outside, inside])
    const release = builtPath(stdout)
    const sums = readFileSync(join(release, "SHA256SUMS"), "utf8")
    expect(sums).toContain(".tar.xz\n")
    for (const line of sums.trim().split("\n")) {
      const name = line.replace(/^\S+ +/, "")
      const bytes = readFileSync(join(release, name))
      expect(createHash("sha256").update(bytes).digest("hex"), name).toBe(line.slice(0, 64))
      expect(bytes.equals(readFileSync(join(bench.clone, "dist", name))), name).toBe(true)
    }
    expect(readdirSync(release).toSorted()).toEqual(releasedFiles(join(bench.clone, "dist")))
  })
})
