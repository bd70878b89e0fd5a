--- Locates links in files and buffers.
local M = {}

--- Normalises a file name for comparison. Does not expand apparent variables, since a file may be
--- called $HOME.py.
---@param name string
---@return string
function M.path(name)
  return vim.fs.normalize(name, { expand_env = false })
end

---@param link sightline.Link
---@return string? path
function M.file(link)
  return link.location and vim.uri_to_fname(link.location.uri) or nil
end

--- The buffer with exactly this file name. vim.fn.bufnr() matches patterns: a.py would find a.pyi.
---@param path string
---@return integer? bufnr
function M.buffer(path)
  local wanted = M.path(path)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if M.path(vim.api.nvim_buf_get_name(bufnr)) == wanted then
      return bufnr
    end
  end
end

--- The byte columns of the quote in its first line: 1-based, the end exclusive.
---@param link sightline.Link
---@param line string? the line's text, if it is known
---@return integer col, integer end_col
function M.columns(link, line)
  local quote = vim.trim(vim.split(link.quote, "\n")[1])
  local first, last = nil, nil
  if line and not link.stale then
    first, last = line:find(quote, 1, true)
  end
  if first and last then
    return first, last + 1
  end
  local blank = line and #line:match("^%s*") or 0
  return blank + 1, math.max(blank + 1, #(line or "") + 1)
end

--- The text of a line, from the buffer if it is loaded, otherwise from the file.
---@param path string
---@param number integer 1-based
---@return string?
function M.line(path, number)
  return require("sightline.unopened").line(vim.uri_from_fname(path), number - 1)
end

return M
