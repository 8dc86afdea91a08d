/** Neovim's built-in client, as of version 0.7, headless. */
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { tool } from "../../native/toolchain.ts"
import { edited } from "./editor.ts"

const nvim = tool("nvim")

it.skipIf(nvim === undefined)(
  "Neovim shows a finding at its point and no longer when it is repaired (needs nvim)",
  async () => {
    const said = await edited(nvim ?? "", ["--clean", "--headless", "-S", join(import.meta.dirname, "neovim.lua")])
    expect(said.trim().split(/\r?\n/)).toEqual(["shows EFFX2201 19:3 effx", "repaired", "stopped"])
  }
)
