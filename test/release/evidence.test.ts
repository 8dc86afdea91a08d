/** What lies beside an archive: by the standards, complete, the same every time, and silent about whoever made it. */
import { spawnSync } from "node:child_process"
import { createHash, createPublicKey, verify } from "node:crypto"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PATHS, preAuthenticationEncoding } from "@effx/integrity"
import { Ajv } from "ajv"
import formats from "ajv-formats"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { evidence } from "../../release/evidence.ts"
import { lockedPackages } from "../../release/locks.ts"
import { releaseName, root } from "../../release/root.ts"
import { envelopeOf, signingKey } from "../../release/sign.ts"
import { REVISION, remove, type SmallRelease, smallRelease, TIME } from "./small-release.ts"

let release: SmallRelease
beforeAll(() => {
  release = smallRelease()
})
afterAll(() => remove(release))

// biome-ignore lint/suspicious/noExplicitAny: what is read is judged by the expectations below
type Json = any

const json = (text: string): Json => JSON.parse(text)
const read = (file: string): string => readFileSync(file, "utf8")
const sha256 = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex")

const statementIn = (file: string): Json => {
  const outer = json(read(file))
  return outer.payload === undefined ? outer : json(Buffer.from(outer.payload, "base64").toString())
}

describe("SHA256SUMS", () => {
  it("is what sha256sum checks: archive and SBOM", () => {
    const ended = spawnSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], {
      cwd: release.folder,
      encoding: "utf8"
    })
    expect(ended.stdout).toBe(`${releaseName}.tar.xz: OK\n${releaseName}.cdx.json: OK\n`)
  })
})

describe("the SBOM", () => {
  it("is CycloneDX 1.6 by the official schema", () => {
    const folder = join(root, "node_modules/@cyclonedx/cyclonedx-library/res/schema")
    const schema = (name: string) => json(read(join(folder, `${name}.SNAPSHOT.schema.json`)))
    const ajv = new Ajv({ strict: false, allErrors: true })
    formats.default(ajv)
    for (const format of ["iri-reference", "idn-email"]) ajv.addFormat(format, true)
    for (const part of ["spdx", "jsf-0.82", "cryptography-defs"])
      ajv.addSchema(schema(part), `http://cyclonedx.org/schema/${part}.SNAPSHOT.schema.json`)
    const validate = ajv.compile(schema("bom-1.6"))
    const sbom = json(read(release.sbom))
    expect([validate(sbom), validate.errors]).toEqual([true, null])
    expect(validate({ ...sbom, serialNumber: "1" })).toBe(false)
    expect(validate({ ...sbom, components: [{ name: "no type" }] })).toBe(false)
  })

  it("names each packed component by version, licence and package URL", () => {
    const components = json(read(release.sbom)).components.map((component: Json) => [
      component.purl,
      component.licenses[0].license.id,
      component.evidence.occurrences.map(({ location }: Json) => location)
    ])
    const version = (name: string) => json(read(join(root, "node_modules", name, "package.json"))).version
    expect(components).toEqual([
      ["pkg:generic/effx-stdio@0.1.0", "MIT", [PATHS.shim]],
      [`pkg:npm/%40effect/platform-bun@${version("@effect/platform-bun")}`, "MIT", [PATHS.program]],
      ["pkg:npm/%40effx/runtime@0.1.0", "MIT", ["npm/effx-runtime-0.1.0.tgz"]],
      ["pkg:npm/%40oven/bun-linux-x64-baseline@1.3.13", "MIT", [PATHS.runtime]],
      [
        `pkg:npm/%40typescript/typescript-linux-x64@${version("@typescript/typescript-linux-x64")}`,
        "Apache-2.0",
        [`${PATHS.libraries}/lib.d.ts`, PATHS.engine]
      ],
      [`pkg:npm/effect@${version("effect")}`, "MIT", [PATHS.program]],
      [`pkg:npm/typescript@${version("typescript")}`, "Apache-2.0", [PATHS.program]],
      ["pkg:npm/vscode-jsonrpc@9.0.2", "MIT", [PATHS.program]]
    ])
  })

  it("has the lock's digest of every package that the lock pins, and references nothing that it lacks", () => {
    const { components, dependencies } = json(read(release.sbom))
    const references = new Set(dependencies.map(({ ref }: Json) => ref))
    for (const { dependsOn } of dependencies) for (const ref of dependsOn) expect(references).toContain(ref)
    const pinned = new Map(lockedPackages().map(({ name, sha512, version }) => [`${name}@${version}`, sha512]))
    const effect = components.find(({ name }: Json) => name === "effect")
    expect(effect.hashes).toEqual([{ alg: "SHA-512", content: pinned.get(`effect@${effect.version}`) }])
  })
})

