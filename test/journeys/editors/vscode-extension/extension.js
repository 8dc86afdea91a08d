const { workspace } = require("vscode")
const { LanguageClient } = require("vscode-languageclient/node")

let client

exports.activate = async () => {
  const [folder] = workspace.workspaceFolders ?? []
  if (folder === undefined) return
  // A config is code: it runs where the window's folder is trusted. Reload the window after trusting a folder.
  const args = workspace.isTrusted ? ["lsp", "--trust-config"] : ["lsp"]
  client = new LanguageClient(
    "effx",
    { command: "effx", args, options: { cwd: folder.uri.fsPath } },
    {
      documentSelector: ["typescript", "typescriptreact"].map((language) => ({ scheme: "file", language })),
      workspaceFolder: folder
    }
  )
  await client.start()
}

exports.deactivate = () => client?.stop()
