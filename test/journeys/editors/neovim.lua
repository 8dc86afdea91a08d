-- One editing session in Neovim, with nothing but what Neovim brings: `vim.lsp.start_client` and `vim.diagnostic`. What it sees goes to
-- standard error, a line each. Arguments of this script come by the environment.
local file, root, effx = vim.env.JOURNEY_FILE, vim.env.JOURNEY_ROOT, vim.env.EFFX_BIN
local PATIENCE, LOOK = 20000, 10

local function say(...)
  io.stderr:write(table.concat({ ... }, " ") .. "\n")
end

local function await(what, holds)
  if not vim.wait(PATIENCE, holds, LOOK) then
    say("waited in vain:", what)
    vim.cmd("cquit")
  end
end

vim.cmd("edit " .. vim.fn.fnameescape(file))
local client = vim.lsp.start_client({ name = "effx", cmd = { effx, "lsp" }, cmd_cwd = root, root_dir = root })
vim.lsp.buf_attach_client(0, client)

local function show()
  for _, found in ipairs(vim.diagnostic.get(0)) do
    say("shows", found.code, (found.lnum + 1) .. ":" .. (found.col + 1), found.source)
  end
end

local line = vim.fn.search("@Errors(UserNotFound)", "cw")
await("the server to be ready", function()
  return vim.lsp.buf_is_attached(0, client) and vim.lsp.get_client_by_id(client).initialized
end)
vim.cmd(line .. "substitute/UserNotFound//")
await("the finding", function()
  return #vim.diagnostic.get(0) > 0
end)
show()
vim.cmd("silent undo")
await("no finding", function()
  return #vim.diagnostic.get(0) == 0
end)
say("repaired")
vim.lsp.stop_client(client)
await("the server to end", function()
  return vim.lsp.client_is_stopped(client)
end)
say("stopped")
vim.cmd("qall!")
