--- Exports an answer to a file or a buffer.
local say = require("sightline.say")
local server = require("sightline.server")
local state = require("sightline.state")

local M = {}

local SUFFIXES =
  { markdown = "md", json = "json", text = "txt", codetour = "tour", mermaid = "mmd" }

---@type string[]
M.FORMATS = vim.tbl_keys(SUFFIXES)
table.sort(M.FORMATS)

---@param content string
---@param format string
local function write_buffer(content, format)
  vim.cmd("new")
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile = "nofile", "wipe", false
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(content, "\n"))
  vim.bo.modified = false
  vim.bo.filetype = vim.filetype.match({ filename = "report." .. SUFFIXES[format] }) or ""
end

---@param content string
---@param path string
local function write_file(content, path)
  if vim.uv.fs_stat(path) then
    return say.problem(path .. " already exists; choose another name.")
  end
  local file, reason = io.open(path, "wb")
  if not file then
    return say.problem(("The answer cannot be written: %s."):format(reason))
  end
  local written, write_error = file:write(content)
  -- Writing buffered data may fail only now.
  local closed, close_error = file:close()
  if not (written and closed) then
    os.remove(path)
    return say.problem(("%s cannot be written: %s."):format(path, write_error or close_error))
  end
  say.info("The answer was written to " .. path .. ".")
end

--- Exports the current answer.
---@param format string? default: markdown
---@param path string? a new file; without one, a buffer is opened
function M.export(format, path)
  format = format or "markdown"
  local shown = state.current()
  if not SUFFIXES[format] then
    return say.problem(
      ("Unknown format %s; use one of %s."):format(format, table.concat(M.FORMATS, ", "))
    )
  end
  if not shown then
    return say.no_answer()
  end
  require("sightline.drift").with_server(shown, function(client)
    if not client then
      return
    end
    local argument = { reportId = shown.report.id, format = format }
    server.execute(client, "export", argument, function(message, result)
      if message then
        return say.problem(message)
      end
      if path then
        return write_file(result.content, vim.fs.normalize(path))
      end
      write_buffer(result.content, format)
    end)
  end)
end

return M
