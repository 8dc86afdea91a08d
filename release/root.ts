/** Where the repository is, and the version and the name of what is released from it. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** Without a slash at its end. */
export const root: string = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "")

export const version: string = JSON.parse(readFileSync(join(root, "src/cli/package.json"), "utf8")).version

/** The archive's top folder, and its file name up to the extension. */
export const releaseName: string = `effx-${version}-x86_64-linux-gnu`
