--- Asks questions: prompt, anchor, progress and cancellation.
local compat = require("sightline.compat")
local drift = require("sightline.drift")
local say = require("sightline.say")
local scope = require("sightline.scope")
local server = require("sightline.server")
local state = require("sightline.state")

local M = {}

---@class sightline.Pending
---@field client vim.lsp.Client?
---@field request_id integer?
---@field query string
---@field is_slow boolean? the user was told that it is still running

---@class sightline.Question
---@field query string as shown to the user
---@field command "explore"|"exploreAt"
---@field start fun(ready: fun(client: vim.lsp.Client?)) gets the client to ask, nil if none
---@field make fun(client: vim.lsp.Client): table builds the command's argument

---@type table<integer, sightline.Pending>
local pending = {}
local last_number = 0

---@type string[] earlier questions, newest first
M.history = {}

local CANCELLED = -32800
--- How long a question may take before the user is told that it is still running.
local QUIET_MS = 1000
local PROMPTS = {
  explain = { "What do you want explained? ", "How does %s work?" },
  locate = { "What are you looking for? ", "Where is %s?" },
  edit = { "What do you want to change? ", "What needs to change if I change %s?" },
  debug = { "What is going wrong? ", "Why does %s fail?" },
  followup = { "What else do you want to know? ", "What about %s?" },
}

---@class sightline.Place
---@field bufnr integer
---@field cursor { [1]: integer, [2]: integer } 1-based line and 0-based byte
---@field symbol string the word under the cursor, may be empty
---@field lines { [1]: integer, [2]: integer }? the selected lines, 1-based

---@param lines { [1]: integer, [2]: integer }?
---@return sightline.Place
function M.here(lines)
  return {
    bufnr = vim.api.nvim_get_current_buf(),
    cursor = vim.api.nvim_win_get_cursor(0),
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

--- A question's anchor: the selection, or the symbol under the cursor if the question names it.
---@param place sightline.Place
---@param query string
---@param encoding string
---@return table?
local function anchor(place, query, encoding)
  local bufnr = place.bufnr
  if not server.is_file(bufnr) then
    return nil
  end
  local uri = vim.uri_from_bufnr(bufnr)
  if place.lines then
    local position = { line = place.lines[1] - 1, character = 0 }
    return { uri = uri, position = position, endLine = place.lines[2] }
  end
  if not mentions(query, place.symbol) then
    return nil
  end
  local row, byte = place.cursor[1] - 1, place.cursor[2]
  local text = vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1] or ""
  local position = { line = row, character = compat.column(text, byte, encoding) }
  return { uri = uri, position = position }
end

---@param number integer
---@return boolean whether the answer is still wanted
local function finish(number)
  local was = pending[number] ~= nil
  pending[number] = nil
  return was
end

--- Stores an answer, makes it the current one and shows it.
---@param raw table
---@param client vim.lsp.Client
---@param request table
local function show_answer(raw, client, request)
  if request.replaces then
    state.forget(request.replaces)
  end
  -- From now on, the question is the one that the server derived from the place.
  request.query, request.intent = raw.query, raw.intent
  request.uri, request.position, request.ask = nil, nil, nil
  local shown = state.keep(raw, client, request)
  state.current_id = shown.report.id
  require("sightline.show").open(shown)
end

--- Shows the progress of a slow question, unless the user is typing.
---@param message string
local function progress(message)
  if next(pending) and vim.api.nvim_get_mode().mode == "n" then
    local text = ("Sightline: %s (:Sightline cancel)"):format(message)
    vim.api.nvim_echo({ { say.truncated(text) } }, false, {})
  end
end

---@param client_id integer
---@return integer? number of a question that this server is answering
local function question_of(client_id)
  for number, each in pairs(pending) do
    if each.client and each.client.id == client_id then
      return number
    end
  end
end

vim.api.nvim_create_autocmd("LspProgress", {
  group = vim.api.nvim_create_augroup("sightline-progress", {}),
  callback = function(event)
    local number = question_of(event.data.client_id)
    local value = (event.data.params or {}).value
    local message = type(value) == "table" and value.message
    if number and pending[number].is_slow and type(message) == "string" then
      progress(message)
    end
  end,
})

--- Sends a question. Its answer becomes the current one.
---@param question sightline.Question
function M.send(question)
  last_number = last_number + 1
  local number = last_number
  pending[number] = { query = question.query }
  vim.defer_fn(function()
    if pending[number] then
      pending[number].is_slow = true
      progress("Looking for an answer")
    end
  end, QUIET_MS)
  question.start(function(client)
    local waiting = pending[number]
    if not waiting then
      return
    elseif not client then
      return finish(number)
    end
    local request = question.make(client)
    waiting.client = client
    waiting.request_id = server.execute(
      client,
      question.command,
      request,
      function(message, raw, code)
        if not finish(number) then
          return
        elseif code == CANCELLED then
          say.info("The question was cancelled.")
        elseif message then
          say.problem(message)
        else
          show_answer(raw, client, request)
        end
      end
    )
  end)
