/** Every output of the flake, evaluated, built and run by the machine's own Nix. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { builtPath, missing, need, type Workbench, workbench } from "./workbench.ts"

const BUILD = 900_000
const CLEAN = "0 errors, 0 warnings, 0 infos\n"

/** A flake of somebody who checks two projects with effx. */
const fleetOf = (effx: string): string => `{
  inputs.nixpkgs.url = "path:${effx}/nix/host";
  inputs.effx.url = "git+file://${effx}";
  inputs.effx.inputs.nixpkgs.follows = "nixpkgs";
  outputs = { self, nixpkgs, effx }: {
    packages.x86_64-linux = builtins.mapAttrs (name: src: effx.lib.effxCheck {
      inherit name src;
      project = "fixtures/users/tsconfig.json";
      nodeModules = effx.packages.x86_64-linux.node-modules;
    }) { good = ./good; broken = ./broken; };
  };
}
`

describe.skipIf(missing.length > 0)(`the flake${need}`, () => {
  let bench: Workbench
  beforeAll(() => {
    bench = workbench()
  })
  afterAll(() => bench.remove())

  it("node-modules has the hash that is pinned", { timeout: BUILD }, () => {
    const modules = bench.build(".#node-modules")
    expect(existsSync(join(modules, "node_modules/effect/package.json"))).toBe(true)
    expect(bench.run("bash", ["release/link-node-modules.sh", modules, "."]).status).toBe(0)
  })

  it("another bun.lock than the pinned one ends with what to run", () => {
    const lock = join(bench.clone, "bun.lock")
    const text = readFileSync(lock, "utf8")
    writeFileSync(lock, `${text}\n`)
    const { status, stderr } = bench.nix("build", "--no-link", ".#node-modules")
    writeFileSync(lock, text)
    expect(status).toBe(1)
    expect(stderr).toContain("run release/update-node-modules-hash")
  })

  it("effx runs as an app with the arguments that it is given", { timeout: BUILD }, () => {
    const { status, stdout, stderr } = bench.nix(
      "run",
      ".#effx",
      "--",
      "check",
      "--project",
      "fixtures/users/tsconfig.json"
    )
    expect({ status, stdout }, stderr).toEqual({ status: 0, stdout: CLEAN })
    const explained = bench.nix("run", ".", "--", "explain", "EFFX2201")
    expect(explained.stdout).toContain("EFFX2201")
  })

  it("effx starts its Bun through the store's glibc", { timeout: BUILD }, () => {
    const effx = bench.build(".#effx")
    const { stdout } = bench.run("bash", [
      "-c",
      'find -L "$0" -type f -name bun -perm -100 -exec patchelf --print-interpreter {} \\;',
      effx
    ])
    expect(stdout).toMatch(
      new RegExp(`^${bench.environment.NIX_STORE_DIR}/[a-z0-9]+-[^/]*glibc[^/]*/lib/ld-linux-x86-64.so.2\n$`)
    )
  })

  it("stdio-shim is the shim that builds outside of Nix", { timeout: BUILD }, () => {
    const shim = bench.build(".#stdio-shim")
    const out = join(bench.scratch, "shim")
    expect(bench.run("sh", ["release/build-shim.sh", out]).status).toBe(0)
    const bytes = readFileSync(join(shim, "lib/effx/effx-stdio.so"))
    expect(bytes.equals(readFileSync(join(out, "effx-stdio.so")))).toBe(true)
  })

  it("the dev shell has effx", { timeout: BUILD }, () => {
    const { status, stdout, stderr } = bench.nix("develop", "-c", "effx", "--version")
    expect(status, stderr).toBe(0)
    expect(stdout).toMatch(/^effx \d+\.\d+\.\d+/)
  })

  it("the formatter formats", { timeout: BUILD }, () => {
    const folder = join(bench.clone, "src/ugly")
    mkdirSync(folder)
    writeFileSync(join(folder, "a.ts"), "export const  a = 'b';")
    const { status, stderr } = bench.nix("fmt", "src/ugly")
    expect(status, stderr).toBe(0)
    const formatted = readFileSync(join(folder, "a.ts"), "utf8")
    rmSync(folder, { recursive: true })
    expect(formatted).toBe('export const a = "b"\n')
  })

  describe("lib.effxCheck, in a flake that uses effx", () => {
    const fleet = () => join(bench.scratch, "fleet")
    const operations = () => join(fleet(), "broken/fixtures/users/src/operations.ts")

    beforeAll(() => {
      mkdirSync(fleet())
      writeFileSync(join(fleet(), "flake.nix"), fleetOf(bench.clone))
      for (const project of ["good", "broken"]) {
        for (const part of ["fixtures/users", "src/runtime"]) {
          cpSync(join(bench.clone, part), join(fleet(), project, part), { recursive: true })
        }
      }
      writeFileSync(operations(), readFileSync(operations(), "utf8").replace("@Errors(EmailTaken)", "@Errors()"))
    })

    const check = (name: string) =>
      bench.run("nix", ["build", "--no-link", "--print-build-logs", "--json", `path:${fleet()}#${name}`])

    it("a project without findings builds, and its output is the report", { timeout: BUILD }, () => {
      const { status, stdout, stderr } = check("good")
      expect(status, stderr).toBe(0)
      expect(readFileSync(join(builtPath(stdout), "report.txt"), "utf8")).toBe(CLEAN)
    })

    it("a broken project fails with its finding in the log", { timeout: BUILD }, () => {
      const { status, stderr } = check("broken")
      expect(status).toBe(1)
      expect(stderr).toContain("EFFX2201")
      expect(stderr).toContain("src/operations.ts:42:3")
    })
  })

  it("nix flake check passes", { timeout: BUILD }, () => {
    const { status, stderr } = bench.nix("flake check", "--print-build-logs")
    expect(status, stderr).toBe(0)
  })
})
