/**
 * What the server says about itself: to standard error at once, and to the client once it is initialized (`window/logMessage`).
 *
 * Guarantees: nothing is sent to a client before it is initialized; what is said before is kept, at most `LIMITS.outboundMessages`
 * messages, and sent then.
 */

import { LIMITS } from "./limits.ts"
import type { Outbox } from "./outbox.ts"
import type { MessageType } from "./protocol.ts"

export interface Log {
  readonly say: (type: MessageType, message: string) => void
  /** Only for whoever reads standard error. */
  readonly note: (message: string) => void
  /** The client may be told from now on. */
  readonly begin: () => void
}

/**
 * @param report writes a line to standard error
 */
export const makeLog = (outbox: Pick<Outbox, "send">, report: (line: string) => void): Log => {
  let begun = false
  const kept: Array<object> = []
  return {
    note: report,
    say: (type, message) => {
      report(message)
      const notification = { jsonrpc: "2.0", method: "window/logMessage", params: { type, message } }
      if (begun) outbox.send(notification)
      else if (kept.length < LIMITS.outboundMessages) kept.push(notification)
    },
    begin: () => {
      if (begun) return
      begun = true
      for (const notification of kept.splice(0)) outbox.send(notification)
    }
  }
}
