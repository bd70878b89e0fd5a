--- The options and their defaults.
local M = {}

---@class sightline.Config
---@field cmd string[] the command that starts the server
---@field root_markers string[] files or folders that mark a project's root
---@field settings table<string, any> the server's settings, as in docs/configuration.md
---@field autostart boolean start the server with the first file instead of with the first question
---@field open "panel"|"quickfix"|"both"|"none" what to open when an answer arrives
---@field jump boolean go to the first place when an answer arrives
---@field panel { width: integer, side: "right"|"left" }
---@field marks { signs: boolean, facts: boolean } what to show at quoted lines
---@field picker "auto"|"snacks"|"telescope"|"fzf-lua"|"select"
---@field editor_channel { enabled: boolean, timeout_ms: integer } ask other language servers
---@field restarts integer how often to restart a server that stopped

---@type sightline.Config
local defaults = {
  cmd = { "sightline", "serve" },
  root_markers = { ".sightline.toml", ".git", ".hg", ".jj" },
  settings = {},
  autostart = false,
  open = "panel",
  jump = false,
  panel = { width = 56, side = "right" },
  marks = { signs = true, facts = true },
  picker = "auto",
  editor_channel = { enabled = true, timeout_ms = 2500 },
  restarts = 3,
}

---@type sightline.Config
M.options = vim.deepcopy(defaults)

local CHOICES = {
  open = { "panel", "quickfix", "both", "none" },
  picker = { "auto", "snacks", "telescope", "fzf-lua", "select" },
  ["panel.side"] = { "right", "left" },
}
local MINIMUM = { ["panel.width"] = 1, ["editor_channel.timeout_ms"] = 1, restarts = 0 }

--- Whether an option has sub-options to check here. The server checks its own settings (`{}` here).
---@param default any
---@return boolean
local function is_group(default)
  return type(default) == "table" and next(default) ~= nil and not vim.islist(default)
end

---@param value any
---@return boolean
local function is_string_list(value)
  return vim.islist(value)
    and vim.iter(value):all(function(each)
      return type(each) == "string"
    end)
end

--- Says in one sentence what is wrong with an option; nil if it is valid.
---@param name string
---@param value any
---@param default any
---@return string?
local function problem(name, value, default)
  if default == nil then
    return ("Unknown option %s; see :help sightline-options."):format(name)
  elseif type(value) ~= type(default) then
    return ("The option %s must be a %s."):format(name, type(default))
  elseif CHOICES[name] and not vim.tbl_contains(CHOICES[name], value) then
    return ("The option %s must be one of %s."):format(name, table.concat(CHOICES[name], ", "))
  elseif MINIMUM[name] and (value < MINIMUM[name] or value % 1 ~= 0) then
    return ("The option %s must be a whole number, %d or more."):format(name, MINIMUM[name])
  elseif name == "cmd" and not (is_string_list(value) and #value > 0) then
    return "The option cmd must be a list of strings that starts with a program."
  elseif name == "root_markers" and not is_string_list(value) then
    return "The option root_markers must be a list of strings."
  end
end

--- The valid options. Adds a sentence to `problems` for each of the others.
---@param options table<string, any>
---@param default_options table<string, any> the defaults
---@param prefix string prefix of the names in messages
---@param problems string[]
---@return table<string, any>
local function valid_options(options, default_options, prefix, problems)
  local valid = {}
  for key, value in pairs(options) do
    local name, default = prefix .. tostring(key), default_options[key]
    local message = problem(name, value, default)
    if message then
      problems[#problems + 1] = message
    elseif is_group(default) then
      valid[key] = valid_options(value, default, name .. ".", problems)
    else
      valid[key] = value
    end
  end
  return valid
end

--- Applies the user's options. An invalid one keeps its default, and the user is told.
---@param options table<string, any>?
function M.set(options)
  local problems = {}
  if type(options or {}) ~= "table" then
    options, problems = nil, { "The argument of setup must be a table of options." }
  end
  local valid = valid_options(vim.deepcopy(options or {}), defaults, "", problems)
  table.sort(problems)
  for _, each in ipairs(problems) do
    vim.notify("Sightline: " .. each, vim.log.levels.WARN)
  end
  M.options = vim.tbl_deep_extend("force", vim.deepcopy(defaults), valid)
end

return M
