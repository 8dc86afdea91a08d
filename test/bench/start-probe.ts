/** Proves an installation in a fresh process, as a start does, and prints what each part took in milliseconds, as JSON. */
import { writeSync } from "node:fs"
import { openInstallation, readManifest, verifyInstallation } from "@effx/integrity"
import { Result } from "effect"

const top = process.argv[2] ?? ""
const timed = <A>(run: () => A): readonly [milliseconds: number, value: A] => {
  const began = performance.now()
  const value = run()
  return [performance.now() - began, value]
}

const [eager, opened] = timed(() => openInstallation(top))
const installation = Result.getOrThrow(opened)
const [worker] = timed(() => Result.getOrThrow(installation.worker()))
const [shim] = timed(() => Result.getOrThrow(installation.shim()))
const [engine] = timed(() => Result.getOrThrow(installation.engine()))
const [libraries] = timed(() => installation.libraries())
const [manifest] = timed(() => Result.getOrThrow(readManifest(top)))
const [everything] = timed(() => verifyInstallation(top))

writeSync(1, `${JSON.stringify({ eager, worker, shim, engine, libraries, manifestAgain: manifest, everything })}\n`)
