--- Walking through the current answer.
local place = require("sightline.place")
local say = require("sightline.say")
local state = require("sightline.state")

local M = {}

---@param win integer
---@return boolean
local function shows_code(win)
  local bufnr = vim.api.nvim_win_get_buf(win)
  return vim.bo[bufnr].buftype == "" and vim.api.nvim_win_get_config(win).relative == ""
end

--- The window to open code in: this one, the one before, any that shows code, or a new one.
---@return integer
local function code_window()
  local candidates = { vim.api.nvim_get_current_win(), vim.fn.win_getid(vim.fn.winnr("#")) }
  vim.list_extend(candidates, vim.api.nvim_tabpage_list_wins(0))
  for _, win in ipairs(candidates) do
    if win ~= 0 and shows_code(win) then
      return win
    end
  end
  vim.cmd("topleft vnew")
  return vim.api.nvim_get_current_win()
end

--- Open a file at a line and a byte, both 1-based.
---@param path string
---@param line integer
---@param column integer?
---@param take_focus boolean?
function M.open(path, line, column, take_focus)
  local before = vim.api.nvim_get_current_win()
  local win = code_window()
  vim.api.nvim_set_current_win(win)
  vim.cmd("normal! m'")
  local bufnr = vim.fn.bufadd(path)
  if vim.api.nvim_win_get_buf(win) ~= bufnr then
    vim.bo[bufnr].buflisted = true
    local ok, why = pcall(vim.api.nvim_win_set_buf, win, bufnr)
    if not ok then
      return say.problem(("%s could not be opened: %s"):format(path, why))
    end
  end
  line = math.min(line, vim.api.nvim_buf_line_count(bufnr))
  vim.api.nvim_win_set_cursor(win, { line, (column or 1) - 1 })
  vim.cmd("normal! zvzz")
  if take_focus == false then
    vim.api.nvim_set_current_win(before)
  end
end

--- Go to a link of the current answer, by its number.
---@param index integer
---@param take_focus boolean?
function M.go(index, take_focus)
  local shown = state.current()
  local link = shown and shown.report.links[index]
  local file = link and place.file(link)
  if not shown or not link then
    return say.info("There is no answer yet; ask a question first.")
  end
  if not file then
    return say.warn(link.path .. " is gone.")
  end
  shown.at = index
  local number = link.quoteRange.start
  local column = place.columns(link, place.line(file, number))
  M.open(file, number, column, take_focus)
  require("sightline.panel").mark(shown)
  require("sightline.quickfix").select(index)
  local line = require("sightline.wording").line(shown.report, index)
  vim.api.nvim_echo({ { line:sub(1, math.max(10, vim.o.columns - 12)) } }, false, {})
end

--- Go on by so many links; past either end at the other.
---@param by integer
function M.step(by)
  local shown = state.current()
  local count = shown and #shown.report.links or 0
  if not shown or count == 0 then
    local text = shown and "The answer has no places to go to."
      or "There is no answer yet; ask a question first."
    return say.info(text)
  end
  local at = shown.at
  if at == 0 and by < 0 then
    at = 1
  end
  M.go((at + by - 1) % count + 1)
end

return M
