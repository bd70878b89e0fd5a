--- The editor channel: the project's other language servers answer Sightline's requests.
local compat = require("sightline.compat")
local config = require("sightline.config")
local place = require("sightline.place")
local unopened = require("sightline.unopened")

local M = {}

local SINGLE_REQUESTS = {
  workspaceSymbols = "workspace/symbol",
  documentSymbols = "textDocument/documentSymbol",
  definition = "textDocument/definition",
  references = "textDocument/references",
  implementations = "textDocument/implementation",
}
local HIERARCHIES = {
  incomingCalls = { "textDocument/prepareCallHierarchy", "callHierarchy/incomingCalls" },
  outgoingCalls = { "textDocument/prepareCallHierarchy", "callHierarchy/outgoingCalls" },
  supertypes = { "textDocument/prepareTypeHierarchy", "typeHierarchy/supertypes" },
  subtypes = { "textDocument/prepareTypeHierarchy", "typeHierarchy/subtypes" },
}

---@type string[]
M.METHODS = vim.tbl_keys(vim.tbl_extend("error", SINGLE_REQUESTS, HIERARCHIES))
table.sort(M.METHODS)

--- How often each method was requested and had a non-empty result; for :Sightline status.
---@type table<string, { asked: integer, answered: integer }>
M.counts = {}

---@param client vim.lsp.Client
---@param path string
---@return boolean
local function has_root_of(client, path)
  for _, folder in ipairs(client.workspace_folders or {}) do
    local root = place.path(vim.uri_to_fname(folder.uri))
    if vim.startswith(path, root .. "/") then
      return true
    end
  end
  return false
end

---@param client vim.lsp.Client
---@param path string
---@return boolean
local function knows_language(client, path)
  local filetype = vim.filetype.match({ filename = path })
  local config_of = client.config --[[@as table]]
  if filetype and config_of.filetypes then
    return vim.tbl_contains(config_of.filetypes, filetype)
  end
  for bufnr in pairs(client.attached_buffers) do
    if vim.api.nvim_buf_is_valid(bufnr) and vim.bo[bufnr].filetype == filetype then
      return true
    end
  end
  return false
end

--- The clients to ask about a file, or, without one, about the whole project.
---@param requester_id integer id of the requesting client, which is never asked itself
---@param method string the LSP method
---@param uri string?
---@return vim.lsp.Client[]
local function clients_to_ask(requester_id, method, uri)
  local path = uri and place.path(vim.uri_to_fname(uri))
  local bufnr = path and place.buffer(path)
  return vim.tbl_filter(function(client)
    if client.id == requester_id or client.name == require("sightline.server").NAME then
      return false
    end
    if not client.initialized or compat.is_stopped(client) then
      return false
    end
    if not compat.supports(client, method, bufnr) then
      return false
    end
    if not path then
      return true
    end
    local attached = bufnr and client.attached_buffers[bufnr]
    return attached or (has_root_of(client, path) and knows_language(client, path))
  end, vim.lsp.get_clients())
end

--- Converts the position in `params` to another client's position encoding.
---@param params table
---@param from string
---@param client vim.lsp.Client
---@return table
local function in_encoding_of(params, from, client)
  local to = client.offset_encoding or "utf-16"
  if not params.position or from == to then
    return params
  end
  local line = unopened.line(params.textDocument.uri, params.position.line)
  local byte = compat.byte(line, params.position.character, from)
  local position = { line = params.position.line, character = compat.column(line, byte, to) }
  return vim.tbl_extend("force", params, { position = position })
end

---@param result any
---@return table[]
local function as_list(result)
  if result == nil or result == vim.NIL then
    return {}
  end
  return vim.islist(result) and result or { result }
end

--- Asks one client. Calls `done` once, with a list.
---@param client vim.lsp.Client
---@param method string the short name, without "sightline/"
---@param params table
---@param done fun(found: table[])
local function ask(client, method, params, done)
  local function send(name, what, on_result)
    local sent = compat.request(client, name, what, function(err, result)
      on_result(err and {} or as_list(result))
    end, 0)
    if not sent then
      on_result({})
    end
  end
  if SINGLE_REQUESTS[method] then
    return send(SINGLE_REQUESTS[method], params, done)
  end
  local prepare, follow = unpack(HIERARCHIES[method])
  send(prepare, params, function(items)
    local all, remaining = {}, #items
    if remaining == 0 then
      done(all)
    end
    for _, item in ipairs(items) do
      send(follow, { item = item }, function(found)
        vim.list_extend(all, found)
        remaining = remaining - 1
        if remaining == 0 then
          done(all)
        end
      end)
    end
  end)
end

---@param all table[]
---@param seen table<string, boolean>
---@param found table[]
local function merge(all, seen, found)
  for _, each in ipairs(found) do
    local at = each.location or each.from or each.to or each
    local range = at.targetSelectionRange or at.selectionRange or at.range
    local key = vim.json.encode({ at.uri or at.targetUri or "", range or "", each.name or "" })
    if not seen[key] then
      seen[key] = true
      all[#all + 1] = each
    end
  end
end

--- Answers one reverse request. Calls `done` once, with all results or, after a timeout, with those
--- found by then.
---@param requester_id integer id of the requesting client
---@param method string the short name, without "sightline/"
---@param params table
---@param done fun(found: table[])
function M.answer(requester_id, method, params, done)
  local uri = params.textDocument and params.textDocument.uri
  local clients =
    clients_to_ask(requester_id, SINGLE_REQUESTS[method] or HIERARCHIES[method][1], uri)
  local count = M.counts[method] or { asked = 0, answered = 0 }
  M.counts[method] = count
  count.asked = count.asked + 1
  local requester_encoding = assert(vim.lsp.get_client_by_id(requester_id)).offset_encoding
    or "utf-16"
  local all, seen, remaining, finished = {}, {}, #clients, false
  local function finish()
    if not finished then
      finished = true
      count.answered = count.answered + (#all > 0 and 1 or 0)
      done(all)
    end
  end
  if remaining == 0 then
    return finish()
  end
  vim.defer_fn(finish, config.options.editor_channel.timeout_ms)
  for _, client in ipairs(clients) do
    unopened.with_open_file(client, uri, function(close)
      ask(client, method, in_encoding_of(params, requester_encoding, client), function(found)
        close()
        merge(all, seen, found)
        remaining = remaining - 1
        if remaining == 0 then
          finish()
        end
      end)
    end)
  end
end

--- Handlers of the reverse requests. Neovim runs each handler in a coroutine and sends its return
--- value, so a handler can wait without blocking the editor.
---@return table<string, lsp.Handler>
function M.handlers()
  local found = {}
  for _, method in ipairs(M.METHODS) do
    found["sightline/" .. method] = function(_, params, context)
      local thread = assert(coroutine.running(), "called outside of a coroutine")
      local answer, waiting
      M.answer(context.client_id, method, params, function(result)
        answer = result
        if waiting then
          coroutine.resume(thread)
        end
      end)
      if not answer then
        waiting = true
        coroutine.yield()
      end
      return answer
    end
  end
  return found
end

return M
