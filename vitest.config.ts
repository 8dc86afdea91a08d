import { configDefaults, defineConfig } from "vitest/config"

/** Tests of many minutes, which `npm run soak` runs. */
const SOAK = "test/soak/**"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(process.env.EFFX_SOAK === "1" ? [] : [SOAK])],
    globalSetup: ["test/packed-program.ts"],
    // Most of a journey is waiting for the program, which has a process of its own.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000
  }
})
