--- Switches between the answers of this session, and shows or hides them.
local picker = require("sightline.picker")
local say = require("sightline.say")
local server = require("sightline.server")
local state = require("sightline.state")

local M = {}

---@param shown sightline.Shown
---@return string
local function label(shown)
  local stale = 0
  for _, link in ipairs(shown.report.links) do
    stale = stale + (link.stale and 1 or 0)
  end
  local count = #shown.report.links
  local places = count == 1 and "1 place" or count .. " places"
  local gone = stale > 0 and (", %d stale"):format(stale) or ""
  return ("%s (%s, %s%s)"):format(shown.report.query, shown.report.intent, places, gone)
end

--- Lets the user choose one of the answers of this session, newest first.
function M.pick()
  local items = {}
  for index = #state.order, 1, -1 do
    items[#items + 1] = state.shown[state.order[index]]
  end
  if #items == 0 then
    return say.no_answer()
  end
  picker.choose(items, "Answers", label, function(shown)
    state.current_id = shown.report.id
    require("sightline.show").open(shown)
    require("sightline.drift").show(shown)
  end)
end

--- Toggles the side window with the current answer.
function M.toggle()
  local panel, shown = require("sightline.panel"), state.current()
  if panel.window() then
    panel.close()
  elseif shown then
    panel.open(shown)
  else
    say.no_answer()
  end
end

--- Removes the marks, the side window and the lenses from the editor. The answers are kept.
function M.clear()
  state.current_id = nil
  require("sightline.marks").draw_all()
  require("sightline.panel").close()
  for _, client in ipairs(vim.lsp.get_clients({ name = server.NAME })) do
    server.execute(client, "dismissReport", { all = true }, function(message)
      if message then
        say.problem(message)
      end
    end)
  end
end

return M
