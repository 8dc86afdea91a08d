/**
 * Takes the search path of a Nix store out of a library that is to be shipped. Nothing but that path: a library without one stays as it
 * is, byte for byte, and any other search path is left for the manifest's rules to refuse.
 */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { readElf, storeMention } from "@effx/integrity"
import { Result } from "effect"
import { fail } from "./fail.ts"

const encoder = new TextEncoder()

/** Whether a library looks for others in a Nix store. */
export const hasStoreRpath = (bytes: Uint8Array): boolean => {
  const elf = readElf(bytes)
  if (Result.isFailure(elf)) return false
  const { rpath = "", runpath = "" } = elf.success.record
  return storeMention(encoder.encode(`${rpath}\n${runpath}`)) !== undefined
}

/** Strips one file in place; needs patchelf only when there is something to strip. */
export const stripStoreRpath = (file: string): void => {
  if (!hasStoreRpath(readFileSync(file))) return
  // Emptied first: removing alone leaves the text behind.
  const strip = (...flags: ReadonlyArray<string>) => spawnSync("patchelf", [...flags, file], { encoding: "utf8" })
  const emptied = strip("--set-rpath", "")
  const ended = emptied.status === 0 ? strip("--remove-rpath") : emptied
  if (ended.error !== undefined)
    fail(`${file} has a search path of the Nix store, and there is no patchelf to strip it; install patchelf`)
  if (ended.status !== 0) fail(`patchelf cannot strip ${file}: ${ended.stderr.trim()}`)
}
