--- Keeping answers as they are now: the server says that something changed, and is asked what.
local server = require("sightline.server")
local state = require("sightline.state")

local M = {}

---@type table<string, { client_id: integer, again: boolean }> reports being asked for
local asking = {}

--- The argument that gets an answer as it is now. A server that did not give the answer is given
--- it, and follows it from then on.
---@param shown sightline.Shown
---@param client vim.lsp.Client
---@param show boolean? put its lenses into the editor
---@return table
local function wanted(shown, client, show)
  local argument = { reportId = shown.report.id, show = show }
  if shown.client_id ~= client.id then
    argument.kept = vim.deepcopy(shown.raw)
    for _, each in ipairs(argument.kept.primary or {}) do
      -- Neovim drops JSON's null; here it says that the place is the whole file.
      each.range = each.range or vim.NIL
    end
  end
  return argument
end

---@param id string
---@param client vim.lsp.Client
---@param show boolean?
---@param done fun()?
local function update(id, client, show, done)
  local under_way = { client_id = client.id, again = false }
  asking[id] = under_way
  local argument = wanted(state.shown[id], client, show)
  server.execute(client, "report", argument, function(message, result)
    if asking[id] == under_way then
      asking[id] = nil
    end
    local before = state.shown[id]
    if before and not message then
      local known = before.report
      if not vim.deep_equal(known, state.keep(result, client).report) then
        state.changed(before)
      end
      if under_way.again then
        update(id, client)
      end
    end
    if done then
      done()
    end
  end)
end

--- The server's word that places have moved, gone stale, or are vouched for by somebody better.
function M.refreshed()
  local shown = state.current()
  local client = shown and server.running(shown.root)
  if not shown or not client or not client.initialized then
    return
  end
  local under_way = asking[shown.report.id]
  if under_way and under_way.client_id == client.id then
    under_way.again = true
  else
    update(shown.report.id, client)
  end
end

--- Bring an earlier answer up to date and its lenses back into the editor, where its server runs.
---@param shown sightline.Shown
function M.show(shown)
  local client = server.running(shown.root)
  if client and client.initialized then
    update(shown.report.id, client, true)
  end
end

--- Give a server that has just started the current answer, if it is about the same project.
---@param client vim.lsp.Client
function M.give_back(client)
  local shown = state.current()
  if shown and shown.root == client.config.root_dir then
    update(shown.report.id, client, true)
  end
end

--- Call `done` with the server of an answer's project once it knows the answer: started if it does
--- not run, nil if it cannot be started.
---@param shown sightline.Shown
---@param done fun(client: vim.lsp.Client?)
function M.at_server(shown, done)
  server.start(shown.root, function(client)
    if not client or shown.client_id == client.id then
      return done(client)
    end
    update(shown.report.id, client, nil, function()
      done(client)
    end)
  end)
end

return M
