/**
 * The process: runs the program, which lies beside it, in a thread of its own (`host.runAsThread` says why), and says so in one line
 * where that thread cannot be.
 */
import { ExitCode } from "./exit-code.ts"
import * as host from "./host.ts"

host.runAsThread(host.programModule, (message) => {
  host.writeAll(2, new TextEncoder().encode(`effx: ${message.split("\n")[0]}\n`))
  return ExitCode.Fault
})
