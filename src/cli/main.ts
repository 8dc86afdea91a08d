/**
 * The process: runs the program, which lies beside it, in a thread of its own (`host.runAsThread` says why), and says in one line why
 * that thread could not run.
 */
import { ExitCode } from "./exit-code.ts"
import * as host from "./host.ts"

/** Of a message that shows source and a stack, the line that says what is wrong; nothing of it moves the cursor. */
const lineOf = (message: string): string => {
  const lines = message.split("\n")
  const line = lines.find((line) => /^\w*(error|message): /i.test(line)) ?? lines[0] ?? ""
  return line.replaceAll(/\p{Cc}/gu, "\ufffd")
}

host.runAsThread(host.programModule, (message) => {
  host.writeAll(2, new TextEncoder().encode(`effx: internal fault: ${lineOf(message)}\n`))
  return ExitCode.Fault
})
