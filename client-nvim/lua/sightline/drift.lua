--- Keeps answers up to date: when the server says that something changed, fetches the report again.
local server = require("sightline.server")
local state = require("sightline.state")

local M = {}

---@type table<string, { client_id: integer, is_outdated: boolean }> reports being fetched, by id
local updates = {}

--- Builds the argument that fetches an answer's current state. It includes the answer itself for a
--- server that did not make it, which tracks it from then on.
---@param shown sightline.Shown
---@param client vim.lsp.Client
---@param show boolean? also show its lenses in the editor
---@return table
local function report_argument(shown, client, show)
  local argument = { reportId = shown.report.id, show = show }
  if shown.client_id ~= client.id then
    argument.kept = vim.deepcopy(shown.raw)
    for _, each in ipairs(argument.kept.primary or {}) do
      -- Neovim drops JSON's null, which here means that the place is the whole file.
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
  local current_update = { client_id = client.id, is_outdated = false }
  updates[id] = current_update
  local argument = report_argument(state.shown[id], client, show)
  server.execute(client, "report", argument, function(message, result)
    if updates[id] == current_update then
      updates[id] = nil
    end
    local before = state.shown[id]
    if before and not message then
      local old_report = before.report
      if not vim.deep_equal(old_report, state.keep(result, client).report) then
        state.changed(before)
      end
      if current_update.is_outdated then
        update(id, client)
      end
    end
    if done then
      done()
    end
  end)
end

--- Handles the server's notice that places have moved, gone stale or got a better witness.
function M.on_refresh()
  local shown = state.current()
  local client = shown and server.running(shown.root)
  if not shown or not client or not client.initialized then
    return
  end
  local current_update = updates[shown.report.id]
  if current_update and current_update.client_id == client.id then
    current_update.is_outdated = true
  else
    update(shown.report.id, client)
  end
end

--- Updates an earlier answer and shows its lenses again, if its server is running.
---@param shown sightline.Shown
function M.show(shown)
  local client = server.running(shown.root)
  if client and client.initialized then
    update(shown.report.id, client, true)
  end
end

--- Gives the current answer to a server that has just started, if both concern the same project.
---@param client vim.lsp.Client
function M.restore(client)
  local shown = state.current()
  if shown and shown.root == client.config.root_dir then
    update(shown.report.id, client, true)
  end
end

--- Calls `done` with the client of an answer's project once its server knows the answer. Starts the
--- server if necessary; calls `done` with nil if that fails.
---@param shown sightline.Shown
---@param done fun(client: vim.lsp.Client?)
function M.with_server(shown, done)
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
