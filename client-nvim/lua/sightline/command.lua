--- The :Sightline command and its completion.
local say = require("sightline.say")

local M = {}

local INTENTS = { "explain", "locate", "edit", "debug" }

--- The actions by name. Each gets the words after its name, their raw text and the selected lines.
---@type table<string, fun(words: string[], rest: string, lines: integer[]?)>
local actions = {
  next = function()
    require("sightline.flow").step(1)
  end,
  prev = function()
    require("sightline.flow").step(-1)
  end,
  report = function()
    require("sightline.reports").toggle()
  end,
  reports = function()
    require("sightline.reports").pick()
  end,
  refresh = function()
    require("sightline.ask").refresh()
  end,
  followup = function(_, rest, lines)
    local ask = require("sightline.ask")
    ask.follow_up(rest, ask.here(lines))
  end,
  keywords = function(_, rest)
    require("sightline.ask").with_keywords(rest)
  end,
  cancel = function()
    require("sightline.ask").cancel()
  end,
  clear = function()
    require("sightline.reports").clear()
  end,
  scope = function(words)
    require("sightline.scope").set(require("sightline.server").project(0), words)
  end,
  restart = function()
    require("sightline.server").restart(vim.api.nvim_get_current_buf())
  end,
  export = function(words)
    -- A file name may contain spaces.
    local path = words[2] and table.concat(words, " ", 2)
    require("sightline.export").export(words[1], path)
  end,
  status = function()
    require("sightline.status").show()
  end,
}

---@return string[]
local function names()
  local all = vim.list_extend(vim.tbl_keys(actions), INTENTS)
  table.sort(all)
  return all
end

---@param opts { fargs: string[], args: string, range: integer, line1: integer, line2: integer }
local function run(opts)
  local name = opts.fargs[1] or "explain"
  local rest = vim.trim(opts.args:sub(#name + 1))
  local lines = opts.range > 0 and { opts.line1, opts.line2 } or nil
  if vim.tbl_contains(INTENTS, name) then
    require("sightline").setup_once()
    local ask = require("sightline.ask")
    return ask.ask(name, rest, ask.here(lines))
  end
  if not actions[name] then
    local known = table.concat(names(), ", ")
    return say.problem(("Unknown command :Sightline %s; use one of %s."):format(name, known))
  end
  require("sightline").setup_once()
  actions[name](vim.list_slice(opts.fargs, 2), rest, lines)
end

---@param opts { fargs: string[], args: string, range: integer, line1: integer, line2: integer }
function M.run(opts)
  if vim.fn.has("nvim-0.10") == 0 then
    return say.problem("Neovim 0.10 or newer is required.")
  end
  say.try(run, opts)
end

---@param candidates string[]
---@param lead string
---@return string[]
local function with_prefix(candidates, lead)
  return vim.tbl_filter(function(each)
    return vim.startswith(each, lead)
  end, candidates)
end

--- Completes the keywords that the current answer suggests, except those already in the line.
---@param lead string
---@param line string
---@return string[]
function M.complete_keywords(lead, line)
  local shown = require("sightline.state").current()
  local typed = vim.split(line, "[%s,]+")
  -- The last word is still being typed.
  typed[#typed] = nil
  -- In a prompt, a completion replaces all the typed text; on the command line, only the last word.
  local typed_before, word = lead:match("^(.*[%s,])([^%s,]*)$")
  local found = vim.tbl_filter(function(each)
    return not vim.tbl_contains(typed, each)
  end, with_prefix(shown and shown.report.suggestedKeywords or {}, word or lead))
  return vim.tbl_map(function(each)
    return (typed_before or "") .. each
  end, found)
end

--- Completes action names, export formats and files, files for a scope, suggested keywords, the
--- symbol under the cursor and earlier questions.
---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  -- The command may be abbreviated and preceded by a range.
  local before = line:match("%f[%u]S%a*%s+(.*)$") or ""
  local name, rest = before:match("^(%S+)%s+(.*)$")
  if not name then
    return with_prefix(names(), lead)
  end
  if name == "export" then
    if rest:find("%s") then
      return vim.fn.getcompletion(lead, "file")
    end
    return with_prefix(require("sightline.export").FORMATS, lead)
  end
  if name == "scope" then
    return vim.fn.getcompletion(lead, "file")
  end
  if name == "keywords" then
    return M.complete_keywords(lead, rest)
  end
  if name ~= "followup" and not vim.tbl_contains(INTENTS, name) then
    return {}
  end
  local found = with_prefix({ vim.fn.expand("<cword>") }, lead)
  for _, query in ipairs(with_prefix(require("sightline.ask").history, rest)) do
    found[#found + 1] = query:sub(#rest - #lead + 1)
  end
  return vim.tbl_filter(function(each)
    return each ~= ""
  end, found)
end

return M
