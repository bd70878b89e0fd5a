--- The side window: the current answer, one foldable section per link.
local config = require("sightline.config")
local panel_text = require("sightline.panel_text")
local place = require("sightline.place")
local say = require("sightline.say")
local state = require("sightline.state")

local M = {}

local NAME = "sightline://answer"
local NAMESPACE = vim.api.nvim_create_namespace("sightline-panel")
local CURRENT_NS = vim.api.nvim_create_namespace("sightline-panel-at")

---@type integer?
local bufnr
---@type table<integer, sightline.Target>
local targets = {}
---@type table<integer, string> fold levels by line
local folds = {}
---@type string? id of the last answer shown
local shown_id

---@return integer? win
function M.window()
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if bufnr and vim.api.nvim_win_get_buf(win) == bufnr then
      return win
    end
  end
end

---@return string
function M.foldexpr()
  return folds[vim.v.lnum] or "0"
end

---@return string
function M.foldtext()
  return vim.fn.getline(vim.v.foldstart)
end

--- Goes to the target of the line under the cursor.
---@param take_focus boolean
local function go(take_focus)
  local target = targets[vim.api.nvim_win_get_cursor(0)[1]]
  local shown = state.current()
  if not target or not shown then
    return
  end
  if target.link then
    return require("sightline.flow").go(target.link, take_focus)
  elseif target.keywords then
    return require("sightline.ask").with_keywords()
  end
  require("sightline.flow").open(target.path, target.line, 1, take_focus)
end

--- Moves to the next or previous link's heading.
---@param by integer
local function go_to_heading(by)
  local line = vim.api.nvim_win_get_cursor(0)[1] + by
  while line >= 1 and line <= vim.api.nvim_buf_line_count(0) do
    if folds[line] == ">1" then
      return vim.api.nvim_win_set_cursor(0, { line, 0 })
    end
    line = line + by
  end
end

local function map_keys()
  local function map(lhs, desc, action)
    vim.keymap.set(
      "n",
      lhs,
      action,
      { buffer = bufnr, nowait = true, desc = "Sightline: " .. desc }
    )
  end
  map("<CR>", "go to this place", function()
    go(true)
  end)
  map("<2-LeftMouse>", "go to this place", function()
    go(true)
  end)
  map("o", "show this place, but stay here", function()
    go(false)
  end)
  map("K", "fact, quote and witness", function()
    local target = targets[vim.api.nvim_win_get_cursor(0)[1]]
    if target and target.link then
      require("sightline.float").open(target.link)
    end
  end)
  map("]]", "next place", function()
    go_to_heading(1)
  end)
  map("[[", "previous place", function()
    go_to_heading(-1)
  end)
  map("R", "ask again", function()
    require("sightline.ask").refresh()
  end)
  map("q", "close", function()
    M.close()
  end)
  map("g?", "help", function()
    if not pcall(vim.cmd.help, "sightline-panel") then
      say.warn("The plugin's help is not indexed yet; run :helptags ALL.")
    end
  end)
end

local function make_buffer()
  if bufnr and vim.api.nvim_buf_is_loaded(bufnr) then
    return
  end
  -- A buffer left by :bdelete or a restored session has the name, but no mappings and no options.
  local old_bufnr = place.buffer(NAME)
  if old_bufnr then
    vim.api.nvim_buf_delete(old_bufnr, { force = true })
  end
  bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(bufnr, NAME)
  vim.bo[bufnr].bufhidden = "hide"
  vim.bo[bufnr].filetype = "sightline"
  vim.bo[bufnr].modifiable = false
  map_keys()
end

---@param win integer
local function set_window_options(win)
  local options = {
    number = false,
    relativenumber = false,
    signcolumn = "no",
    foldcolumn = "0",
    list = false,
    spell = false,
    wrap = true,
    linebreak = true,
    breakindent = true,
    cursorline = true,
    winfixwidth = true,
    winfixbuf = true,
    foldmethod = "expr",
    foldexpr = "v:lua.require'sightline.panel'.foldexpr()",
    foldtext = "v:lua.require'sightline.panel'.foldtext()",
    foldlevel = 1,
    foldenable = true,
    fillchars = "fold: ,eob: ",
  }
  for name, value in pairs(options) do
    vim.api.nvim_set_option_value(name, value, { win = win, scope = "local" })
  end
end

--- Writes an answer into the buffer without moving the cursor.
---@param shown sightline.Shown
local function draw(shown)
  if not bufnr or not vim.api.nvim_buf_is_loaded(bufnr) then
    return
  end
  local text = panel_text.render(shown.report)
  targets, folds = text.targets, text.folds
  if not vim.deep_equal(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), text.lines) then
    vim.bo[bufnr].modifiable = true
    vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, text.lines)
    vim.bo[bufnr].modifiable = false
  end
  vim.bo[bufnr].modified = false
  vim.api.nvim_buf_clear_namespace(bufnr, NAMESPACE, 0, -1)
  for _, span in ipairs(text.spans) do
    local opts = { end_col = span.last, hl_group = span.group, strict = false }
    vim.api.nvim_buf_set_extmark(bufnr, NAMESPACE, span.row, span.first, opts)
  end
  M.mark(shown)
end

--- Shows an answer, scrolled to the top, where its confidence stands. Leaves the cursor alone if it
--- is already shown or the reader has visited one of its links.
---@param shown sightline.Shown
function M.open(shown)
  make_buffer()
  if not M.window() then
    local width = math.min(config.options.panel.width, math.max(20, math.floor(vim.o.columns / 2)))
    local at = { split = config.options.panel.side, win = -1, width = width }
    local opened, win = pcall(vim.api.nvim_open_win, assert(bufnr), false, at)
    if not opened then
      return say.warn("The side window could not be opened: " .. say.reason(win))
    end
    set_window_options(win)
  end
  draw(shown)
  local is_new = shown_id ~= shown.report.id and shown.at == 0
  shown_id = shown.report.id
  local win = M.window()
  if win and is_new then
    vim.api.nvim_win_set_cursor(win, { 1, 0 })
  end
end

---@param win integer
---@return boolean
local function is_alone(win)
  return not vim.iter(vim.api.nvim_tabpage_list_wins(0)):any(function(each)
    return each ~= win and vim.api.nvim_win_get_config(each).relative == ""
  end)
end

function M.close()
  local win = M.window()
  if not win then
    return
  elseif not is_alone(win) then
    return vim.api.nvim_win_close(win, true)
  end
  vim.wo[win].winfixbuf, vim.wo[win].winfixwidth = false, false
  vim.api.nvim_win_set_buf(win, vim.api.nvim_create_buf(true, false))
end

--- Highlights the current link and moves the side window's cursor to it.
---@param shown sightline.Shown
function M.mark(shown)
  if not bufnr or not vim.api.nvim_buf_is_loaded(bufnr) then
    return
  end
  vim.api.nvim_buf_clear_namespace(bufnr, CURRENT_NS, 0, -1)
  for line, target in pairs(targets) do
    if target.link == shown.at and folds[line] == ">1" then
      vim.api.nvim_buf_set_extmark(bufnr, CURRENT_NS, line - 1, 0, { line_hl_group = "Visual" })
      local win = M.window()
      if win and win ~= vim.api.nvim_get_current_win() then
        vim.api.nvim_win_set_cursor(win, { line, 0 })
      end
    end
  end
end

state.watch(function(shown)
  if shown.report.id == state.current_id then
    draw(shown)
  end
end)

return M
