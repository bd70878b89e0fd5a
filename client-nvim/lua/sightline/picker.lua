--- Lets the user choose an item of a list with their picker plugin.
local config = require("sightline.config")
local say = require("sightline.say")

local M = {}

---@alias sightline.Label fun(item: any): string
---@alias sightline.Choose fun(items: any[], prompt: string, label: sightline.Label, done: function)

---@type table<string, sightline.Choose>
local pickers = {}

pickers.select = function(items, prompt, label, done)
  vim.ui.select(items, { prompt = prompt, format_item = label }, function(item)
    if item then
      done(item)
    end
  end)
end

pickers.snacks = function(items, prompt, label, done)
  require("snacks").picker.select(items, { prompt = prompt, format_item = label }, function(item)
    if item then
      done(item)
    end
  end)
end

pickers["fzf-lua"] = function(items, prompt, label, done)
  local by_line, lines = {}, {}
  for number, item in ipairs(items) do
    lines[number] = ("%d. %s"):format(number, label(item))
    by_line[lines[number]] = item
  end
  require("fzf-lua").fzf_exec(lines, {
    prompt = prompt .. "> ",
    actions = {
      default = function(selected)
        if selected and by_line[selected[1]] then
          done(by_line[selected[1]])
        end
      end,
    },
  })
end

pickers.telescope = function(items, prompt, label, done)
  local actions = require("telescope.actions")
  local values = require("telescope.config").values
  require("telescope.pickers")
    .new({}, {
      prompt_title = prompt,
      sorter = values.generic_sorter({}),
      finder = require("telescope.finders").new_table({
        results = items,
        entry_maker = function(item)
          return { value = item, display = label(item), ordinal = label(item) }
        end,
      }),
      attach_mappings = function(prompt_bufnr)
        actions.select_default:replace(function()
          local entry = require("telescope.actions.state").get_selected_entry()
          actions.close(prompt_bufnr)
          if entry then
            done(entry.value)
          end
        end)
        return true
      end,
    })
    :find()
end

local MODULES = { { "snacks", "snacks" }, { "telescope", "telescope" }, { "fzf-lua", "fzf-lua" } }

--- The picker to use: the configured one, otherwise the first one installed.
---@return string
function M.name()
  if config.options.picker ~= "auto" then
    return config.options.picker
  end
  for _, each in ipairs(MODULES) do
    local name, module = each[1], each[2]
    local found = package.loaded[module]
      or #vim.api.nvim_get_runtime_file("lua/" .. module, false) > 0
    if name == "snacks" then
      found = rawget(_G, "Snacks") ~= nil and Snacks.config.picker ~= nil
    end
    if found then
      return name
    end
  end
  return "select"
end

---@type sightline.Choose
function M.choose(items, prompt, label, done)
  local name = M.name()
  if name ~= "select" and not pcall(require, name) then
    say.warn(("The picker %s is not installed; using vim.ui.select instead."):format(name))
    name = "select"
  end
  pickers[name](items, prompt, label, done)
end

return M
