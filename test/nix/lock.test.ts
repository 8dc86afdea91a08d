/** The pin of nixpkgs: one input, whose revision, hash and origin are those of Spec: distribution §5. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

const root = join(import.meta.dirname, "../..")
const REVISION = "549bd84d6279f9852cae6225e372cc67fb91a4c1"

it("flake.lock pins nixpkgs and nothing else", () => {
  const origin = { type: "github", owner: "NixOS", repo: "nixpkgs", rev: REVISION }
  expect(JSON.parse(readFileSync(join(root, "flake.lock"), "utf8"))).toStrictEqual({
    version: 7,
    root: "root",
    nodes: {
      root: { inputs: { nixpkgs: "nixpkgs" } },
      nixpkgs: {
        locked: {
          ...origin,
          narHash: "sha256-hGdgeU2Nk87RAuZyYjyDjFL6LK7dAZN5RE9+hrDTkDU=",
          lastModified: 1_777_954_456
        },
        original: origin
      }
    }
  })
})

it("flake.nix asks for the revision that the lock holds", () => {
  const text = readFileSync(join(root, "flake.nix"), "utf8")
  expect(text.match(/^ {2}inputs.*$/gm)).toEqual([`  inputs.nixpkgs.url = "github:NixOS/nixpkgs/${REVISION}";`])
})
