/** A release of a few bytes with the places of a real one, packed, described and signed by the release's own steps. */
import { spawnSync } from "node:child_process"
import { createHash, generateKeyPairSync } from "node:crypto"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { encodeManifest, fileClassOf, MANIFEST_FORMAT, type Manifest, PATHS, TARGET } from "@effx/integrity"
import { evidence } from "../../release/evidence.ts"
import { releaseName, version } from "../../release/root.ts"
import { writeTar } from "../../release/tar.ts"

const installed = (name: string): string =>
  JSON.parse(readFileSync(join(import.meta.dirname, "../../node_modules", name, "package.json"), "utf8")).version

const PROGRAM = `// @bun
// node_modules/effect/dist/Effect.js
var one = 1;
// node_modules/@effect/platform-bun/dist/BunRuntime.js
var two = 2;
// node_modules/typescript/vendor/vscode-jsonrpc/lib/common/api.js
var three = 3;
// src/cli/program.ts
`

/** The files of a small release by their paths. */
export const FILES: Readonly<Record<string, string>> = {
  [PATHS.launcher]: "#!/bin/sh\n",
  [PATHS.runtime]: "bun",
  [PATHS.main]: "// @bun\n// src/cli/main.ts\n",
  [PATHS.program]: PROGRAM,
  [PATHS.emptyConfig]: "",
  [PATHS.emptyProject]: "{}\n",
  [PATHS.worker]: "// @bun\n// src/stdio/io-worker.ts\n",
  [PATHS.shim]: "shim",
  [PATHS.engine]: "tsc",
  [`${PATHS.libraries}/lib.d.ts`]: "interface Array<T> {}\n",
  "npm/effx-runtime-0.1.0.tgz": "packed",
  [`share/doc/effx/${"deep/".repeat(20)}page.html`]: "<!doctype html>\n",
  LICENSE: "MIT\n"
}

const EXECUTABLE: ReadonlySet<string> = new Set([PATHS.launcher, PATHS.runtime, PATHS.engine])

export const REVISION = "0123456789abcdef0123456789abcdef01234567"
export const TIME = 1_796_000_000

const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

export interface SmallRelease {
  readonly folder: string
  readonly tree: string
  readonly archive: string
  readonly sbom: string
  readonly provenance: string
  /** The public key; its private key signed the provenance unless it was to be plain. */
  readonly key: string
  readonly privateKey: string
}

export interface SmallOptions {
  readonly files?: Readonly<Record<string, string>>
  readonly signed?: boolean
  readonly revision?: string
}

/** Writes a key pair; returns the files of the public and the private one. */
export const keyPair = (folder: string, name: string): { readonly key: string; readonly privateKey: string } => {
  const pair = generateKeyPairSync("ed25519")
  const [key, privateKey] = [join(folder, `${name}.pub.pem`), join(folder, `${name}.pem`)]
  writeFileSync(key, pair.publicKey.export({ type: "spki", format: "pem" }))
  writeFileSync(privateKey, pair.privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 })
  return { key, privateKey }
}

const place = (tree: string, files: Readonly<Record<string, string>>, revision: string): void => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), content)
    chmodSync(join(tree, path), EXECUTABLE.has(path) ? 0o755 : 0o644)
  }
  const manifest: Manifest = {
    components: { bun: "1.3.13", effect: installed("effect"), typescript: installed("typescript") },
    files: Object.keys(files)
      .sort()
      .map((path) => ({
        class: fileClassOf(path) ?? "rest",
        mode: EXECUTABLE.has(path) ? "755" : "644",
        path,
        sha256: sha256(files[path] ?? ""),
        size: Buffer.byteLength(files[path] ?? "")
      })),
    format: MANIFEST_FORMAT,
    glibcFloor: "2.2.5",
    source: { revision, tree: "89abcdef0123456789abcdef0123456789abcdef" },
    target: TARGET,
    toolchain: { compiler: "gcc 12.2.0", headers: "glibc 2.36" },
    version
  }
  writeFileSync(join(tree, PATHS.manifest), encodeManifest(manifest))
}

/** Compresses as a release is, but for the effort. */
export const compress = (tar: string): string => {
  const ended = spawnSync("xz", ["--force", "--keep", "--check=crc64", "--x86", "--lzma2=preset=0,dict=192MiB", tar])
  if (ended.status !== 0) throw new Error(String(ended.stderr))
  return `${tar}.xz`
}

/** Makes a small release in a folder of its own; `remove` it at the end. */
export const smallRelease = ({
  files = FILES,
  revision = REVISION,
  signed = true
}: SmallOptions = {}): SmallRelease => {
  const folder = mkdtempSync(join(tmpdir(), "effx small 'release' é-"))
  const tree = join(folder, releaseName)
  place(tree, files, revision)
  const tar = join(folder, `${releaseName}.tar`)
  writeTar(tree, releaseName, TIME, tar)
  const archive = compress(tar)
  rmSync(tar)
  const keys = keyPair(folder, "releaser")
  evidence({ folder, name: releaseName, time: TIME, key: signed ? keys.privateKey : undefined })
  return {
    folder,
    tree,
    archive,
    sbom: join(folder, `${releaseName}.cdx.json`),
    provenance: join(folder, `${releaseName}.provenance.json`),
    ...keys
  }
}

export const remove = ({ folder }: SmallRelease): void => rmSync(folder, { recursive: true, force: true })
