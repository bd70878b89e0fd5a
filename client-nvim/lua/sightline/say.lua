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

--- What an editor's error says, without where in this plugin it was raised.
---@param why string
---@return string
function M.reason(why)
  return why:match("E%d+: [^\n]*") or why:match("^[^\n]*")
end

--- As much of a text as fits into the last line; more would wait for a key.
---@param text string
---@return string
function M.fitting(text)
  return vim.fn.printf("%." .. math.max(10, vim.o.columns - 12) .. "S", text)
end

--- Do something in which the editor may fail: no room for a window, a window it does not let go of.
---@param action function
---@param ... any its arguments
function M.tried(action, ...)
  local done, why = pcall(action, ...)
  if not done then
    M.problem(M.reason(tostring(why)))
  end
end

--- There is no current answer to do something with.
function M.no_answer()
  local is_left = #require("sightline.state").order > 0
  M.info(
    is_left and "No answer is shown; :Sightline reports goes back to one."
      or "There is no answer yet; ask a question first."
  )
end

return M
