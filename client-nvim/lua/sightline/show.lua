--- Shows a new answer where the user's options say.
local config = require("sightline.config")
local say = require("sightline.say")
local state = require("sightline.state")

local M = {}

---@param shown sightline.Shown
---@return string
local function summary(shown)
  local report = shown.report
  local count = #report.links
  if count == 0 then
    return "Nothing in this project answers the question."
  end
  local places = count == 1 and "One place" or ("%d places"):format(count)
  return ("%s, %s confidence. :Sightline next goes to the first."):format(places, report.confidence)
end

--- Shows an answer as configured.
---@param shown sightline.Shown
function M.open(shown)
  local open = config.options.open
  state.changed(shown)
  require("sightline.quickfix").fill(shown)
  if open == "panel" or open == "both" then
    require("sightline.panel").open(shown)
  end
  if (open == "quickfix" or open == "both") and #shown.report.links > 0 then
    say.try(require("sightline.quickfix").open)
  end
  if config.options.jump and #shown.report.links > 0 then
    require("sightline.flow").go(1)
  end
  say.info(summary(shown))
end

return M
