/**
 * Whether tests that take minutes each are part of this run: `.ci/run` asks for them with EFFX_SOAK=1. Without it they
 * are not defined, rather than skipped.
 */
export const withLongTests = process.env.EFFX_SOAK === "1"
