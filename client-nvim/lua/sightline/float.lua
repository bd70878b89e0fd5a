--- Shows a link's fact, quote and witness in a floating window.
local place = require("sightline.place")
local say = require("sightline.say")
local state = require("sightline.state")
local wording = require("sightline.wording")

local M = {}

--- A Markdown fence that the text cannot close: longer than any run of backticks in it.
---@param text string
---@return string
local function fence_for(text)
  local fence = "```"
  for run in text:gmatch("`+") do
    fence = #run < #fence and fence or run .. "`"
  end
  return fence
end

---@param report sightline.Report
---@param index integer
---@return string[]
function M.lines(report, index)
  local link = report.links[index]
  local title = ("%d/%d %s"):format(index, #report.links, link.role)
  local lines = { "**" .. vim.trim(title) .. "**", "" }
  if link.stale then
    vim.list_extend(lines, { "The quoted text is gone; this is where it was.", "" })
  end
  vim.list_extend(lines, { link.fact, "" })
  local fence = fence_for(link.quote)
  lines[#lines + 1] = fence .. (vim.filetype.match({ filename = link.path }) or "")
  vim.list_extend(lines, vim.split(link.quote, "\n"))
  vim.list_extend(lines, { fence, "" })
  local hop = wording.hop(report, index)
  if hop then
    lines[#lines + 1] = "↓ " .. hop
  end
  lines[#lines + 1] = ("%s:%d"):format(link.path, link.quoteRange.start)
  return lines
end

--- Shows a link of the current answer.
---@param index integer
---@return integer? bufnr, integer? win
function M.open(index)
  local shown = state.current()
  if not shown or not shown.report.links[index] then
    return say.no_answer()
  end
  return vim.lsp.util.open_floating_preview(M.lines(shown.report, index), "markdown", {
    border = "rounded",
    focus_id = "sightline",
    max_width = 90,
    wrap = true,
  })
end

--- Shows the link whose range contains the cursor; if there are several, the one with the nearest
--- quote.
function M.at_cursor()
  local shown = state.current()
  local name = place.path(vim.api.nvim_buf_get_name(0))
  local line = vim.api.nvim_win_get_cursor(0)[1]
  local best, nearest
  for index, link in ipairs(shown and shown.report.links or {}) do
    local file = place.file(link)
    local inside = line >= link.range.start and line <= link.range["end"]
    local distance = math.abs(line - link.quoteRange.start)
    if inside and file and place.path(file) == name and (not nearest or distance < nearest) then
      best, nearest = index, distance
    end
  end
  if not best then
    return say.info("The answer says nothing about this line.")
  end
  return M.open(best)
end

return M
