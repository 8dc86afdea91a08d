/**
 * Writes nix/node-modules.json: the hash of what release/install-node-modules.sh makes of the present bun.lock, beside the hash of that
 * lock. Run through release/update-node-modules-hash.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { narHash } from "./nar.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "effx-node-modules-"))
const out = join(folder, "out")

const { status } = spawnSync("bash", [join(root, "release/install-node-modules.sh"), process.execPath, out], {
  stdio: ["ignore", "inherit", "inherit"]
})
if (status === 0) {
  const pinned = {
    lock: createHash("sha256")
      .update(readFileSync(join(root, "bun.lock")))
      .digest("hex"),
    hash: narHash(out)
  }
  writeFileSync(join(root, "nix/node-modules.json"), `${JSON.stringify(pinned, null, 2)}\n`)
  process.stdout.write(`nix/node-modules.json: ${pinned.hash}\n`)
}
rmSync(folder, { recursive: true, force: true })
process.exit(status ?? 1)
