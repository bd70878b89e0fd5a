--- Draws signs and facts at the quoted lines of the current answer.
local config = require("sightline.config")
local place = require("sightline.place")
local state = require("sightline.state")
local wording = require("sightline.wording")

local M = {}

M.namespace = vim.api.nvim_create_namespace("sightline")

---@param bufnr integer
---@param shown sightline.Shown
---@param index integer
local function mark(bufnr, shown, index)
  local link = shown.report.links[index]
  local row = link.quoteRange.start - 1
  if row >= vim.api.nvim_buf_line_count(bufnr) then
    return
  end
  local last = math.min(link.quoteRange["end"], vim.api.nvim_buf_line_count(bufnr))
  local group = link.stale and "SightlineStale" or "SightlineSign"
  local text = vim.api.nvim_buf_get_lines(bufnr, last - 1, last, false)[1] or ""
  local opts = { end_row = last - 1, end_col = #text, hl_group = "SightlineQuote", strict = false }
  if link.stale then
    opts.hl_group = nil
  end
  if config.options.marks.signs then
    opts.sign_text, opts.sign_hl_group = tostring(index), group
  end
  if config.options.marks.facts then
    local fact = ("  %s%s"):format(link.stale and "(stale) " or "", wording.plain(link.fact))
    opts.virt_text = { { fact, link.stale and "SightlineStale" or "SightlineFact" } }
    opts.hl_mode = "combine"
  end
  vim.api.nvim_buf_set_extmark(bufnr, M.namespace, row, 0, opts)
end

--- Redraws a buffer's marks.
---@param bufnr integer
function M.draw(bufnr)
  if not vim.api.nvim_buf_is_loaded(bufnr) then
    return
  end
  vim.api.nvim_buf_clear_namespace(bufnr, M.namespace, 0, -1)
  local shown = state.current()
  local name = place.path(vim.api.nvim_buf_get_name(bufnr))
  if not shown or name == "" or vim.bo[bufnr].buftype ~= "" then
    return
  end
  for index, link in ipairs(shown.report.links) do
    local file = place.file(link)
    if file and place.path(file) == name then
      mark(bufnr, shown, index)
    end
  end
end

function M.draw_all()
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    M.draw(bufnr)
  end
end

local function highlights()
  local links = {
    SightlineSign = "DiagnosticSignInfo",
    SightlineFact = "Comment",
    SightlineQuote = "CursorLine",
    SightlineStale = "DiagnosticWarn",
    SightlineTitle = "Title",
    SightlineNumber = "Number",
    SightlineRole = "Type",
    SightlinePath = "Directory",
    SightlineHop = "Comment",
  }
  for name, link in pairs(links) do
    vim.api.nvim_set_hl(0, name, { link = link, default = true })
  end
end

highlights()
local group = vim.api.nvim_create_augroup("sightline-marks", {})
vim.api.nvim_create_autocmd("ColorScheme", { group = group, callback = highlights })
vim.api.nvim_create_autocmd("BufReadPost", {
  group = group,
  callback = function(event)
    M.draw(event.buf)
  end,
})
state.watch(M.draw_all)

return M
