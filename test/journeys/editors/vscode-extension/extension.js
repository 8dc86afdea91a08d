/** The least that an extension needs: one client for the one project that is open. The program is named by EFFX_BIN. */
const { workspace } = require("vscode")
const { LanguageClient } = require("vscode-languageclient/node")

let client

exports.activate = async () => {
  const [folder] = workspace.workspaceFolders ?? []
  client = new LanguageClient(
    "effx",
    { command: process.env.EFFX_BIN ?? "effx", args: ["lsp"], options: { cwd: folder?.uri.fsPath } },
    { documentSelector: [{ scheme: "file", language: "typescript" }], workspaceFolder: folder }
  )
  await client.start()
}

exports.deactivate = () => client?.stop()
