/**
 * A release is proved before it is unpacked, and what is wrong is refused by name. Each case is also given to the independent verifier
 * (test/conformance/verify-release.mjs), which must agree.
 */
import { spawnSync } from "node:child_process"
import { createHash, generateKeyPairSync } from "node:crypto"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { expect, it } from "@effect/vitest"
import { CAUSES, type Cause, PATHS, type ReleaseFiles, verifyRelease } from "@effx/integrity"
import { Effect, Schema } from "effect"
import { afterAll, beforeAll, describe } from "vitest"
import { releaseName } from "../../release/root.ts"
import { envelopeOf, signingKey } from "../../release/sign.ts"
import { LIMITS } from "../../src/integrity/limits.ts"
import { independently } from "../conformance/independent.ts"
import { compress, FILES, remove, type SmallRelease, smallRelease } from "../release/small-release.ts"

// biome-ignore lint/suspicious/noExplicitAny: documents are damaged in ways that no type allows
type Json = any

let good: SmallRelease
let plain: SmallRelease
let other: SmallRelease
let folder = ""

beforeAll(() => {
  good = smallRelease()
  plain = smallRelease({ signed: false })
  other = smallRelease({
    files: { ...FILES, "share/doc/effx/index.html": "<!doctype html>\n" },
    revision: "f".repeat(40)
  })
  folder = mkdtempSync(join(tmpdir(), "effx refused-"))
})
afterAll(() => {
  for (const release of [good, plain, other]) remove(release)
  rmSync(folder, { recursive: true, force: true })
})

let count = 0
const fileOf = (content: string | Uint8Array, name = "file"): string => {
  const file = join(folder, `${++count}-${name}`)
  writeFileSync(file, content)
  return file
}

const json = (file: string): Json => JSON.parse(readFileSync(file, "utf8"))
const sha256 = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex")

const filesOf = ({ archive, key, provenance, sbom }: SmallRelease): ReleaseFiles => ({
  release: archive,
  provenance,
  sbom,
  trust: { key }
})

const verify = (files: ReleaseFiles) => Effect.runPromise(verifyRelease(files))
const causesOf = async (files: ReleaseFiles): Promise<ReadonlyArray<Cause>> => [
  ...new Set((await verify(files)).refusals.map(({ cause }) => cause))
]

/** What the independent verifier says. */
const otherwise = ({ provenance, release, sbom, trust }: ReleaseFiles) =>
  independently(
    release,
    provenance,
    sbom,
    trust === "unsigned" ? "--unsigned" : trust === "none" ? "/dev/null" : trust.key
  )

const statement = (): Json => JSON.parse(Buffer.from(json(good.provenance).payload, "base64").toString())

/** The good release's files, with a statement that was changed and then signed again by the same releaser. */
const restated = (change: (statement: Json) => void): ReleaseFiles => {
  const value = statement()
  change(value)
  return {
    ...filesOf(good),
    provenance: fileOf(envelopeOf(JSON.stringify(value), signingKey(good.privateKey)), "provenance.json")
  }
}

/** The same with an envelope that was changed and not signed again. */
const enveloped = (change: (envelope: Json) => void): ReleaseFiles => {
  const envelope = json(good.provenance)
  change(envelope)
  return { ...filesOf(good), provenance: fileOf(JSON.stringify(envelope), "provenance.json") }
}

const subject = (value: Json, ending: string): Json => value.subject.find(({ name }: Json) => name.endsWith(ending))

/** The same with another SBOM that the releaser signed for. */
const described = (change: (sbom: Json) => void): ReleaseFiles => {
  const value = json(good.sbom)
  change(value)
  const sbom = fileOf(JSON.stringify(value), "cdx.json")
  return {
    ...restated((stated) => {
      subject(stated, ".cdx.json").digest.sha256 = sha256(sbom)
    }),
    sbom
  }
}

const component = (sbom: Json, name: string): Json => sbom.components.find((entry: Json) => entry.name === name)
const without = (sbom: Json, name: string): void => {
  sbom.components = sbom.components.filter((entry: Json) => entry.name !== name)
}

