/** `effx verify` of a release with its provenance and SBOM, by the packed program: what it says, its exit codes, its misuse. */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { releaseName } from "../../release/root.ts"
import { FILES, REVISION, remove, type SmallRelease, smallRelease } from "../release/small-release.ts"
import { copyFixture, run, temporaryFolder } from "./effx.ts"

let release: SmallRelease
beforeAll(() => {
  release = smallRelease()
})
afterAll(() => remove(release))

const bytes = Object.values(FILES).reduce((sum, content) => sum + Buffer.byteLength(content), 0)
const count = Object.keys(FILES).length

const verify = (...args: ReadonlyArray<string>) => run(["verify", ...args], { cwd: release.folder })
const BESIDE = ["--provenance", `${releaseName}.provenance.json`, "--sbom", `${releaseName}.cdx.json`] as const

const keyId = (): string => JSON.parse(readFileSync(release.provenance, "utf8")).signatures[0].keyid

describe("a release that is signed", () => {
  it("is proved packed and unpacked, by paths from the working directory", async () => {
    for (const [path, place] of [
      [`${releaseName}.tar.xz`, release.archive],
      [releaseName, release.tree]
    ] as const) {
      expect(await verify(path, ...BESIDE, "--key", "releaser.pub.pem")).toMatchObject({
        code: 0,
        stdout: `${place}: ${count} files, ${bytes} bytes, all as released of effx 0.1.0, commit ${REVISION}\nsigned by the key ${keyId()}\n`,
        stderr: ""
      })
    }
  })

  it("is proved for programs", async () => {
    const { code, stdout } = await verify(
      `${releaseName}.tar.xz`,
      ...BESIDE,
      "--key",
      "releaser.pub.pem",
      "--format",
      "json"
    )
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        schema: "effx.verify.v1",
        ok: true,
        top: release.archive,
        version: "0.1.0",
        revision: REVISION,
        files: count,
        bytes,
        problems: [],
        provenance: { signed: true, keyId: keyId(), builder: "urn:effx:builder:self" }
      }
    ])
  })

  it("is refused with the cause, what was expected and what was found", async () => {
    const changed = join(release.folder, "changed.tar.xz")
    writeFileSync(changed, Buffer.concat([readFileSync(release.archive), Buffer.from([0])]))
    const { code, stdout } = await verify("changed.tar.xz", ...BESIDE, "--key", "releaser.pub.pem")
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(
        /^archive-changed {2}.*changed\.tar\.xz: expected an archive whose SHA-256 is a subject of .*, found [0-9a-f]{64}\n.*: refused, 1 problem\n$/
      )
    ])
    const { stdout: json } = await verify("changed.tar.xz", ...BESIDE, "--key", "releaser.pub.pem", "--format", "json")
    expect(JSON.parse(json)).toMatchObject({ ok: false, problems: [{ cause: "archive-changed" }] })
  })

  it("is not taken without its key", async () => {
    const { code, stdout } = await verify(`${releaseName}.tar.xz`, ...BESIDE)
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^key-missing {2}/)])
  })
})

it("a release that is not signed is taken where one says so, and what that means is said", async () => {
  const plain = smallRelease({ signed: false })
  try {
    const files = [plain.archive, "--provenance", plain.provenance, "--sbom", plain.sbom] as const
    expect(await verify(...files)).toMatchObject({ code: 1, stdout: expect.stringMatching(/^unsigned {2}/) })
    expect(await verify(...files, "--unsigned")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\nnot signed: this proves that the files belong together, not who made them\n$/)
    })
  } finally {
    remove(plain)
  }
})

describe("misuse is one line", () => {
  it.each<readonly [string, ReadonlyArray<string>, RegExp]>([
    [
      "an archive alone",
      [`${releaseName}.tar.xz`],
      /is no folder; an archive is proved by the files beside it: effx verify ARCHIVE --provenance FILE --sbom FILE/
    ],
    ["a provenance alone", [releaseName, "--provenance", "x"], /--provenance FILE and --sbom FILE together/],
    ["a key alone", [releaseName, "--key", "x"], /--provenance FILE and --sbom FILE together/],
    ["a key and --unsigned", [releaseName, ...BESIDE, "--key", "x", "--unsigned"], /exclude each other/]
  ])("%s", async (_, args, line) => {
    const { code, stderr, stdout } = await verify(...args)
    expect([code, stdout, stderr.trimEnd().split("\n").length]).toEqual([2, "", 1])
    expect(stderr).toMatch(line)
  })
})

it("what is beside the archive is what sha256sum checks", () => {
  expect(spawnSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: release.folder }).status).toBe(0)
})

it("a build's manifest holds nothing of the environment, the arguments or the config", async () => {
  const folder = copyFixture("users", temporaryFolder(), "users")
  const config = join(folder, "effx.config.ts")
  writeFileSync(config, 'export const note = "sentinel-of-the-config"\nexport default { emit: "contract" }\n')
  const env = { SECRET_TOKEN: "sentinel-of-the-environment" }
  const { code, stderr } = await run(["build", "--config", "./../users/effx.config.ts"], { cwd: folder, env })
  expect([code, stderr]).toEqual([0, ""])
  const manifest = readFileSync(join(folder, ".effx/manifest.json"), "utf8")
  expect(manifest).not.toMatch(/sentinel|\/\.\.\/users|SECRET_TOKEN/)
  expect(manifest).not.toContain(folder)
})
