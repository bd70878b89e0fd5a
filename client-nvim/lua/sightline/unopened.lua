--- Files without a loaded buffer: opens them in a language server for the duration of a request.
local compat = require("sightline.compat")
local place = require("sightline.place")

local M = {}

local LIMIT_BYTES = 2000000

---@type table<string, integer> number of running requests by client and file
local users = {}

---@param uri string
---@return string?
local function text_of(uri)
  local path = vim.uri_to_fname(uri)
  local stat = vim.uv.fs_stat(path)
  -- Regular files only: reading a pipe might never end.
  local file = stat and stat.type == "file" and stat.size <= LIMIT_BYTES and io.open(path, "rb")
  if not file then
    return nil
  end
  local text = file:read("*a")
  file:close()
  return text
end

---@param uri string
---@return integer? bufnr of a loaded buffer
local function buffer_of(uri)
  local bufnr = place.buffer(vim.uri_to_fname(uri))
  return bufnr and vim.api.nvim_buf_is_loaded(bufnr) and bufnr or nil
end

--- A line of a file, from its buffer if it is loaded. Empty if there is no such line.
---@param uri string
---@param line integer 0-based
---@return string
function M.line(uri, line)
  local bufnr = buffer_of(uri)
  if bufnr then
    return vim.api.nvim_buf_get_lines(bufnr, line, line + 1, false)[1] or ""
  end
  local lines = vim.split(text_of(uri) or "", "\r?\n")
  return lines[line + 1] or ""
end

--- Calls `use` while the client has the file open, with a function that `use` must call when done.
---@param client vim.lsp.Client
---@param uri string?
---@param use fun(close: fun())
function M.with_open_file(client, uri, use)
  local function do_nothing() end
  local bufnr = uri and buffer_of(uri)
  if not uri or (bufnr and client.attached_buffers[bufnr]) then
    return use(do_nothing)
  end
  local key = client.id .. " " .. uri
  if not users[key] then
    local text = text_of(uri)
    if not text then
      return use(do_nothing)
    end
    local language = vim.filetype.match({ filename = vim.uri_to_fname(uri) }) or ""
    local document = { uri = uri, languageId = language, version = 0, text = text }
    compat.notify(client, "textDocument/didOpen", { textDocument = document })
  end
  users[key] = (users[key] or 0) + 1
  local closed = false
  use(function()
    if closed then
      return
    end
    closed = true
    users[key] = users[key] - 1
    if users[key] > 0 then
      return
    end
    users[key] = nil
    local opened = buffer_of(uri)
    -- If the user has opened the file meanwhile, its buffer keeps it open in the server.
    if not (opened and client.attached_buffers[opened]) then
      compat.notify(client, "textDocument/didClose", { textDocument = { uri = uri } })
    end
  end)
end

return M
