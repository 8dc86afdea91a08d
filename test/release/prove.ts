/** Proves a packed release as its users would: with the packed program, and with a verifier that shares no code with it. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { hostname, tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { releaseName, root } from "../../release/root.ts"
import { independently } from "../conformance/independent.ts"
import { keyPair } from "./small-release.ts"

export interface Proof {
  /** Exit codes of `effx verify` and of the independent verifier for each file that they were given. */
  readonly codes: Readonly<
    Record<"good" | "changed archive" | "wrong key" | "no key", readonly [effx: number, other: number]>
  >
  /** What `effx verify` said of the good files. */
  readonly said: string
  /** Evidence that names the machine, the user, a place or anything of the environment, by file. */
  readonly indiscreet: ReadonlyArray<string>
}

const SENTINEL = "sentinel-of-the-environment"

/**
 * Makes what lies beside an archive, and verifies both.
 *
 * @param folder has the archive and the tree that it was packed from
 * @param commit what the build was told of its commit
 */
export const prove = (folder: string, commit: Readonly<Record<string, string>>): Proof => {
  const keys = mkdtempSync(join(tmpdir(), "effx-keys-"))
  try {
    const releaser = keyPair(keys, "releaser")
    const stranger = keyPair(keys, "stranger")
    const env = { PATH: process.env.PATH ?? "", HOME: keys, NPM_TOKEN: SENTINEL, EFFX_NOTE: SENTINEL, ...commit }
    const made = spawnSync(
      process.execPath,
      ["--no-env-file", join(root, "release/evidence.ts"), folder, releaser.privateKey],
      { encoding: "utf8", env, cwd: keys }
    )
    if (made.status !== 0) throw new Error(made.stderr)
    const file = (ending: string) => join(folder, `${releaseName}${ending}`)
    const [archive, provenance, sbom] = [file(".tar.xz"), file(".provenance.json"), file(".cdx.json")]
    const both = (path: string, key: string): readonly [number, number] => {
      const trust = key === "--unsigned" ? [key] : ["--key", key]
      const effx = spawnSync(
        process.env.EFFX_BIN ?? "",
        ["verify", path, "--provenance", provenance, "--sbom", sbom, ...trust],
        { encoding: "utf8" }
      )
      said = effx.stdout
      return [effx.status ?? -1, independently(path, provenance, sbom, key).status ?? -1]
    }
    let said = ""
    const good = both(archive, releaser.key)
    const saidOfGood = said
    const changed = join(keys, "changed.tar.xz")
    const bytes = readFileSync(archive)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    writeFileSync(changed, bytes)
    const texts = {
      SHA256SUMS: readFileSync(join(folder, "SHA256SUMS"), "utf8"),
      SBOM: readFileSync(sbom, "utf8"),
      provenance: Buffer.from(JSON.parse(readFileSync(provenance, "utf8")).payload, "base64").toString(),
      manifest: readFileSync(join(folder, releaseName, "manifest.json"), "utf8")
    }
    // As a word of its own: a short name may be a part of a digest.
    const machine = new RegExp(`(?<![\\w-])${RegExp.escape(hostname())}(?![\\w-])`)
    const secrets = [SENTINEL, root, folder, keys, `/home/${userInfo().username}`, "/root/"]
    return {
      codes: {
        good,
        "changed archive": both(changed, releaser.key),
        "wrong key": both(archive, stranger.key),
        "no key": both(archive, "--unsigned")
      },
      said: saidOfGood,
      indiscreet: Object.entries(texts).flatMap(([name, text]) =>
        [...secrets.filter((secret) => text.includes(secret)), ...(machine.test(text) ? [hostname()] : [])].map(
          (secret) => `${name} says ${secret}`
        )
      )
    }
  } finally {
    rmSync(keys, { recursive: true, force: true })
  }
}
