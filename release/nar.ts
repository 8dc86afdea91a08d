/**
 * The hash that Nix gives a file tree, without Nix: SHA-256 over the tree in Nix's archive format, which knows names, contents,
 * the executable bit and where a symbolic link leads, and nothing else.
 */
import { createHash, type Hash } from "node:crypto"
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs"
import { join } from "node:path"

const WORD = 8

const length = (size: number): Uint8Array => {
  const bytes = Buffer.alloc(WORD)
  bytes.writeBigUInt64LE(BigInt(size))
  return bytes
}

const put = (hash: Hash, ...values: ReadonlyArray<string | Uint8Array>): void => {
  for (const value of values) {
    const bytes = typeof value === "string" ? Buffer.from(value) : value
    hash.update(length(bytes.length))
    hash.update(bytes)
    hash.update(Buffer.alloc((WORD - (bytes.length % WORD)) % WORD))
  }
}

const OWNER_EXECUTES = 0o100

const node = (hash: Hash, path: string): void => {
  const status = lstatSync(path)
  put(hash, "(", "type")
  if (status.isSymbolicLink()) put(hash, "symlink", "target", readlinkSync(path))
  else if (status.isDirectory()) {
    put(hash, "directory")
    // In the order of their bytes.
    const names = readdirSync(path).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    for (const name of names) {
      put(hash, "entry", "(", "name", Buffer.from(name), "node")
      node(hash, join(path, name))
      put(hash, ")")
    }
  } else {
    put(hash, "regular")
    if ((status.mode & OWNER_EXECUTES) !== 0) put(hash, "executable", "")
    put(hash, "contents", readFileSync(path))
  }
  put(hash, ")")
}

/** As Nix writes it: `sha256-` and base64. */
export const narHash = (path: string): string => {
  const hash = createHash("sha256")
  put(hash, "nix-archive-1")
  node(hash, path)
  return `sha256-${hash.digest("base64")}`
}
