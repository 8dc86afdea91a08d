/** What is wrong with a file, said once for every reader: which file, what was expected, what was found. */
import { Data } from "effect"

export interface Problem {
  /** Relative to the installation's top folder. */
  readonly path: string
  readonly expected: string
  readonly found: string
}

/** `lib/bun/bun: expected 100 bytes, found 99`. */
export const problemLine = ({ expected, found, path }: Problem): string =>
  `${path}: expected ${expected}, found ${found}`

/** A release that must not be made: its files break an assertion. */
export class ReleaseRefused extends Data.TaggedError("ReleaseRefused")<{
  readonly problems: ReadonlyArray<Problem>
  /** One line for each problem. */
  readonly message: string
}> {
  static readonly of = (problems: ReadonlyArray<Problem>): ReleaseRefused =>
    new ReleaseRefused({ problems, message: problems.map(problemLine).join("\n") })
}

/** An installation that must not run. */
export class IntegrityFault extends Data.TaggedError("IntegrityFault")<{
  readonly problem: Problem
  /** One line: the file, what was expected and found, and how to reinstall. */
  readonly message: string
}> {
  static readonly of = (top: string, problem: Problem): IntegrityFault =>
    new IntegrityFault({
      problem,
      message: `${problemLine(problem)}; the installation in ${top} is damaged: unpack the release archive again, or see effx verify`
    })
}