/** The same with another archive that the releaser signed for, packed by the system's tar after a change of the tree. */
const repacked = (change: (tree: string) => void): ReleaseFiles => {
  const place = mkdtempSync(join(folder, "repacked-"))
  const tree = join(place, releaseName)
  cpSync(good.tree, tree, { recursive: true })
  change(tree)
  const tar = join(place, `${releaseName}.tar`)
  const flags = ["--format=ustar", "--sort=name", "--owner=0", "--group=0", "--mode=u=rwX,go=rX"]
  const ended = spawnSync("tar", [...flags, "-cf", tar, "-C", place, releaseName])
  if (ended.status !== 0) throw new Error(String(ended.stderr))
  const archive = compress(tar)
  const sbom = json(good.sbom)
  sbom.metadata.component.hashes[0].content = sha256(archive)
  const sbomFile = fileOf(JSON.stringify(sbom), "cdx.json")
  return {
    ...restated((stated) => {
      subject(stated, ".tar").digest.sha256 = sha256(tar)
      subject(stated, ".tar.xz").digest.sha256 = sha256(archive)
      subject(stated, ".cdx.json").digest.sha256 = sha256(sbomFile)
    }),
    release: archive,
    sbom: sbomFile
  }
}

const flipped = (file: string, at: number): string => {
  const bytes = readFileSync(file)
  const place = at < 0 ? bytes.length + at : at
  bytes[place] = (bytes[place] ?? 0) ^ 1
  return fileOf(bytes, basename(file))
}

describe("a release is accepted", () => {
  it.each<readonly [string, () => ReleaseFiles]>([
    ["signed by the key", () => filesOf(good)],
    ["unsigned, where its reader says so", () => ({ ...filesOf(plain), trust: "unsigned" })],
    [
      "with an envelope that ends without a line break and names no key",
      () =>
        enveloped((envelope) => {
          delete envelope.signatures[0].keyid
        })
    ],
    ["under another name", () => ({ ...filesOf(good), release: fileOf(readFileSync(good.archive), "renamed.bin") })],
    [
      "with fields that a later version of the specifications may add",
      () =>
        restated((value) => {
          value.later = true
          value.predicate.runDetails.later = { more: 1 }
        })
    ]
  ])("%s", async (_, make) => {
    const files = make()
    expect(await verify(files)).toMatchObject({ refusals: [], files: Object.keys(FILES).length })
    expect(otherwise(files)).toMatchObject({ status: 0, stderr: "" })
  })

  it("unpacked too, and as the inner archive", async () => {
    const tar = fileOf(spawnSync("xz", ["-dc", good.archive], { maxBuffer: 1 << 24 }).stdout, "release.tar")
    for (const release of [good.tree, tar]) {
      expect(await verify({ ...filesOf(good), release })).toMatchObject({
        refusals: [],
        files: Object.keys(FILES).length
      })
    }
  })
})

