/**
 * Gate 5 of Spec 0018 §8: no result is shown of a text that was superseded when it came, and none of a document that was closed.
 *
 * An analysis is held by stopping the engine, which is a process of its own: the program under test is the one that is shipped.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { onTestFinished } from "vitest"
import { childrenOf } from "../../children.ts"
import { project } from "../dev/driver.ts"
import { codesOf, type OpenDocument, open, type Server, startLsp } from "./driver.ts"

const FAULTY = ["@Errors(UserNotFound)", "@Errors()"] as const
const REPAIRED = ["@Errors()", "@Errors(UserNotFound)"] as const

const started = async () => {
  const cwd = project()
  const server = await startLsp(cwd)
  const document = open(server, join(cwd, "src/operations.ts"))
  expect(await document.diagnostics()).toEqual([])
  return { cwd, server, document }
}

/** Awaits that everything sent before has been taken: requests are answered in their turn. */
const taken = async (server: Server): Promise<void> => {
  await server.connection.sendRequest("journey/unknown").catch(() => undefined)
}

/** Stops the engine; gives what lets it go on. */
const hold = (server: Server): (() => void) => {
  const [engine] = childrenOf(server.pid)
  if (engine === undefined) throw new Error("there is no engine")
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(engine, name)
    } catch {
      // It has ended, which a test sees by itself.
    }
  }
  signal("SIGSTOP")
  onTestFinished(() => signal("SIGCONT"))
  return () => signal("SIGCONT")
}

const ticksOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
    .replace(/^.*\) /s, "")
    .split(" ")
  return Number(fields[11]) + Number(fields[12])
}

/** How long a process that waits for its engine may take to have nothing else to do, looked at in steps. */
const STILL_MS = 30
const STILL_STEPS = 3

/** Awaits that the server has nothing to do but to wait for its engine: what it was sent is being analysed. */
const analysing = async (server: Server): Promise<void> => {
  await taken(server)
  let before = -1
  for (let still = 0; still < STILL_STEPS; ) {
    await new Promise((resolve) => setTimeout(resolve, STILL_MS))
    const now = ticksOf(server.pid)
    still = now === before ? still + 1 : 0
    before = now
  }
}

const versionsOf = (server: Server, { uri }: OpenDocument, from: number) =>
  server.publications.slice(from).flatMap((one) => (one.uri === uri ? [one.version] : []))

it("never shows a result that a newer edit superseded while it was made", async () => {
  const { document, server } = await started()
  // What is held is shown once it goes on, where nothing newer comes.
  const goOn = hold(server)
  document.edit(FAULTY)
  await analysing(server)
  expect(server.last(document.uri)?.version).toBe(1)
  goOn()
  expect(codesOf(await document.diagnostics())).toEqual(["EFFX2201"])
  document.edit(REPAIRED)
  expect(await document.diagnostics()).toEqual([])

  const from = server.publications.length
  const goOnAgain = hold(server)
  document.edit(FAULTY)
  await analysing(server)
  document.edit(REPAIRED)
  // It is admitted while the old analysis cannot have ended.
  await taken(server)
  goOnAgain()
  expect(await document.diagnostics()).toEqual([])
  await taken(server)
  expect(versionsOf(server, document, from)).toEqual([document.version()])
  await server.end()
})

it("shows nothing of a document that was closed while it was analysed, and begins anew when it is opened again", async () => {
  const { cwd, document, server } = await started()
  const goOn = hold(server)
  document.edit(FAULTY)
  await analysing(server)
  const from = server.publications.length
  document.close()
  // Cleared at once, whatever the analysis does.
  expect(await server.until(({ uri }) => uri === document.uri, from)).toMatchObject({ diagnostics: [] })
  goOn()
  const other = open(server, join(cwd, "src/users.ts"))
  await other.diagnostics()
  await taken(server)
  expect(versionsOf(server, document, from)).toHaveLength(1)
  // Versions of another open instance are its own.
  const again = open(server, join(cwd, "src/operations.ts"), { version: 1 })
  expect(await again.diagnostics()).toEqual([])
  again.edit(FAULTY)
  expect(codesOf(await again.diagnostics())).toEqual(["EFFX2201"])
  await server.end()
})

it("refuses older and equal versions, takes one with a gap, and says what it refused", async () => {
  const { document, server } = await started()
  const broken = document.text().replace(...FAULTY)
  document.change([{ text: broken }], 10)
  expect(codesOf(await document.diagnostics())).toEqual(["EFFX2201"])
  const from = server.publications.length
  for (const version of [10, 9, 1, 0, -1]) document.change([{ text: "export {}\n" }], version)
  await taken(server)
  const refused = server.logs.filter(({ message }) => /does not follow 10/.test(message))
  expect(refused).toHaveLength(5)
  // An edit of what was there before shows that nothing was applied.
  document.edit(["/** Shows one user. */", "/** Shows a user. */"])
  expect(codesOf(await document.diagnostics())).toEqual(["EFFX2201"])
  expect(versionsOf(server, document, from)).toEqual([11])
  await server.end()
})

it("ignores changes and closes of what is not open, and goes on", async () => {
  const { cwd, document, server } = await started()
  const other = open(server, join(cwd, "src/users.ts"))
  await other.diagnostics()
  other.close()
  other.close()
  other.change([{ text: "" }], 7)
  document.edit(FAULTY)
  expect(codesOf(await document.diagnostics())).toEqual(["EFFX2201"])
  await server.end()
})

it("answers each of many concurrent requests under its own number", async () => {
  const { document, server } = await started()
  const goOn = hold(server)
  document.edit(FAULTY)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      server.connection.sendRequest(`journey/unknown${at}`).catch(({ code, message }) => ({ code, message }))
    )
  )
  for (const [at, answer] of answers.entries()) {
    expect(answer).toMatchObject({ code: -32601, message: expect.stringContaining(`journey/unknown${at}`) })
  }
  goOn()
  expect(codesOf(await document.diagnostics())).toEqual(["EFFX2201"])
  await server.end()
})
