if vim.g.loaded_sightline then
  return
end
vim.g.loaded_sightline = true

vim.api.nvim_create_user_command("Sightline", function(opts)
  require("sightline.command").run(opts)
end, {
  nargs = "*",
  range = true,
  desc = "Ask how the code works, and walk through the answer",
  complete = function(lead, line)
    return require("sightline.command").complete(lead, line)
  end,
})

local function map(name, mode, action)
  vim.keymap.set(mode, "<Plug>(sightline-" .. name .. ")", action, { desc = "Sightline: " .. name })
end

local asking = { "explain", "locate", "edit", "debug", "followup" }
for _, kind in ipairs(asking) do
  map(kind, "n", "<Cmd>Sightline " .. kind .. "<CR>")
  map(kind, "x", ":Sightline " .. kind .. "<CR>")
end
local acting = {
  "next",
  "prev",
  "report",
  "reports",
  "refresh",
  "keywords",
  "cancel",
  "clear",
  "status",
  "restart",
}
for _, action in ipairs(acting) do
  map(action, "n", "<Cmd>Sightline " .. action .. "<CR>")
end
map("float", "n", function()
  require("sightline.float").at_cursor()
end)