const REFUSED: ReadonlyArray<readonly [title: string, cause: Cause, make: () => ReleaseFiles]> = [
  ["a changed archive", "archive-changed", () => ({ ...filesOf(good), release: flipped(good.archive, 900) })],
  [
    "an archive with a byte behind it",
    "archive-changed",
    () => ({ ...filesOf(good), release: fileOf(Buffer.concat([readFileSync(good.archive), Buffer.from("\0")])) })
  ],
  ["the archive of another release", "archive-changed", () => ({ ...filesOf(good), release: other.archive })],
  [
    "an archive without end",
    "archive-changed",
    () => {
      const file = fileOf(readFileSync(good.archive))
      truncateSync(file, 1_000)
      return { ...filesOf(good), release: file }
    }
  ],
  [
    "a swapped provenance",
    "provenance-foreign",
    () => ({ ...filesOf(good), provenance: other.provenance, trust: { key: other.key } })
  ],
  [
    "a provenance of another commit",
    "provenance-foreign",
    () =>
      restated((value) => {
        value.predicate.buildDefinition.externalParameters.source.revision = "e".repeat(40)
      })
  ],
  [
    "a provenance of another tree",
    "provenance-foreign",
    () =>
      restated((value) => {
        value.predicate.buildDefinition.externalParameters.source.tree = "e".repeat(40)
      })
  ],
  [
    "a provenance of another version",
    "provenance-foreign",
    () =>
      restated((value) => {
        value.predicate.buildDefinition.externalParameters.version = "9.9.9"
      })
  ],
  [
    "a provenance without its source among the dependencies",
    "provenance-foreign",
    () =>
      restated((value) => {
        value.predicate.buildDefinition.resolvedDependencies.shift()
      })
  ],
  [
    "a provenance that knows no archive",
    "provenance-malformed",
    () =>
      restated((value) => {
        value.subject = []
      })
  ],
  [
    "a subject twice",
    "provenance-malformed",
    () =>
      restated((value) => {
        value.subject.push(value.subject[0])
      })
  ],
  ["a wrong key", "key-wrong", () => ({ ...filesOf(good), trust: { key: other.key } })],
  [
    "a private key instead of a public one",
    "key-malformed",
    () => ({ ...filesOf(good), trust: { key: good.privateKey } })
  ],
  [
    "an RSA key",
    "key-malformed",
    () => ({
      ...filesOf(good),
      trust: {
        key: fileOf(
          generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ type: "spki", format: "pem" })
        )
      }
    })
  ],
  [
    "a key that is none",
    "key-malformed",
    () => ({ ...filesOf(good), trust: { key: fileOf("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n") } })
  ],
  [
    "a missing signature",
    "signature-missing",
    () =>
      enveloped((envelope) => {
        envelope.signatures = []
      })
  ],
  [
    "the same signature twice",
    "signature-double",
    () =>
      enveloped((envelope) => {
        envelope.signatures.push(envelope.signatures[0])
      })
  ],
  [
    "a second signature by somebody else",
    "signature-double",
    () =>
      enveloped((envelope) => {
        envelope.signatures.push(json(other.provenance).signatures[0])
      })
  ],
  [
    "a changed signature",
    "signature-wrong",
    () =>
      enveloped((envelope) => {
        const sig = Buffer.from(envelope.signatures[0].sig, "base64")
        sig[7] = (sig[7] ?? 0) ^ 1
        envelope.signatures[0].sig = sig.toString("base64")
      })
  ],
  [
    "a short signature",
    "signature-malformed",
    () =>
      enveloped((envelope) => {
        envelope.signatures[0].sig = "AAAA"
      })
  ],
  [
    "a payload that was changed after it was signed",
    "signature-wrong",
    () =>
      enveloped((envelope) => {
        const value = statement()
        value.predicate.runDetails.builder.id = "x"
        envelope.payload = Buffer.from(JSON.stringify(value)).toString("base64")
      })
  ],
  [
    "the signature of another statement",
    "key-wrong",
    () =>
      enveloped((envelope) => {
        envelope.signatures = json(other.provenance).signatures
      })
  ],
  [
    "an unknown payload type",
    "payload-type-unknown",
    () =>
      enveloped((envelope) => {
        envelope.payloadType = "application/json"
      })
  ],
  [
    "an unknown _type",
    "type-unknown",
    () =>
      restated((value) => {
        value._type = "https://in-toto.io/Statement/v0.1"
      })
  ],
  [
    "an unknown predicateType",
    "predicate-type-unknown",
    () =>
      restated((value) => {
        value.predicateType = "https://slsa.dev/provenance/v0.2"
      })
  ],
  [
    "an unknown build type",
    "build-type-unknown",
    () =>
      restated((value) => {
        value.predicate.buildDefinition.buildType = "urn:effx:release:v2"
      })
  ],
  [
    "an unknown builder",
    "builder-unknown",
    () =>
      restated((value) => {
        value.predicate.runDetails.builder.id = "urn:effx:builder:other"
      })
  ],
  [
    "an unknown external parameter",
    "parameter-unknown",
    () =>
      restated((value) => {
        value.predicate.buildDefinition.externalParameters.patch = "x"
      })
  ],
  [
    "an unknown external parameter of the source",
    "parameter-unknown",
    () =>
      restated((value) => {
        value.predicate.buildDefinition.externalParameters.source.ref = "x"
      })
  ],
  [
    "a missing external parameter",
    "parameter-unknown",
    () =>
      restated((value) => {
        delete value.predicate.buildDefinition.externalParameters.version
      })
  ],
  [
    "a statement with a key twice",
    "provenance-malformed",
    () => ({
      ...filesOf(good),
      provenance: fileOf(
        envelopeOf(JSON.stringify(statement()).replace("{", '{"_type":"x",'), signingKey(good.privateKey))
      )
    })
  ],
  [
    "an envelope with a key twice",
    "provenance-malformed",
    () => ({
      ...filesOf(good),
      provenance: fileOf(readFileSync(good.provenance, "utf8").replace("{", '{"payloadType":"x",'))
    })
  ],
  ["a provenance that is empty", "provenance-malformed", () => ({ ...filesOf(good), provenance: fileOf("") })],
  [
    "a provenance that is something else",
    "provenance-malformed",
    () => ({ ...filesOf(good), provenance: good.archive })
  ],
  ["an SBOM whose digest is no subject", "sbom-foreign", () => ({ ...filesOf(good), sbom: flipped(good.sbom, -3) })],
  ["the SBOM of another release", "sbom-foreign", () => ({ ...filesOf(good), sbom: other.sbom })],
  ["an SBOM that misses a bundled package", "sbom-incomplete", () => described((sbom) => without(sbom, "effect"))],
  ["an SBOM that misses a scoped package", "sbom-incomplete", () => described((sbom) => without(sbom, "platform-bun"))],
  [
    "an SBOM that misses what a package vendors",
    "sbom-incomplete",
    () => described((sbom) => without(sbom, "vscode-jsonrpc"))
  ],
  [
    "an SBOM that misses the runtime",
    "sbom-incomplete",
    () => described((sbom) => without(sbom, "bun-linux-x64-baseline"))
  ],
  [
    "an SBOM that misses the engine",
    "sbom-incomplete",
    () => described((sbom) => without(sbom, "typescript-linux-x64"))
  ],
  ["an SBOM that misses the shim", "sbom-incomplete", () => described((sbom) => without(sbom, "effx-stdio"))],
  ["an SBOM that misses a packed npm archive", "sbom-incomplete", () => described((sbom) => without(sbom, "runtime"))],
  [
    "an SBOM that misses a file of effx itself",
    "sbom-incomplete",
    () =>
      described((sbom) => {
        sbom.metadata.component.evidence.occurrences.shift()
      })
  ],
  [
    "an SBOM with a package in another bundle",
    "sbom-incomplete",
    () =>
      described((sbom) => {
        component(sbom, "effect").evidence.occurrences = [{ location: PATHS.worker }]
      })
  ],
  [
    "an SBOM with a file that is not there",
    "sbom-wrong",
    () =>
      described((sbom) => {
        sbom.metadata.component.evidence.occurrences.push({ location: "bin/other" })
      })
  ],
  [
    "an SBOM with a component that is nowhere",
    "sbom-wrong",
    () =>
      described((sbom) => {
        sbom.components.push({ type: "library", name: "left-pad", version: "1.3.0" })
      })
  ],
  [
    "an SBOM with another digest",
    "sbom-wrong",
    () =>
      described((sbom) => {
        component(sbom, "effx-stdio").hashes[0].content = "0".repeat(64)
      })
  ],
  [
    "an SBOM of another archive",
    "sbom-wrong",
    () =>
      described((sbom) => {
        sbom.metadata.component.hashes[0].content = "0".repeat(64)
      })
  ],
  [
    "an SBOM with another version of Bun",
    "sbom-wrong",
    () =>
      described((sbom) => {
        component(sbom, "bun-linux-x64-baseline").version = "1.3.12"
      })
  ],
  [
    "an SBOM that is something else",
    "sbom-malformed",
    () =>
      described((sbom) => {
        sbom.bomFormat = "SPDX"
      })
  ],
  ["an unsigned statement where a key is given", "unsigned", () => ({ ...filesOf(plain), trust: { key: plain.key } })],
  ["an unsigned statement without --unsigned", "unsigned", () => ({ ...filesOf(plain), trust: "none" })],
  ["a signed statement as an unsigned one", "key-missing", () => ({ ...filesOf(good), trust: "unsigned" })],
  ["a signed statement without a key", "key-missing", () => ({ ...filesOf(good), trust: "none" })],
  [
    "a changed file in an archive that was signed",
    "contents-changed",
    () => repacked((tree) => writeFileSync(join(tree, PATHS.shim), "shIm"))
  ],
  [
    "a longer file in an archive that was signed",
    "contents-changed",
    () => repacked((tree) => writeFileSync(join(tree, PATHS.worker), "// @bun\n// longer than it was before\n"))
  ],
  [
    "a missing file in an archive that was signed",
    "contents-changed",
    () => repacked((tree) => rmSync(join(tree, PATHS.worker)))
  ],
  [
    "an added file in an archive that was signed",
    "contents-changed",
    () => repacked((tree) => writeFileSync(join(tree, "lib/effx/more.js"), ""))
  ],
  [
    "a manifest that is none",
    "contents-changed",
    () => repacked((tree) => writeFileSync(join(tree, PATHS.manifest), "{}\n"))
  ],
  [
    "a symbolic link in an archive that was signed",
    "archive-malformed",
    () =>
      repacked((tree) => {
        rmSync(join(tree, PATHS.worker))
        symlinkSync("main.js", join(tree, PATHS.worker))
      })
  ],
  ["a missing provenance", "unreadable", () => ({ ...filesOf(good), provenance: join(folder, "none") })],
  ["a missing SBOM", "unreadable", () => ({ ...filesOf(good), sbom: join(folder, "none") })],
  ["a missing archive", "unreadable", () => ({ ...filesOf(good), release: join(folder, "none") })],
  ["a missing key", "unreadable", () => ({ ...filesOf(good), trust: { key: join(folder, "none") } })]
]

