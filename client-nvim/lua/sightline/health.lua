--- :checkhealth sightline
local config = require("sightline.config")

local M = {}

local function check_server()
  local cmd, problem = require("sightline.program").command(require("sightline.server").project(0))
  if not cmd then
    return vim.health.error(problem, {
      "Install it: pip install sightline-lsp",
      'Or set its path: require("sightline").setup({ cmd = { "/path/to/sightline", "serve" } })',
    })
  end
  if cmd[#cmd] == "serve" then
    cmd[#cmd] = nil
  end
  cmd[#cmd + 1] = "--version"
  local started, process = pcall(vim.system, cmd, { text = true })
  local done = started and process:wait(10000) or { code = -1, stderr = process }
  if done.code == 0 then
    vim.health.ok(("The server is installed: %s"):format(vim.trim(done.stdout)))
  else
    vim.health.error("The server could not be started.", { vim.trim(done.stderr or "") })
  end
end

local function check_clients()
  local server = require("sightline.server")
  local others = {}
  for _, client in ipairs(vim.lsp.get_clients()) do
    if client.name ~= server.NAME then
      others[#others + 1] = client.name
    else
      vim.health.ok("The server is running for " .. tostring(client.config.root_dir))
    end
  end
  if #vim.lsp.get_clients({ name = server.NAME }) == 0 then
    vim.health.info("The server is not running; a question starts it.")
  end
  if not config.options.editor_channel.enabled then
    vim.health.info("Other language servers are not asked (editor_channel).")
  elseif #others > 0 then
    vim.health.ok("Other language servers can be asked: " .. table.concat(others, ", "))
  else
    vim.health.info(
      "No other language server is running; steps are confirmed by the symbol graph only."
    )
  end
end

function M.check()
  vim.health.start("Sightline")
  if vim.fn.has("nvim-0.10") == 1 then
    vim.health.ok("Neovim " .. tostring(vim.version()))
  else
    vim.health.error("Neovim 0.10 or newer is required.")
  end
  check_server()
  check_clients()
  vim.health.info("Picker: " .. require("sightline.picker").name())
end

return M
