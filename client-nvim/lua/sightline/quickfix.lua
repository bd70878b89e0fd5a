--- Shows the flow as a quickfix list and keeps it up to date while the files change.
local place = require("sightline.place")
local state = require("sightline.state")
local wording = require("sightline.wording")

local M = {}

---@type table<string, integer> ids of quickfix lists by report id
local lists = {}

---@param report sightline.Report
---@return table[]
function M.items(report)
  local items = {}
  for index, link in ipairs(report.links) do
    local file = place.file(link)
    local line = file and place.line(file, link.quoteRange.start)
    local col, end_col = place.columns(link, line)
    local one = link.quoteRange.start == link.quoteRange["end"]
    items[index] = {
      filename = file,
      lnum = link.quoteRange.start,
      end_lnum = link.quoteRange["end"],
      col = col,
      end_col = one and end_col or nil,
      text = wording.line(report, index),
      type = link.stale and "W" or "",
      user_data = { report = report.id, link = link.id, range = link.range },
    }
  end
  return items
end

---@param shown sightline.Shown
---@return integer? id of the list, if it is still in the quickfix stack
local function list_of(shown)
  local id = lists[shown.report.id]
  return id and vim.fn.getqflist({ id = id, nr = 0 }).nr > 0 and id or nil
end

--- Creates the list of an answer, or updates it.
---@param shown sightline.Shown
function M.fill(shown)
  local what = { title = "Sightline: " .. shown.report.query, items = M.items(shown.report) }
  local known = list_of(shown)
  if known then
    what.id = known
    what.idx = vim.fn.getqflist({ id = known, idx = 0 }).idx
    vim.fn.setqflist({}, "r", what)
    return
  end
  vim.fn.setqflist({}, " ", what)
  lists[shown.report.id] = vim.fn.getqflist({ id = 0 }).id
end

--- Makes a link the current entry of its list.
---@param index integer
function M.select(index)
  local shown = state.current()
  local id = shown and list_of(shown)
  if id then
    vim.fn.setqflist({}, "a", { id = id, idx = index })
  end
end

--- Opens the quickfix window without moving the focus there.
function M.open()
  local before = vim.api.nvim_get_current_win()
  vim.cmd("botright copen")
  vim.api.nvim_set_current_win(before)
end

state.watch(function(shown)
  if list_of(shown) then
    M.fill(shown)
  end
end)

return M
