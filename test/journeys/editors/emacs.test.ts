/** Emacs with eglot, as of versions 28 and 1.9, in batch mode. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { tool } from "../../native/toolchain.ts"
import { edited } from "./editor.ts"

const emacs = tool("emacs")
const EGLOT = "/usr/share/emacs/site-lisp/elpa-src/eglot-1.9"

it.skipIf(emacs === undefined || !existsSync(EGLOT))(
  "Emacs shows a finding at its point and no longer when it is repaired (needs emacs and elpa-eglot)",
  async () => {
    const said = await edited(emacs ?? "", ["--batch", "-l", join(import.meta.dirname, "emacs.el")])
    // This eglot widens an empty range itself, from the column before it.
    expect(said).toMatch(/^shows effx \[EFFX2201\]: User\.Get can fail with UserNotFound.* at 19:[23]$/m)
    expect(said).toMatch(/^repaired\n(.*\n)*stopped$/m)
  }
)
