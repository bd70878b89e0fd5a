--- Asking a question: prompt, anchor, progress and cancelling.
local compat = require("sightline.compat")
local say = require("sightline.say")
local server = require("sightline.server")
local state = require("sightline.state")

local M = {}

---@class sightline.Pending
---@field client vim.lsp.Client?
---@field request_id integer?
---@field query string

---@type table<integer, sightline.Pending>
local pending = {}
local last = 0

---@type string[] earlier questions, the newest first
M.history = {}

local CANCELLED = -32800
local PROMPTS = {
  explain = { "What do you want explained? ", "How does %s work?" },
  locate = { "What are you looking for? ", "Where is %s?" },
  edit = { "What do you want to change? ", "What do I touch to change %s?" },
  debug = { "What goes wrong? ", "Why does %s fail?" },
}

---@class sightline.Place
---@field bufnr integer
---@field win integer
---@field symbol string under the cursor, may be empty
---@field lines { [1]: integer, [2]: integer }? a selection, 1-based

---@param lines { [1]: integer, [2]: integer }?
---@return sightline.Place
function M.here(lines)
  return {
    bufnr = vim.api.nvim_get_current_buf(),
    win = vim.api.nvim_get_current_win(),
    symbol = vim.bo.buftype == "" and vim.fn.expand("<cword>") or "",
    lines = lines,
  }
end

---@param text string
---@param word string
---@return boolean
local function mentions(text, word)
  return word ~= "" and vim.fn.match(text, "\\V\\C\\<" .. vim.fn.escape(word, "\\") .. "\\>") >= 0
end

--- A selection is always an anchor; the symbol under the cursor is one if the question names it.
---@param place sightline.Place
---@param query string
---@param encoding string
---@return table?
local function anchor(place, query, encoding)
  local name = vim.api.nvim_buf_get_name(place.bufnr)
  if name == "" or vim.bo[place.bufnr].buftype ~= "" then
    return nil
  end
  local uri = vim.uri_from_bufnr(place.bufnr)
  if place.lines then
    local position = { line = place.lines[1] - 1, character = 0 }
    return { uri = uri, position = position, endLine = place.lines[2] }
  end
  if not mentions(query, place.symbol) or not vim.api.nvim_win_is_valid(place.win) then
    return nil
  end
  local position = vim.lsp.util.make_position_params(place.win, encoding).position
  return { uri = uri, position = position, symbol = place.symbol }
end

---@param number integer
---@return boolean still wanted
local function settle(number)
  local was = pending[number] ~= nil
  pending[number] = nil
  return was
end

--- Send a question; the answer is kept, made the current one and shown.
---@param bufnr integer
---@param make fun(client: vim.lsp.Client): table the argument
---@param query string
local function send(bufnr, make, query)
  last = last + 1
  local number = last
  pending[number] = { query = query }
  server.start(bufnr, function(client)
    local request = make(client)
    if not pending[number] then
      return
    end
    pending[number].client = client
    pending[number].request_id = server.execute(
      client,
      "explore",
      request,
      function(message, raw, code)
        if not settle(number) then
          return
        end
        if message then
          return code == CANCELLED and say.info("The question was cancelled.")
            or say.problem(message)
        end
        if request.replaces then
          state.forget(request.replaces)
        end
        M.take(raw, request, client.id)
      end
    )
  end)
end

--- Make an answer of the server's the current one, and show it.
---@param raw table
---@param request table
---@param client_id integer
function M.take(raw, request, client_id)
  local shown = state.keep(raw, request, client_id)
  state.current_id = shown.report.id
  require("sightline.show").open(shown)
end

---@param query string
local function remember(query)
  M.history = vim.tbl_filter(function(each)
    return each ~= query
  end, M.history)
  table.insert(M.history, 1, query)
  M.history[51] = nil
end

--- Ask a question; without one the user is prompted.
---@param intent "explain"|"locate"|"edit"|"debug"
---@param query string?
---@param place sightline.Place?
function M.ask(intent, query, place)
  place = place or M.here()
  query = vim.trim(query or "")
  if query == "" then
    local prompt, default = unpack(PROMPTS[intent])
    local opts = { prompt = prompt }
    opts.default = place.symbol ~= "" and default:format(place.symbol) or nil
    return vim.ui.input(opts, function(given)
      if given and vim.trim(given) ~= "" then
        M.ask(intent, given, place)
      end
    end)
  end
  remember(query)
  send(place.bufnr, function(client)
    local encoding = client.offset_encoding or "utf-16"
    return { query = query, intent = intent, anchor = anchor(place, query, encoding) }
  end, query)
end

--- Ask the current answer's question again, its cached answer left aside.
function M.refresh()
  local shown = state.current()
  if not shown then
    return say.info("There is no answer yet; ask a question first.")
  end
  local request = vim.deepcopy(shown.request)
  request.forceRefresh = true
  local live = vim.lsp.get_client_by_id(shown.client_id)
  request.replaces = live and shown.report.id or nil
  send(vim.api.nvim_get_current_buf(), function()
    return request
  end, request.query)
end

--- Cancel every question under way.
function M.cancel()
  local count = 0
  for number, each in pairs(pending) do
    pending[number] = nil
    count = count + 1
    if each.client and each.request_id then
      compat.cancel(each.client, each.request_id)
    end
  end
  say.info(count > 0 and "The question was cancelled." or "No question is under way.")
end

--- A server has ended: its questions will not be answered.
---@param client_id integer
function M.lost(client_id)
  for number, each in pairs(pending) do
    if each.client and each.client.id == client_id then
      pending[number] = nil
      say.warn(('The server stopped before "%s" was answered; ask again.'):format(each.query))
    end
  end
end

---@return string[] the questions under way
function M.under_way()
  return vim.tbl_map(function(each)
    return each.query
  end, vim.tbl_values(pending))
end

return M
