/**
 * A client on Node, with the maintained library alone: starts EFFX_BIN in the current folder, opens a document, breaks it without saving,
 * repairs it and ends. With `wait`, it stops after the first answer until it is killed. What it sees goes to standard output.
 */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node"

const cwd = process.cwd()
const say = (...words) => process.stdout.write(`${words.join(" ")}\n`)

const server = spawn(process.env.EFFX_BIN, ["lsp"], { cwd, stdio: ["pipe", "pipe", "inherit"] })
const ended = new Promise((resolve) => server.on("close", resolve))
const connection = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin))

const file = join(cwd, "src/operations.ts")
const uri = pathToFileURL(file).href
const text = readFileSync(file, "utf8")
let shown = () => {}
connection.onNotification("textDocument/publishDiagnostics", (params) => {
  if (params.uri === uri) shown(params)
})
connection.onNotification("window/logMessage", () => {})
connection.listen()

/** Sends a version and awaits what is shown of it. */
const answered = async (version, method, params) => {
  const answer = new Promise((resolve) => {
    shown = (params) => params.version === version && resolve(params)
  })
  await connection.sendNotification(method, params)
  const { diagnostics } = await answer
  say(version, diagnostics.map(({ code, range }) => `${code}@${range.start.line}:${range.start.character}`).join(" "))
}

const change = (version, text) =>
  answered(version, "textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] })

await connection.sendRequest("initialize", {
  processId: process.pid,
  rootUri: pathToFileURL(cwd).href,
  capabilities: { textDocument: { publishDiagnostics: { versionSupport: true } } }
})
await connection.sendNotification("initialized", {})
await answered(1, "textDocument/didOpen", { textDocument: { uri, languageId: "typescript", version: 1, text } })
say("server", server.pid)
if (process.argv[2] === "wait") await new Promise((resolve) => setTimeout(resolve, 600_000))
await change(2, text.replace("@Errors(UserNotFound)", "@Errors()"))
await change(3, text)
await connection.sendRequest("shutdown")
await connection.sendNotification("exit")
say("ended", await ended)
