/** Ends a release step with one line, or with one for each problem. */
export const fail = (...lines: ReadonlyArray<string>): never => {
  process.stderr.write(lines.map((line) => `effx release: ${line}\n`).join(""))
  process.exit(1)
}
