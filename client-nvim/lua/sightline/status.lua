--- The status: the server, its project and index, and the language servers that help it.
local server = require("sightline.server")

local M = {}

---@param result table
---@return string[]
local function status_lines(result)
  local lines = { ("Sightline %s"):format(result.version), "" }
  for _, folder in ipairs(result.folders or {}) do
    lines[#lines + 1] = "Project: " .. vim.uri_to_fname(folder)
  end
  if type(result.index) == "table" then
    local index = result.index
    lines[#lines + 1] = ("Index: %d of %d files, %d symbols"):format(
      index.indexed,
      index.total,
      index.symbols
    )
  end
  lines[#lines + 1] = ("Answers stored: %d"):format(result.reports)
  if result.judge then
    lines[#lines + 1] = "Judge: " .. result.judge
  end
  for _, provider in ipairs(result.providers or {}) do
    lines[#lines + 1] = "Confirms steps: " .. provider.name
    for _, trouble in ipairs(provider.trouble or {}) do
      lines[#lines + 1] = "  " .. trouble
    end
  end
  return lines
end

---@param client vim.lsp.Client
---@return string[]
local function helper_lines(client)
  local names = {}
  for _, each in ipairs(vim.lsp.get_clients()) do
    if each.id ~= client.id and each.name ~= server.NAME then
      names[#names + 1] = each.name
    end
  end
  local asked, answered = 0, 0
  for _, count in pairs(require("sightline.channel").counts) do
    asked, answered = asked + count.asked, answered + count.answered
  end
  local server_names = #names > 0 and table.concat(names, ", ") or "none"
  return {
    "Your other language servers: " .. server_names,
    ("They were asked %d times and had an answer %d times."):format(asked, answered),
  }
end

--- Shows the status in a floating window.
function M.show()
  local bufnr = vim.api.nvim_get_current_buf()
  local client = server.client(bufnr)
  local scope = require("sightline.scope").of(server.project(bufnr))
  local running = require("sightline.ask").running_questions()
  local lines = vim.tbl_map(function(query)
    return "Looking for an answer: " .. query
  end, running)
  local function show_lines(more)
    vim.list_extend(lines, more)
    local opts = { border = "rounded", focus_id = "sightline-status" }
    vim.lsp.util.open_floating_preview(lines, "text", opts)
  end
  if scope then
    lines[#lines + 1] = "Questions are about: " .. table.concat(scope, ", ")
  end
  if not client then
    return show_lines({ "The server is not running for this project; a question starts it." })
  elseif not client.initialized then
    return show_lines({ "The server is being started." })
  end
  server.execute(client, "status", nil, function(message, result)
    show_lines(
      message and { message } or vim.list_extend(status_lines(result), helper_lines(client))
    )
  end)
end

return M