describe("refused by name, and by the independent verifier too", () => {
  it.each(REFUSED)("%s: %s", async (_, cause, make) => {
    const files = make()
    const causes = await causesOf(files)
    expect(causes).toContain(cause)
    const { status, stderr } = otherwise(files)
    expect([status, stderr.startsWith("refused: ")]).toEqual([1, true])
  })

  it("every cause is explained to the reader", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/verify.md"), "utf8")
    for (const [cause, meaning] of Object.entries(CAUSES)) expect(page).toContain(`| \`${cause}\` | ${meaning} |`)
  })

  it("every cause has a case", () => {
    const seen = new Set(REFUSED.map(([, cause]) => cause))
    expect(Object.keys(CAUSES).filter((cause) => !seen.has(cause as Cause))).toEqual([])
  })
})

describe("an unpacked release", () => {
  it("is refused by the file's name when a file was changed, and by the provenance when the manifest was", async () => {
    const tree = join(mkdtempSync(join(folder, "tree-")), releaseName)
    cpSync(good.tree, tree, { recursive: true })
    writeFileSync(join(tree, PATHS.shim), "shIm")
    const { refusals } = await verify({ ...filesOf(good), release: tree })
    expect(refusals.map(({ cause, path }) => [cause, path])).toEqual([["contents-changed", PATHS.shim]])
    expect(await causesOf({ ...filesOf(good), release: other.tree })).toEqual(["provenance-foreign"])
  })
})

