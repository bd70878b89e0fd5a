--- The language server: how it is found, started, attached and started again.
local compat = require("sightline.compat")
local config = require("sightline.config")
local say = require("sightline.say")

local M = {}

M.NAME = "sightline"

local QUICK_MS = 180000
local stopping = {} ---@type table<integer, boolean> clients that are meant to end
local crashes = {} ---@type integer[] when the server stopped by itself, ms

---@param bufnr integer
---@return boolean
local function is_file(bufnr)
  return vim.api.nvim_buf_is_loaded(bufnr)
    and vim.bo[bufnr].buftype == ""
    and vim.api.nvim_buf_get_name(bufnr) ~= ""
    and not vim.api.nvim_buf_get_name(bufnr):match("^%w+://")
end

--- The project a buffer belongs to: the nearest folder with a root marker, else where Neovim is.
---@param bufnr integer
---@return string
function M.root(bufnr)
  local here = vim.fs.normalize(assert(vim.uv.cwd()))
  if not is_file(bufnr) then
    return vim.fs.root(here, config.options.root_markers) or here
  end
  local found = vim.fs.root(bufnr, config.options.root_markers)
  local name = vim.fs.normalize(vim.api.nvim_buf_get_name(bufnr))
  return found or (vim.startswith(name, here .. "/") and here or vim.fs.dirname(name))
end

---@return table
local function capabilities()
  local own = { workspace = { codeLens = { refreshSupport = true } } }
  if config.options.editor_channel.enabled then
    own.experimental = { sightline = require("sightline.channel").METHODS }
  end
  return vim.tbl_deep_extend("force", vim.lsp.protocol.make_client_capabilities(), own)
end

---@return table<string, lsp.Handler>
local function handlers()
  local found = require("sightline.channel").handlers()
  found["workspace/codeLens/refresh"] = function(...)
    require("sightline.drift").refreshed()
    local usual = vim.lsp.handlers["workspace/codeLens/refresh"]
    return usual and usual(...) or vim.NIL
  end
  return found
end

---@param code integer
---@param signal integer
---@param client_id integer
local function on_exit(code, signal, client_id)
  vim.schedule(function()
    require("sightline.ask").lost(client_id)
    if stopping[client_id] or vim.v.exiting ~= vim.NIL or (code == 0 and signal == 0) then
      stopping[client_id] = nil
      return
    end
    local now = vim.uv.now()
    crashes = vim.tbl_filter(function(at)
      return now - at < QUICK_MS
    end, crashes)
    crashes[#crashes + 1] = now
    if #crashes > config.options.restarts then
      say.problem("The server keeps stopping; :checkhealth sightline may say why.")
      return
    end
    say.warn("The server stopped unexpectedly and is being started again.")
    M.start(vim.api.nvim_get_current_buf(), function() end)
  end)
end

--- The client's configuration, for vim.lsp.start and vim.lsp.enable.
---@return vim.lsp.ClientConfig
function M.config()
  return {
    name = M.NAME,
    cmd = config.options.cmd,
    root_dir = function(bufnr, on_dir)
      if is_file(bufnr) then
        on_dir(M.root(bufnr))
      end
    end,
    capabilities = capabilities(),
    handlers = handlers(),
    commands = require("sightline.lens").commands(),
    init_options = next(config.options.settings) and config.options.settings or nil,
    settings = { sightline = config.options.settings },
    on_exit = on_exit,
  }
end

---@param root string
---@return vim.lsp.Client?
local function running(root)
  for _, client in ipairs(vim.lsp.get_clients({ name = M.NAME })) do
    if not compat.is_stopped(client) and client.config.root_dir == root then
      return client
    end
  end
end

--- The client for a buffer's project, None if it does not run.
---@param bufnr integer
---@return vim.lsp.Client?
function M.client(bufnr)
  local attached = vim.lsp.get_clients({ name = M.NAME, bufnr = bufnr })[1]
  if attached and not compat.is_stopped(attached) then
    return attached
  end
  return running(M.root(bufnr))
end

---@param client vim.lsp.Client
local function attach_all(client)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if is_file(bufnr) and M.root(bufnr) == client.config.root_dir then
      vim.lsp.buf_attach_client(bufnr, client.id)
    end
  end
end

--- Call `ready` with the client for a buffer's project, started if it does not run.
---@param bufnr integer
---@param ready fun(client: vim.lsp.Client)
function M.start(bufnr, ready)
  local known = M.client(bufnr)
  if known and known.initialized then
    return ready(known)
  end
  if vim.fn.executable(config.options.cmd[1]) == 0 then
    local text =
      "The program %s was not found; install it with pip install sightline-lsp, or set cmd."
    say.problem(text:format(config.options.cmd[1]))
    return
  end
  local root = M.root(bufnr)
  local made = vim.tbl_extend("force", M.config(), { root_dir = root })
  made.workspace_folders = { { uri = vim.uri_from_fname(root), name = vim.fs.basename(root) } }
  local id = known and known.id
    or vim.lsp.start(made, {
      bufnr = bufnr,
      attach = is_file(bufnr),
      -- Neovim 0.10 would take a client that has just ended.
      reuse_client = function()
        return false
      end,
    })
  local client = id and vim.lsp.get_client_by_id(id)
  if not client then
    say.problem("The server could not be started; :checkhealth sightline may say why.")
    return
  end
  M.when_ready(client, function()
    attach_all(client)
    ready(client)
  end)
end

--- Call `ready` once the client has been answered by its server; nothing if it ends before.
---@param client vim.lsp.Client
---@param ready fun()
function M.when_ready(client, ready)
  if client.initialized then
    return ready()
  end
  local timer = assert(vim.uv.new_timer())
  timer:start(10, 10, function()
    if client.initialized or client.rpc.is_closing() then
      timer:stop()
      if not timer:is_closing() then
        timer:close()
        vim.schedule(client.initialized and ready or function() end)
      end
    end
  end)
end

--- End every server of ours.
function M.stop()
  for _, client in ipairs(vim.lsp.get_clients({ name = M.NAME })) do
    stopping[client.id] = true
    compat.stop(client)
  end
end

--- Attach files that are opened later; with `autostart`, start with the first one.
function M.follow_buffers()
  local group = vim.api.nvim_create_augroup("sightline-attach", {})
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile", "BufFilePost" }, {
    group = group,
    callback = function(event)
      if not is_file(event.buf) then
        return
      end
      local client = running(M.root(event.buf))
      if client then
        vim.lsp.buf_attach_client(event.buf, client.id)
      elseif config.options.autostart then
        M.start(event.buf, function() end)
      end
    end,
  })
end

--- Send a command of the server's.
---@param client vim.lsp.Client
---@param command string without "sightline."
---@param argument table?
---@param done fun(message: string?, result: any, code: integer?) a sentence if it failed
---@return integer? id of the request
function M.execute(client, command, argument, done)
  local params = { command = "sightline." .. command, arguments = { argument or vim.empty_dict() } }
  local sent, id = compat.request(client, "workspace/executeCommand", params, function(err, result)
    if err then
      return done(err.message or "The server failed.", nil, err.code)
    end
    done(nil, result)
  end, 0)
  if not sent then
    done("The server is not running; ask again to start it.")
    return nil
  end
  return id
end

return M
