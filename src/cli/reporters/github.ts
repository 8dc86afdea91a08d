/** Workflow commands that GitHub turns into annotations on the lines of a change. */
import { countOf, type Reporter, summary } from "./report.ts"

const COMMANDS = { error: "error", warning: "warning", info: "notice" } as const

const data = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")

const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C")

export const github: Reporter = (report, surroundings) => {
  const lines = report.diagnostics.map((diagnostic) => {
    const { location } = diagnostic
    const properties = [
      ...(location === undefined
        ? []
        : [
            `file=${property(surroundings.displayPath(location.file))}`,
            `line=${location.line}`,
            `col=${location.col}`
          ]),
      `title=${property(diagnostic.code)}`
    ]
    const notes = diagnostic.notes.map((note) => `${note.label}: ${note.text}`)
    return `::${COMMANDS[diagnostic.severity]} ${properties.join(",")}::${data([diagnostic.message, ...notes].join("\n"))}`
  })
  return `${[...lines, summary(countOf(report.diagnostics))].join("\n")}\n`
}
