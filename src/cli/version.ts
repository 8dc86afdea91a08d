/** The program's version, as its package.json states it. */
import manifest from "./package.json" with { type: "json" }

export const VERSION: string = manifest.version
