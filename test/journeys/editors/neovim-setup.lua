-- One server for each project: the nearest folder with a tsconfig.json.
local clients = {}
vim.api.nvim_create_autocmd("FileType", {
  pattern = { "typescript", "typescriptreact" },
  callback = function(event)
    local folder = vim.fn.escape(vim.fn.expand("<afile>:p:h"), " ,")
    local tsconfig = vim.fn.findfile("tsconfig.json", folder .. ";")
    if tsconfig == "" then
      return
    end
    local root = vim.fn.fnamemodify(tsconfig, ":p:h")
    clients[root] = clients[root]
      or vim.lsp.start_client({
        name = "effx",
        cmd = { "effx", "lsp" },
        cmd_cwd = root,
        root_dir = root,
        on_exit = function()
          clients[root] = nil
        end,
      })
    vim.lsp.buf_attach_client(event.buf, clients[root])
  end,
})
