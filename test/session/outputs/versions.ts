/** Output sets that differ from version to version in every way: changed, new, vanished and equal files, small and large. */
import type { OutputFile, Settings } from "@effx/session"
import { encodeManifest } from "./encode-manifest.ts"

/** Settings of a project whose generated code goes to `generated/`. */
export const settingsFor = (folder: string): Pick<Settings, "outDir" | "selection"> => ({
  outDir: `${folder}/generated`,
  selection: { cwd: folder, folder, tsconfig: `${folder}/tsconfig.json` }
})

/** A text that shows whether it is whole: its version, its length and one character repeated. */
export const textOf = (n: number, size: number): string => {
  const head = `${n} ${size}\n`
  return head + String.fromCharCode(97 + (n % 26)).repeat(size)
}

/** The version of a whole text; undefined for a torn one. */
export const versionOf = (text: string): number | undefined => {
  const [, n, size] = /^(\d+) (\d+)\n/.exec(text) ?? []
  return n !== undefined && text === textOf(Number(n), Number(size)) ? Number(n) : undefined
}

/** The complete outputs of one version, the manifest included. */
export const version = (n: number): ReadonlyArray<OutputFile> => {
  const files: ReadonlyArray<OutputFile> = [
    { path: ".effx/ir.json", text: textOf(n, 5000) },
    { path: "generated/always.ts", text: textOf(n, 20_000) },
    { path: "generated/constant.ts", text: textOf(0, 100) },
    { path: "generated/deep/down/large.ts", text: textOf(n, 400_000) },
    ...(n % 2 === 0 ? [{ path: "generated/even/one.ts", text: textOf(n, 100) }] : []),
    ...(n % 3 === 0 ? [{ path: "generated/third.ts", text: textOf(n, 1) }] : [])
  ]
  return [...files, { path: ".effx/manifest.json", text: encodeManifest("tsconfig.json", files) }]
}
