/** Loads the shim in many workers at once, again and again: `workers.ts LIBRARY WORKERS ROUNDS`. It is its own worker, too. */
import { isMainThread, parentPort } from "node:worker_threads"
import { loadShim } from "../../src/stdio/host.ts"

const load = (library: string): string => {
  const loading = loadShim(library)
  if (loading._tag !== "Loaded") return loading._tag
  const kind = loading.shim.kind(-1)
  loading.shim.unload()
  return kind === 0 ? "ok" : `kind ${kind}`
}

const once = (library: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(import.meta.path)
    let answer = "no answer"
    worker.onmessage = ({ data }: MessageEvent<string>) => {
      answer = data
      worker.terminate()
    }
    worker.onerror = ({ message }) => reject(new Error(message))
    worker.addEventListener("close", () => resolve(answer))
    worker.postMessage(library)
  })

if (isMainThread) {
  const [library = "", workers, rounds] = process.argv.slice(2)
  let loads = 0
  for (let round = 0; round < Number(rounds); round++) {
    for (const answer of await Promise.all(Array.from({ length: Number(workers) }, () => once(library)))) {
      if (answer === "ok") loads++
      else process.stderr.write(`${answer}\n`)
    }
  }
  process.stdout.write(`${loads} loads\n`)
} else {
  parentPort?.once("message", (library: string) => parentPort?.postMessage(load(library)))
}
