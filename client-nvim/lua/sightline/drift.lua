--- Keeping answers as they are now: the server says that something changed, and is asked what.
local server = require("sightline.server")
local state = require("sightline.state")

local M = {}

---@type table<string, boolean> reports being asked for; true if they changed again meanwhile
local asking = {}

---@param id string
local function update(id)
  local shown = state.shown[id]
  local client = shown and vim.lsp.get_client_by_id(shown.client_id)
  if not client or asking[id] ~= nil then
    asking[id] = asking[id] ~= nil and true or nil
    return
  end
  asking[id] = false
  server.execute(client, "report", { reportId = id, show = true }, function(message, result)
    local again = asking[id]
    asking[id] = nil
    local before = state.shown[id]
    if message or not before then
      return
    end
    local known = before.report
    local now = state.keep(result).report
    if not vim.deep_equal(known, now) then
      state.changed(state.shown[id])
    end
    if again then
      update(id)
    end
  end)
end

--- The server's word that places have moved, gone stale, or are vouched for by somebody better.
function M.refreshed()
  if state.current_id then
    update(state.current_id)
  end
end

return M