describe("the provenance", () => {
  it("is an in-toto statement of SLSA provenance about archive, inner archive, manifest, SBOM and SHA256SUMS", () => {
    const statement = statementIn(release.provenance)
    expect([statement._type, statement.predicateType]).toEqual([
      "https://in-toto.io/Statement/v1",
      "https://slsa.dev/provenance/v1"
    ])
    const tar = spawnSync("xz", ["-dc", release.archive], { maxBuffer: 1 << 24 }).stdout
    expect(Object.fromEntries(statement.subject.map(({ digest, name }: Json) => [name, digest.sha256]))).toEqual({
      SHA256SUMS: sha256(join(release.folder, "SHA256SUMS")),
      [`${releaseName}.cdx.json`]: sha256(release.sbom),
      [`${releaseName}.tar`]: createHash("sha256").update(tar).digest("hex"),
      [`${releaseName}.tar.xz`]: sha256(release.archive),
      [`${releaseName}/manifest.json`]: sha256(join(release.tree, PATHS.manifest))
    })
  })

  it("names the source, the flake's nixpkgs and the archive of every locked package as dependencies", () => {
    const [source, nixpkgs, ...packages] = statementIn(release.provenance).predicate.buildDefinition
      .resolvedDependencies
    expect(source.digest).toEqual({ gitCommit: REVISION, gitTree: "89abcdef0123456789abcdef0123456789abcdef" })
    const { narHash, rev } = json(read(join(root, "flake.lock"))).nodes.nixpkgs.locked
    expect(nixpkgs).toMatchObject({ digest: { gitCommit: rev }, annotations: { narHash } })
    const integrities = (text: string) =>
      Array.from(text.matchAll(/"sha512-([A-Za-z0-9+/=]+)"/g), ([, base64 = ""]) =>
        Buffer.from(base64, "base64").toString("hex")
      )
    const expected = new Set([
      ...integrities(read(join(root, "bun.lock"))),
      ...integrities(read(join(root, "tools/bun/package-lock.json")))
    ])
    expect(new Set(packages.map(({ digest }: Json) => digest.sha512))).toEqual(expected)
  })

  it("is signed as DSSE says, with a key that is named by its digest", () => {
    const { payload, payloadType, signatures } = json(read(release.provenance))
    const key = createPublicKey(read(release.key))
    const body = Buffer.from(payload, "base64")
    expect(Buffer.from(preAuthenticationEncoding("http://example.com/HelloWorld", Buffer.from("hello world")))).toEqual(
      Buffer.from("DSSEv1 29 http://example.com/HelloWorld 11 hello world")
    )
    const [signature] = signatures
    expect(verify(null, preAuthenticationEncoding(payloadType, body), key, Buffer.from(signature.sig, "base64"))).toBe(
      true
    )
    const spki = key.export({ type: "spki", format: "der" })
    expect(signature.keyid).toBe(createHash("sha256").update(spki).digest("hex"))
  })

  it("can be signed later, where the key is, and signed anew", () => {
    const plain = smallRelease({ signed: false })
    onTestFinished(() => remove(plain))
    const statement = read(plain.provenance).trimEnd()
    const sign = (key: string) =>
      spawnSync(process.execPath, ["--no-env-file", join(root, "release/sign.ts"), plain.provenance, key], {
        encoding: "utf8"
      })
    expect(sign(release.privateKey).status).toBe(0)
    expect(sign(plain.privateKey)).toMatchObject({ status: 0, stdout: read(plain.key) })
    expect(read(plain.provenance)).toBe(envelopeOf(statement, signingKey(plain.privateKey)))
    const refused = sign(plain.key)
    expect([refused.status, refused.stderr]).toEqual([
      1,
      `effx release: ${plain.key} is no private key in PEM; 'openssl genpkey -algorithm ed25519' makes one\n`
    ])
  })
})

