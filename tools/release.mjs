/** `npm run release [-- --tree]`: sets up, then makes the release archive in dist/; see release/release.ts. */
import { spawnSync } from "node:child_process"
import { bun, root, setup } from "./setup.mjs"

setup()
const { status } = spawnSync(bun, ["--no-env-file", "release/release.ts", ...process.argv.slice(2)], {
  cwd: root,
  stdio: ["ignore", "inherit", "inherit"]
})
process.exit(status ?? 1)
