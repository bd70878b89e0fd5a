--- The globs that limit the questions about a project.
local say = require("sightline.say")

local M = {}

---@type table<string, string[]> globs by project root
local globs = {}

---@param root string
---@return string[]? globs, nil for the whole project
function M.of(root)
  return globs[root]
end

--- Limits all further questions to the globs. Without globs, lifts the limit.
---@param root string
---@param words string[]
function M.set(root, words)
  globs[root] = #words > 0 and words or nil
  if #words == 0 then
    return say.info("Questions are about the whole project.")
  end
  say.info(("Questions are about %s only."):format(table.concat(words, ", ")))
end

return M
