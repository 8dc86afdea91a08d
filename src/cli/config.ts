/** What an `effx.config.ts` imports. Loading it starts nothing. */
export { defineConfig, type EffxConfig, type ExecutableCoverage } from "@effx/session/config"
