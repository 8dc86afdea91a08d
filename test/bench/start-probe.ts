/** Proves an installation in a fresh process, as a start does, and prints what each part took in milliseconds, as JSON. */
import { writeSync } from "node:fs"
import { openInstallation, readManifest, verifyInstallation } from "@effx/integrity"
import { Result } from "effect"

const top = process.argv[2] ?? ""
const parts: Record<string, number> = {}
const timed = <A>(name: string, run: () => A): A => {
  const began = performance.now()
  const value = run()
  parts[name] = performance.now() - began
  return value
}

if (process.argv[3] === "manifest") timed("manifest alone", () => Result.getOrThrow(readManifest(top)))
else {
  const installation = timed("manifest and listing", () => Result.getOrThrow(openInstallation(top)))
  timed("lib/effx/io-worker.js", () => Result.getOrThrow(installation.worker()))
  timed("lib/effx/effx-stdio.so", () => Result.getOrThrow(installation.shim()))
  timed("lib/typescript/tsc", () => Result.getOrThrow(installation.engine()))
  timed("all lib files", () => installation.libraries())
  timed("effx verify", () => verifyInstallation(top))
}

writeSync(1, `${JSON.stringify(parts)}\n`)
