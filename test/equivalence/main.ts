/** Replays a walk: `EFFX_BIN=… EFFX_SEED=… EFFX_STEPS=… bun test/equivalence/main.ts`; EFFX_WALK_KEEP=1 keeps a tree that differs. */
import { join } from "node:path"
import { summary, walk } from "./walk.ts"

const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)

const walked = await walk({
  seed: number("EFFX_SEED", 1),
  steps: number("EFFX_STEPS", 1_000),
  heavy: number("EFFX_HEAVY", 1),
  env: { EFFX_TEST_FAULT: process.env.EFFX_TEST_FAULT ?? "" },
  effx: process.env.EFFX_BIN ?? join(import.meta.dirname, "../../node_modules/.bin/effx"),
  log: (line) => process.stdout.write(`${line}\n`)
})
process.stdout.write(`${summary(walked)}\n`)
process.exitCode = walked.difference === undefined ? 0 : 1
