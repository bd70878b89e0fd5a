--- Messages to the user, one sentence each.
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

--- The text of an editor error, without the position in this plugin that raised it.
---@param message string
---@return string
function M.reason(message)
  return message:match("E%d+: [^\n]*") or message:match("^[^\n]*")
end

--- Truncates a text to what fits into the last screen line; a longer one would wait for a key.
---@param text string
---@return string
function M.truncated(text)
  return vim.fn.printf("%." .. math.max(10, vim.o.columns - 12) .. "S", text)
end

--- Runs an action that may raise an editor error (no room for a window, a buffer pinned to its
--- window) and shows the error.
---@param action function
---@param ... any its arguments
function M.try(action, ...)
  local done, message = pcall(action, ...)
  if not done then
    M.problem(M.reason(tostring(message)))
  end
end

--- Says that there is no current answer.
function M.no_answer()
  local is_left = #require("sightline.state").order > 0
  M.info(
    is_left and "No answer is shown; :Sightline reports lists earlier ones."
      or "There is no answer yet; ask a question first."
  )
end

return M
