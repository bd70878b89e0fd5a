--- Moves through the links of the current answer.
local place = require("sightline.place")
local say = require("sightline.say")
local state = require("sightline.state")

local M = {}

---@param win integer
---@param target_bufnr integer a buffer
---@return boolean
local function can_show(win, target_bufnr)
  local bufnr = vim.api.nvim_win_get_buf(win)
  local shows_code = vim.bo[bufnr].buftype == "" and vim.api.nvim_win_get_config(win).relative == ""
  return shows_code and (bufnr == target_bufnr or not vim.wo[win].winfixbuf)
end

--- The window to open a buffer in: the current one, the previous one, any that shows code, or a new
--- one.
---@param target_bufnr integer
---@return integer
local function code_window(target_bufnr)
  local candidates = { vim.api.nvim_get_current_win(), vim.fn.win_getid(vim.fn.winnr("#")) }
  vim.list_extend(candidates, vim.api.nvim_tabpage_list_wins(0))
  for _, win in ipairs(candidates) do
    if win ~= 0 and can_show(win, target_bufnr) then
      return win
    end
  end
  vim.cmd("topleft vnew")
  vim.bo.bufhidden = "wipe"
  return vim.api.nvim_get_current_win()
end

--- Opens a file at a line and a byte column, both 1-based.
---@param path string
---@param line integer
---@param column integer?
---@param take_focus boolean?
function M.open(path, line, column, take_focus)
  local before = vim.api.nvim_get_current_win()
  local bufnr = vim.fn.bufadd(path)
  local win
  local shown, reason = pcall(function()
    win = code_window(bufnr)
    vim.api.nvim_set_current_win(win)
    vim.cmd("normal! m'")
    if vim.api.nvim_win_get_buf(win) ~= bufnr then
      vim.bo[bufnr].buflisted = true
      vim.api.nvim_win_set_buf(win, bufnr)
    end
  end)
  if not shown then
    if vim.api.nvim_get_current_win() ~= before then
      vim.api.nvim_set_current_win(before)
    end
    return say.problem(("%s could not be opened: %s"):format(path, say.reason(reason)))
  end
  line = math.min(line, vim.api.nvim_buf_line_count(bufnr))
  vim.api.nvim_win_set_cursor(win, { line, (column or 1) - 1 })
  vim.cmd("normal! zvzz")
  if take_focus == false then
    vim.api.nvim_set_current_win(before)
  end
end

--- Goes to a link of the current answer.
---@param index integer
---@param take_focus boolean?
function M.go(index, take_focus)
  local shown = state.current()
  local link = shown and shown.report.links[index]
  local file = link and place.file(link)
  if not shown or not link then
    return say.no_answer()
  end
  -- Set even if the file is gone; otherwise stepping could never get past this link.
  shown.at = index
  if not file then
    require("sightline.panel").mark(shown)
    local text = "%s no longer exists; :Sightline refresh finds where the code is now."
    return say.warn(text:format(link.path))
  end
  local number = link.quoteRange.start
  local column = place.columns(link, place.line(file, number))
  M.open(file, number, column, take_focus)
  require("sightline.panel").mark(shown)
  require("sightline.quickfix").select(index)
  local line = require("sightline.wording").line(shown.report, index)
  vim.api.nvim_echo({ { say.truncated(line) } }, false, {})
end

--- Moves by the given number of links, wrapping around at both ends.
---@param by integer
function M.step(by)
  local shown = state.current()
  if not shown then
    return say.no_answer()
  end
  local count = #shown.report.links
  if count == 0 then
    return say.info("The answer has no places to go to.")
  end
  local at = shown.at
  if at == 0 and by < 0 then
    at = 1
  end
  M.go((at + by - 1) % count + 1)
end

return M
