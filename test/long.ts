/**
 * Whether tests that take minutes each are part of this run: EFFX_SOAK=1 asks for them. Without it they
 * are not defined, rather than skipped.
 */
export const withLongTests = process.env.EFFX_SOAK === "1"
