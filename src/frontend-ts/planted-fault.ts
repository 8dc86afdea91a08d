/**
 * A hook for tests, and nothing else: `EFFX_TEST_FAULT` plants one fault in how a session follows its project, so that a test can show
 * that such a fault would be noticed. No other module reads the variable, and without it nothing here has an effect.
 */
import { variable } from "./host.ts"

export type Fault =
  /** A file whose changes are never seen. */
  | "lost-event"
  /** Only the changed files are collected again, not what imports them. */
  | "stale-reuse"
  /** What lies behind a symbolic link is taken to stay what it was. */
  | "ignored-retarget"

export const isPlanted = (fault: Fault): boolean => variable("EFFX_TEST_FAULT") === fault

/** Whether a planted fault leaves a path out of the comparison with the disk. */
export const isOverlooked = (path: string, realpath: () => string | undefined): boolean =>
  (isPlanted("lost-event") && path.endsWith("/services/users.ts")) ||
  (isPlanted("ignored-retarget") && realpath() !== path)
