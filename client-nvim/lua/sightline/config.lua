--- What there is to set, and its defaults.
local M = {}

---@class sightline.Config
---@field cmd string[] how the server is started
---@field root_markers string[] files or folders that stand in a project's root
---@field settings table<string, any> the server's settings, as in docs/configuration.md
---@field autostart boolean start the server with the first file instead of with the first question
---@field open "panel"|"quickfix"|"both"|"none" what opens when an answer is there
---@field jump boolean go to the first place when an answer is there
---@field panel { width: integer, side: "right"|"left" }
---@field marks { signs: boolean, facts: boolean } what stands at quoted lines
---@field picker "auto"|"snacks"|"telescope"|"fzf-lua"|"select"
---@field editor_channel { enabled: boolean, timeout_ms: integer } ask other servers
---@field restarts integer how often a server that stopped is started again

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
}

--- What is wrong with options, one sentence each.
---@param given table<string, any>
---@return string[]
function M.problems(given)
  local found = {}
  for name, value in pairs(given) do
    local default = defaults[name]
    if default == nil then
      found[#found + 1] = ("There is no option %s; :help sightline-options lists them."):format(
        name
      )
    elseif type(value) ~= type(default) then
      found[#found + 1] = ("The option %s must be a %s."):format(name, type(default))
    elseif CHOICES[name] and not vim.tbl_contains(CHOICES[name], value) then
      local known = table.concat(CHOICES[name], ", ")
      found[#found + 1] = ("The option %s must be one of %s."):format(name, known)
    end
  end
  table.sort(found)
  return found
end

--- Take in what the user set; an option that does not fit is left at its default, with a message.
---@param given table<string, any>?
function M.set(given)
  given = vim.deepcopy(given or {})
  for _, problem in ipairs(M.problems(given)) do
    vim.notify("Sightline: " .. problem, vim.log.levels.WARN)
  end
  for name, value in pairs(given) do
    if #M.problems({ [name] = value }) > 0 then
      given[name] = nil
    end
  end
  M.options = vim.tbl_deep_extend("force", vim.deepcopy(defaults), given)
end

return M
