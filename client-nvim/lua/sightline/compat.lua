--- Covers the differences between Neovim 0.10 and later versions.
local M = {}

local HAS_METHODS = vim.fn.has("nvim-0.11") == 1

---@param client vim.lsp.Client
---@param method string
---@param params table?
---@param handler fun(err: table?, result: any)
---@param bufnr integer?
---@return boolean sent, integer? id
function M.request(client, method, params, handler, bufnr)
  if HAS_METHODS then
    return client:request(method, params, handler, bufnr)
  end
  return client.request(method, params, handler, bufnr)
end

---@param client vim.lsp.Client
---@param method string
---@param params table?
function M.notify(client, method, params)
  if HAS_METHODS then
    return client:notify(method, params)
  end
  return client.notify(method, params)
end

---@param client vim.lsp.Client
---@param id integer
function M.cancel(client, id)
  if HAS_METHODS then
    return client:cancel_request(id)
  end
  return client.cancel_request(id)
end

---@param client vim.lsp.Client
---@param method string
---@param bufnr integer?
---@return boolean
function M.supports(client, method, bufnr)
  if HAS_METHODS then
    return client:supports_method(method, bufnr)
  end
  return client.supports_method(method, { bufnr = bufnr })
end

---@param client vim.lsp.Client
---@return boolean
function M.is_stopped(client)
  if HAS_METHODS then
    return client:is_stopped()
  end
  return client.is_stopped()
end

---@param client vim.lsp.Client
function M.stop(client)
  if HAS_METHODS then
    return client:stop()
  end
  return client.stop()
end

--- Starts a server without attaching a buffer.
---@param config vim.lsp.ClientConfig
---@return integer? id of the client
function M.start(config)
  if HAS_METHODS then
    local function never()
      return false
    end
    return vim.lsp.start(config, { attach = false, reuse_client = never, silent = true })
  end
  return (vim.lsp.start_client(config))
end

--- Converts a byte offset in a line to a column in a position encoding.
---@param line string
---@param byte integer 0-based
---@param encoding string
---@return integer
function M.column(line, byte, encoding)
  byte = math.min(byte, #line)
  if encoding == "utf-8" then
    return byte
  end
  if HAS_METHODS then
    return vim.str_utfindex(line, encoding, byte, false)
  end
  local utf32, utf16 = vim.str_utfindex(line, byte)
  return encoding == "utf-16" and utf16 or utf32
end

--- Converts a column in a position encoding to a 0-based byte offset.
---@param line string
---@param column integer
---@param encoding string
---@return integer
function M.byte(line, column, encoding)
  if encoding == "utf-8" then
    return math.min(column, #line)
  end
  if HAS_METHODS then
    return vim.str_byteindex(line, encoding, column, false)
  end
  local ok, byte = pcall(vim.str_byteindex, line, column, encoding == "utf-16")
  return ok and byte or #line
end

return M
