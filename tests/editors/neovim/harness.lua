-- Shared by the scripts of this folder. Each runs in its own Neovim; see test_neovim.py.
local M = {}

vim.opt.runtimepath:prepend(vim.env.SIGHTLINE_PLUGIN)
vim.opt.swapfile = false
vim.cmd.runtime("plugin/sightline.lua")

M.QUESTION = "How is an order placed when the checkout is submitted?"
M.messages = {}
vim.notify = function(text)
  M.messages[#M.messages + 1] = text
end

M.options = { cmd = { vim.env.SIGHTLINE_PYTHON, "-m", "lsp_server", "serve" } }

-- Waits for a condition and returns its value. On a timeout, fails and says what was awaited.
function M.wait(what, condition, ms)
  local value
  local ok = vim.wait(ms or 60000, function()
    value = condition()
    return value
  end, 10)
  if not ok then
    error(("waited in vain for %s; messages: %s"):format(what, vim.inspect(M.messages)), 2)
  end
  return value
end

function M.same(found, expected, what)
  if not vim.deep_equal(found, expected) then
    local text = "%s: found %s, expected %s"
    error(text:format(what or "value", vim.inspect(found), vim.inspect(expected)), 2)
  end
end

function M.check(value, what)
  return value or error(what, 2)
end

function M.has_message(part)
  for _, each in ipairs(M.messages) do
    if each:find(part, 1, true) then
      return true
    end
  end
end

function M.current()
  return require("sightline.state").current()
end

-- Asks with the :Sightline command and returns the answer once it is shown.
function M.ask(intent, query)
  local before = M.current() and M.current().report.id
  vim.cmd(("Sightline %s %s"):format(intent or "explain", query or M.QUESTION))
  return M.wait("an answer", function()
    local shown = M.current()
    return shown and shown.report.id ~= before and shown
  end)
end

-- Records, from now on, the arguments with which one of the server's commands is sent.
function M.record_calls(command)
  local server = require("sightline.server")
  local execute, arguments = server.execute, {}
  server.execute = function(client, name, argument, done)
    if name == command then
      arguments[#arguments + 1] = argument or {}
    end
    return execute(client, name, argument, done)
  end
  return arguments
end

-- Closes the floating window whose text contains `part` and returns the text.
function M.close_float(part)
  for _, each in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(each).relative ~= "" then
      local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(each), 0, -1, false)
      local text = table.concat(lines, "\n")
      if text:find(part, 1, true) then
        vim.api.nvim_win_close(each, true)
        return text
      end
    end
  end
end

function M.client()
  return vim.lsp.get_clients({ name = "sightline" })[1]
end

-- Starts the second language server and waits until it knows the project.
function M.second_server(bufnr)
  local root = vim.uv.cwd()
  local id = vim.lsp.start({
    name = "ty",
    cmd = { vim.env.SIGHTLINE_TY, "server" },
    root_dir = root,
    filetypes = { "python" },
    workspace_folders = { { uri = vim.uri_from_fname(root), name = "webshop" } },
  }, { bufnr = bufnr })
  return M.wait("the second language server", function()
    local client = id and vim.lsp.get_client_by_id(id)
    return client and client.initialized and client
  end)
end

-- Runs a script, stops all servers, and exits with a code that says whether it succeeded.
function M.run(script)
  local ok, why = xpcall(script, debug.traceback)
  if vim.v.errmsg ~= "" and ok then
    ok, why = false, "an error was shown: " .. vim.v.errmsg
  end
  require("sightline.server").stop()
  for _, client in ipairs(vim.lsp.get_clients()) do
    require("sightline.compat").stop(client)
  end
  vim.wait(5000, function()
    return #vim.lsp.get_clients() == 0
  end, 10)
  io.stderr:write(ok and "PASSED\n" or "FAILED " .. tostring(why) .. "\n")
  vim.cmd(ok and "qall!" or "cquit 1")
end

return M
