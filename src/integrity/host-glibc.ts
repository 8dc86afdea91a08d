/** Whether this machine's C library is one that a release can run on. */
import { compareVersions } from "./elf/glibc-version.ts"
import { glibcVersion } from "./host.ts"
import type { Manifest } from "./manifest.ts"

/**
 * Why the release cannot run here, as one line with the way out; `undefined` when it can, or when the machine does not say what it has.
 *
 * @param found this machine's version
 */
export const glibcProblem = (
  { glibcFloor }: Pick<Manifest, "glibcFloor">,
  found: string | undefined = glibcVersion()
): string | undefined =>
  found === undefined || compareVersions(found, glibcFloor) >= 0
    ? undefined
    : `it needs glibc ${glibcFloor}, and this system has ${found}; use a newer system or a container`
