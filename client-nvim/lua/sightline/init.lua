--- Sightline's public functions: ask how the code works, and walk through the answer.
local M = {}

local is_set_up = false

local function initialise()
  if not is_set_up then
    is_set_up = true
    require("sightline.marks")
    require("sightline.server").follow_buffers()
  end
end

--- Sets options. Calling it is optional; see :help sightline-options.
---@param options sightline.Config|table|nil
function M.setup(options)
  require("sightline.config").set(options)
  initialise()
end

--- Initialises the plugin before the first :Sightline action.
function M.setup_once()
  initialise()
end

---@param intent "explain"|"locate"|"edit"|"debug"
---@param query string? without one, the user is prompted
function M.ask(intent, query)
  initialise()
  require("sightline.ask").ask(intent, query)
end

--- Goes to the next place of the answer.
function M.next()
  require("sightline.flow").step(1)
end

--- Goes to the previous place of the answer.
function M.prev()
  require("sightline.flow").step(-1)
end

--- Text for a status line: that a question is running, or the position in the flow, or nothing.
---@return string
function M.statusline()
  if #require("sightline.ask").running_questions() > 0 then
    return "Sightline: looking"
  end
  local shown = require("sightline.state").current()
  if not shown or #shown.report.links == 0 then
    return ""
  end
  return ("Sightline %d/%d"):format(shown.at, #shown.report.links)
end

return M
