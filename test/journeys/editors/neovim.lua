-- One editing session in Neovim with the set-up of docs/editors.md. What it sees goes to standard error, a line each.
dofile(vim.env.JOURNEY_SETUP .. "/neovim-setup.lua")
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

vim.cmd("edit " .. vim.fn.fnameescape(vim.env.JOURNEY_FILE))
local client

local function show()
  for _, found in ipairs(vim.diagnostic.get(0)) do
    say("shows", found.code, (found.lnum + 1) .. ":" .. (found.col + 1), found.source)
  end
end

local line = vim.fn.search("@Errors(UserNotFound)", "cw")
await("the server to be ready", function()
  local _, found = next(vim.lsp.buf_get_clients(0))
  client = found and found.initialized and found.id
  return client ~= nil and client ~= false
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
