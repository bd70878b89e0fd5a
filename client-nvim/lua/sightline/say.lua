--- Messages to the user: one sentence each.
local M = {}

---@param text string
---@param level integer?
local function notify(text, level)
  vim.schedule(function()
    vim.notify("Sightline: " .. text, level)
  end)
end

---@param text string
function M.info(text)
  notify(text, vim.log.levels.INFO)
end

---@param text string
function M.warn(text)
  notify(text, vim.log.levels.WARN)
end

---@param text string
function M.problem(text)
  notify(text, vim.log.levels.ERROR)
end

return M