it("reads nothing of an archive before its digest is proved: xz never sees it", async () => {
  const broken = fileOf(Buffer.concat([Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]), Buffer.alloc(1 << 16, 1)]))
  expect(await causesOf({ ...filesOf(good), release: broken })).toEqual(["archive-changed"])
  // The same bytes, signed for by the releaser, are given to xz, which says what it thinks of them.
  const signed = restated((value) => {
    subject(value, ".tar.xz").digest.sha256 = sha256(broken)
  })
  const { refusals } = await verify({ ...signed, release: broken })
  expect(refusals.map(({ cause }) => cause)).toEqual(["archive-malformed"])
})

describe("bounds of what is read", () => {
  const sized = (size: number): string => {
    const file = fileOf("")
    truncateSync(file, size)
    return file
  }
  const one = async (files: ReleaseFiles) => (await verify(files)).refusals.map(({ cause, found }) => [cause, found])

  it.each<readonly [string, number, (file: string) => ReleaseFiles, Cause]>([
    [
      "a provenance",
      LIMITS.provenanceBytes,
      (provenance) => ({ ...filesOf(good), provenance }),
      "provenance-malformed"
    ],
    ["an SBOM", LIMITS.sbomBytes, (sbom) => ({ ...filesOf(good), sbom }), "sbom-foreign"],
    ["a key", LIMITS.keyBytes, (key) => ({ ...filesOf(good), trust: { key } }), "key-malformed"],
    ["an archive", LIMITS.unpackedBytes, (release) => ({ ...filesOf(good), release }), "archive-changed"]
  ])("%s of %d bytes is looked at, and one of a byte more is not", async (_, most, files, cause) => {
    expect(await causesOf(files(sized(most)))).toEqual([cause])
    expect(await one(files(sized(most + 1)))).toEqual([["unreadable", "more"]])
  })

  it.each<readonly [string, number, (value: Json, count: number) => void]>([
    [
      "subjects",
      LIMITS.subjects,
      (value, count) => {
        for (let at = value.subject.length; at < count; at++) {
          value.subject.push({ name: String(at), digest: { sha256: "0".repeat(64) } })
        }
      }
    ],
    [
      "dependencies",
      LIMITS.resolvedDependencies,
      (value, count) => {
        const list = value.predicate.buildDefinition.resolvedDependencies
        for (let at = list.length; at < count; at++) list.push({ name: String(at) })
      }
    ]
  ])("%s: %d are taken, and one more is refused", async (_, most, fill) => {
    expect(await causesOf(restated((value) => fill(value, most)))).toEqual([])
    expect(await causesOf(restated((value) => fill(value, most + 1)))).toEqual(["provenance-malformed"])
  })
})

