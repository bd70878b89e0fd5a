--- Handles the server's commands in lenses and code actions, so that answers open in this plugin's
--- windows and not as documents.
local state = require("sightline.state")

local M = {}

---@param name string
---@return fun(command: lsp.Command, context: table)
local function ask_handler(name)
  return function(command, context)
    local client = assert(vim.lsp.get_client_by_id(context.client_id))
    local request = vim.deepcopy(command.arguments and command.arguments[1] or {})
    request.show = nil
    require("sightline.ask").send({
      query = request.query or command.title,
      command = name,
      start = function(ready)
        ready(client)
      end,
      make = function()
        return request
      end,
    })
  end
end

---@param command lsp.Command
local function show(command)
  local id = (command.arguments or {})[1] and command.arguments[1].reportId
  local shown = state.shown[id]
  if shown then
    state.current_id = id
    require("sightline.show").open(shown)
  end
end

---@param by integer
---@return fun(command: lsp.Command)
local function step_handler(by)
  return function(command)
    local place = (command.arguments or {})[1] or {}
    local shown = state.shown[place.reportId]
    if not shown then
      return
    end
    state.make_current(shown)
    if place.index then
      shown.at = place.index + 1
    end
    require("sightline.flow").step(by)
  end
end

---@return table<string, fun(command: lsp.Command, context: table)>
function M.commands()
  return {
    ["sightline.explore"] = ask_handler("explore"),
    ["sightline.exploreAt"] = ask_handler("exploreAt"),
    ["sightline.showReport"] = show,
    ["sightline.nextLink"] = step_handler(1),
    ["sightline.previousLink"] = step_handler(-1),
  }
end

return M