describe("what lies beside an archive", () => {
  const NAMES = ["SHA256SUMS", `${releaseName}.cdx.json`, `${releaseName}.provenance.json`]

  it("is the same however often and wherever it is made", () => {
    const folder = mkdtempSync(join(tmpdir(), "effx-evidence-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    cpSync(release.folder, folder, { recursive: true })
    for (const name of NAMES) rmSync(join(folder, name))
    evidence({ folder, name: releaseName, time: TIME, key: release.privateKey })
    for (const name of NAMES) expect(read(join(folder, name))).toBe(read(join(release.folder, name)))
  })

  it("holds nothing of the environment, the arguments, a configuration or a failure", () => {
    const folder = mkdtempSync(join(tmpdir(), "effx-sentinel-argument-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    cpSync(release.folder, folder, { recursive: true })
    for (const name of NAMES) rmSync(join(folder, name))
    const home = join(folder, "home-sentinel-configuration")
    cpSync(release.tree, join(home, "x"), { recursive: true })
    writeFileSync(join(home, ".npmrc"), "//registry/:_authToken=sentinel-token\n")
    writeFileSync(join(home, ".bunfig.toml"), '[install]\nregistry = "sentinel-registry"\n')
    const script = `import { evidence } from ${JSON.stringify(join(root, "release/evidence.ts"))}
evidence({ folder: ${JSON.stringify(folder)}, name: ${JSON.stringify(releaseName)}, time: ${TIME} })`
    const file = join(root, `test/release/.sentinel-${process.pid}.ts`)
    writeFileSync(file, script)
    onTestFinished(() => rmSync(file, { force: true }))
    const ended = spawnSync(process.execPath, ["--no-env-file", file, "--token=sentinel-argument"], {
      encoding: "utf8",
      cwd: folder,
      env: {
        PATH: process.env.PATH ?? "",
        HOME: home,
        USER: "sentinel-user",
        HOSTNAME: "sentinel-host",
        NPM_TOKEN: "sentinel-secret",
        CFLAGS: "-Dsentinel-flags"
      }
    })
    expect([ended.status, ended.stderr]).toEqual([0, ""])
    for (const name of NAMES) {
      const text = read(join(folder, name))
      expect(text + JSON.stringify(name.includes("provenance") ? statementIn(join(folder, name)) : "")).not.toMatch(
        /sentinel|\/tmp\/|\/home\/|\/root\//
      )
      expect(text).not.toContain(root)
    }
  })

  it("refuses an archive that was not packed from the tree beside it, and a key that is none", () => {
    const folder = mkdtempSync(join(tmpdir(), "effx-evidence-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    cpSync(release.folder, folder, { recursive: true })
    const run = (...more: ReadonlyArray<string>) =>
      spawnSync(process.execPath, ["--no-env-file", join(root, "release/evidence.ts"), folder, ...more], {
        encoding: "utf8",
        env: { ...process.env, SOURCE_DATE_EPOCH: String(TIME) }
      })
    const notKey = join(folder, "SHA256SUMS")
    expect(run(notKey).stderr).toContain(`${notKey} is no private key in PEM`)
    writeFileSync(join(folder, releaseName, PATHS.manifest), "{}\n")
    const ended = run()
    expect([ended.status, ended.stderr]).toEqual([
      1,
      `effx release: ${join(folder, `${releaseName}.tar.xz`)} was not packed from ${join(folder, releaseName)}\n`
    ])
  })
})