describe("whatever is damaged, the answer is a refusal and never a crash", () => {
  const Byte = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
  const Place = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))
  const changes = Schema.Array(Schema.Tuple([Place, Byte])).check(Schema.isMinLength(1), Schema.isMaxLength(4))
  type Changes = Schema.Schema.Type<typeof changes>

  const damaged = (from: Buffer, made: Changes): Buffer => {
    const copy = Buffer.from(from)
    for (const [place, value] of made) copy[place % copy.length] = value
    return copy
  }

  /** Whether two envelopes differ in nothing but the key's id, which nobody signs. */
  const differOnlyInId = (a: Buffer, b: Buffer): boolean => {
    const rest = (bytes: Buffer) => bytes.toString("latin1").replace(/"keyid":"[^"]*"/, "")
    return a.length === b.length && rest(a) === rest(b)
  }

  const law = (title: string, file: () => string, files: (damagedFile: string) => ReleaseFiles): void =>
    it.effect.prop(
      title,
      { changes },
      (given) =>
        Effect.gen(function* () {
          const before = readFileSync(file())
          const after = damaged(before, given.changes)
          if (before.equals(after) || differOnlyInId(before, after)) return
          const { refusals } = yield* verifyRelease(files(fileOf(after)))
          expect(refusals.length).toBeGreaterThan(0)
          for (const { cause } of refusals) expect(CAUSES).toHaveProperty(cause)
        }),
      { arbitrary: { runs: 60 } }
    )

  law(
    "bytes of an envelope",
    () => good.provenance,
    (provenance) => ({ ...filesOf(good), provenance })
  )
  law(
    "bytes of an SBOM",
    () => good.sbom,
    (sbom) => ({ ...filesOf(good), sbom })
  )
  law(
    "bytes of an archive",
    () => good.archive,
    (release) => ({ ...filesOf(good), release })
  )

  it.effect.prop(
    "any JSON as a statement, signed or not, and as an SBOM that is signed for",
    { value: Schema.Json },
    ({ value }) =>
      Effect.gen(function* () {
        const text = JSON.stringify(value)
        const sbom = fileOf(text)
        const stated = restated((statement) => {
          subject(statement, ".cdx.json").digest.sha256 = sha256(sbom)
        })
        const all: ReadonlyArray<ReleaseFiles> = [
          { ...filesOf(good), provenance: fileOf(envelopeOf(text, signingKey(good.privateKey))) },
          { ...filesOf(good), provenance: fileOf(text) },
          { ...filesOf(good), provenance: fileOf(text), trust: "unsigned" },
          { ...stated, sbom }
        ]
        for (const files of all) expect((yield* verifyRelease(files)).refusals.length).toBeGreaterThan(0)
      }),
    { arbitrary: { runs: 40 } }
  )

  it("a statement with any of its values replaced", async () => {
    const paths: Array<ReadonlyArray<string | number>> = []
    const walk = (value: Json, path: ReadonlyArray<string | number>): void => {
      if (path.length > 0 && path.length < 6) paths.push(path)
      if (typeof value !== "object" || value === null) return
      // The dependencies are many and alike.
      for (const key of Object.keys(value).slice(0, 6)) walk(value[key], [...path, key])
    }
    walk(statement(), [])
    for (const replacement of [null, 0, "x", [], {}]) {
      for (const path of paths) {
        const files = restated((value) => {
          const parent = path.slice(0, -1).reduce((at: Json, key) => at[key], value)
          parent[path.at(-1) ?? ""] = replacement
        })
        for (const { cause } of (await verify(files)).refusals) expect(CAUSES).toHaveProperty(cause)
      }
    }
  })
})