end

---@param query string
local function remember(query)
  M.history = vim.tbl_filter(function(each)
    return each ~= query
  end, M.history)
  table.insert(M.history, 1, query)
  M.history[51] = nil
end

--- Calls `use` with the given question, or prompts the user for one.
---@param kind string
---@param query string?
---@param place sightline.Place
---@param use fun(query: string)
local function with_query(kind, query, place, use)
  local function use_input(input)
    local text = vim.trim(input or "")
    if text ~= "" then
      remember(text)
      use(text)
    end
  end
  if vim.trim(query or "") ~= "" then
    return use_input(query)
  end
  local prompt, default = unpack(PROMPTS[kind])
  local opts = { prompt = prompt }
  opts.default = place.symbol ~= "" and default:format(place.symbol) or nil
  vim.ui.input(opts, use_input)
end

--- Builds the argument of `sightline.explore`.
---@param query string
---@param intent string
---@param place sightline.Place
---@param client vim.lsp.Client
---@return table
local function request_of(query, intent, place, client)
  local is_here = server.client(place.bufnr) == client
  local encoding = client.offset_encoding or "utf-16"
  return {
    query = query,
    intent = intent,
    anchor = is_here and anchor(place, query, encoding) or nil,
    scope = scope.of(client.config.root_dir),
  }
end

--- Asks a question. Without a query, prompts the user.
---@param intent "explain"|"locate"|"edit"|"debug"
---@param query string?
---@param place sightline.Place?
function M.ask(intent, query, place)
  local from = place or M.here()
  with_query(intent, query, from, function(text)
    M.send({
      query = text,
      command = "explore",
      start = function(ready)
        server.start_for(from.bufnr, ready)
      end,
      make = function(client)
        return request_of(text, intent, from, client)
      end,
    })
  end)
end

--- Asks a follow-up question, which keeps the evidence of the current answer.
---@param query string?
---@param place sightline.Place?
function M.follow_up(query, place)
  local shown = state.current()
  if not shown then
    return say.no_answer()
  end
  local from = place or M.here()
  with_query("followup", query, from, function(text)
    M.send({
      query = text,
      command = "explore",
      start = function(ready)
        drift.with_server(shown, ready)
      end,
      make = function(client)
        local request = request_of(text, shown.report.intent, from, client)
        request.followUp = { reportId = shown.report.id }
        return request
      end,
    })
  end)
end

--- Repeats an answer's question. The new answer replaces the old one.
---@param shown sightline.Shown
---@param changed { forceRefresh: boolean, keywords: string[]? } overrides of the original request
local function ask_again(shown, changed)
  local request = vim.tbl_extend("force", vim.deepcopy(shown.request), changed)
  request.replaces = shown.report.id
  M.send({
    query = request.query,
    command = "explore",
    start = function(ready)
      server.start(shown.root, ready)
    end,
    make = function()
      return request
    end,
  })
end

--- Repeats the current answer's question, bypassing the cache.
function M.refresh()
  local shown = state.current()
  if not shown then
    return say.no_answer()
  end
  ask_again(shown, { forceRefresh = true })
end

--- Splits typed text into words at spaces and commas.
---@param text string
---@return string[]
local function words_of(text)
  return vim.split(text, "[%s,]+", { trimempty = true })
end

--- Repeats the current answer's question with extra keywords. Without any, prompts the user.
---@param text string?
function M.with_keywords(text)
  local shown = state.current()
  if not shown then
    return say.no_answer()
  end
  local function ask_with_input(input)
    local previous = shown.request.keywords or {}
    local keywords = {}
    for _, word in ipairs(vim.list_extend(vim.deepcopy(previous), words_of(input or ""))) do
      if not vim.tbl_contains(keywords, word) then
        keywords[#keywords + 1] = word
      end
    end
    if #keywords > #previous then
      ask_again(shown, { forceRefresh = false, keywords = keywords })
    elseif vim.trim(input or "") ~= "" then
      say.info("This question has already been asked with these words.")
    end
  end
  if vim.trim(text or "") ~= "" then
    return ask_with_input(text)
  end
  local suggested = table.concat(shown.report.suggestedKeywords or {}, ", ")
  local suggestion = suggested ~= "" and (" (%s)"):format(suggested) or ""
  vim.ui.input({
    prompt = ("Ask again with keywords%s: "):format(suggestion),
    completion = "customlist,v:lua.require'sightline.command'.complete_keywords",
  }, ask_with_input)
end

--- Cancels all running questions.
function M.cancel()
  local count = 0
  for number, each in pairs(pending) do
    pending[number] = nil
    count = count + 1
    if each.client and each.request_id then
      compat.cancel(each.client, each.request_id)
    end
  end
  say.info(count > 0 and "The question was cancelled." or "No question is running.")
end

---@return string[] the running questions
function M.running_questions()
  return vim.tbl_map(function(each)
    return each.query
  end, vim.tbl_values(pending))
end

return M
