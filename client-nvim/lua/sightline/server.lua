--- The language server: finding, starting, attaching and restarting it.
local compat = require("sightline.compat")
local config = require("sightline.config")
local path_of = require("sightline.place").path
local program = require("sightline.program")
local say = require("sightline.say")

local M = {}

M.NAME = "sightline"

--- How long a server may take to start before the user is told.
M.SLOW_MS = 15000

local CRASH_WINDOW_MS = 180000
local STOP_LIMIT_MS = 2000
local SIGTERM = 15
local after_stop = {} ---@type table<integer, fun()> by clients that are to end: what follows then
local unanswered_requests = {} ---@type table<integer, table<function, true>> by client
local crashes = {} ---@type table<string, integer[]> when servers stopped by themselves, by project

--- Whether a buffer holds a local file, as opposed to a plugin's list or a URL like oil-ssh://host.
---@param bufnr integer
---@return boolean
function M.is_file(bufnr)
  return vim.api.nvim_buf_is_loaded(bufnr)
    and vim.bo[bufnr].buftype == ""
    and vim.api.nvim_buf_get_name(bufnr) ~= ""
    and not vim.api.nvim_buf_get_name(bufnr):match("^%a[%w+.-]+://")
end

--- The nearest folder with a root marker. vim.fs.root() raises if the working directory is gone.
---@param from integer|string
---@return string?
local function find_root(from)
  local looked, found = pcall(vim.fs.root, from, config.options.root_markers)
  return looked and found or nil
end

--- The project of a buffer: the nearest folder with a root marker, or else the working directory.
--- The side window belongs to the project of its answer.
---@param bufnr integer
---@return string
function M.root(bufnr)
  local here = path_of(vim.fn.getcwd())
  if not M.is_file(bufnr) then
    local shown = vim.bo[bufnr].filetype == "sightline" and require("sightline.state").current()
    return shown and shown.root or find_root(here) or here
  end
  local found = find_root(bufnr)
  local name = path_of(vim.api.nvim_buf_get_name(bufnr))
  return found or (vim.startswith(name, here .. "/") and here or vim.fs.dirname(name))
end

---@return table
local function capabilities()
  local ours = { workspace = { codeLens = { refreshSupport = true } } }
  if config.options.editor_channel.enabled then
    ours.experimental = { sightline = require("sightline.channel").METHODS }
  end
  return vim.tbl_deep_extend("force", vim.lsp.protocol.make_client_capabilities(), ours)
end

---@return table<string, lsp.Handler>
local function handlers()
  local found = require("sightline.channel").handlers()
  found["workspace/codeLens/refresh"] = function(...)
    require("sightline.drift").on_refresh()
    local default_handler = vim.lsp.handlers["workspace/codeLens/refresh"]
    return default_handler and default_handler(...) or vim.NIL
  end
  return found
end

--- Restarts a project's server after a crash, unless it has crashed too often.
---@param root string
local function restart_after_crash(root)
  local now = vim.uv.now()
  local recent = vim.tbl_filter(function(at)
    return now - at < CRASH_WINDOW_MS
  end, crashes[root] or {})
  recent[#recent + 1] = now
  crashes[root] = recent
  if #recent > config.options.restarts then
    return say.problem("The server keeps stopping; :checkhealth sightline may say why.")
  end
  say.warn("The server stopped unexpectedly and is being restarted.")
  M.start(root, function() end)
end

---@param code integer
---@param signal integer
---@param client_id integer
local function on_exit(code, signal, client_id)
  local client = assert(vim.lsp.get_client_by_id(client_id))
  vim.schedule(function()
    if vim.v.exiting ~= vim.NIL then
      return
    end
    local after, unanswered = after_stop[client_id], unanswered_requests[client_id] or {}
    after_stop[client_id], unanswered_requests[client_id] = nil, nil
    for answered in pairs(unanswered) do
      answered("The server stopped before it answered; ask again.")
    end
    if after then
      after()
    elseif not client.initialized then
      say.problem("The server could not be started; :checkhealth sightline may say why.")
    elseif code ~= 0 or (signal ~= 0 and signal ~= SIGTERM) then
      restart_after_crash(client.config.root_dir)
    end
  end)
end

---@param client vim.lsp.Client
local function attach_all(client)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if M.is_file(bufnr) and M.root(bufnr) == client.config.root_dir then
      vim.lsp.buf_attach_client(bufnr, client.id)
    end
  end
end

---@param client vim.lsp.Client
local function on_init(client)
  -- Scheduled, so that Neovim attaches its buffers first: the server compares the answer that it is
  -- given back with unsaved text.
  vim.schedule(function()
    attach_all(client)
    require("sightline.drift").restore(client)
  end)
end

local reported_problems = {} ---@type table<string, string> the last one of each root

--- Whether the program of a project's server exists. Called for every opened file, so it reports
--- each problem once.
---@param root string
---@return boolean
local function program_exists(root)
  local _, problem = program.command(root)
  if problem and reported_problems[root] ~= problem then
    say.problem(problem)
  end
  reported_problems[root] = problem
  return not problem
end

--- The client's configuration, for vim.lsp.start and vim.lsp.enable.
---@return vim.lsp.ClientConfig
function M.config()
  return {
    name = M.NAME,
    cmd = function(dispatchers, started)
      return vim.lsp.rpc.start(assert(program.command(started.root_dir)), dispatchers)
    end,
    root_dir = function(bufnr, on_dir)
      local root = M.is_file(bufnr) and M.root(bufnr)
      if root and program_exists(root) then
        on_dir(root)
      end
    end,
    capabilities = capabilities(),
    handlers = handlers(),
    commands = require("sightline.lens").commands(),
    init_options = next(config.options.settings) and config.options.settings or nil,
    settings = { sightline = config.options.settings },
    on_init = on_init,
    on_exit = on_exit,
  }
end

---@param client vim.lsp.Client
---@return boolean
local function is_ending(client)
  return after_stop[client.id] ~= nil or compat.is_stopped(client)
end

--- The client for a project, including one that is still starting.
---@param root string
---@return vim.lsp.Client?
function M.running(root)
  for _, client in ipairs(vim.lsp.get_clients({ name = M.NAME, _uninitialized = true })) do
    if not is_ending(client) and client.config.root_dir == root then
      return client
    end
  end
end

--- The client for a buffer's project; nil if none is running.
---@param bufnr integer
---@return vim.lsp.Client?
function M.client(bufnr)
  local attached = vim.lsp.get_clients({ name = M.NAME, bufnr = bufnr })[1]
  if attached and not is_ending(attached) then
    return attached
  end
  return M.running(M.root(bufnr))
end

--- The project root of a buffer: that of its client, or else the root where one would be started.
---@param bufnr integer
---@return string
function M.project(bufnr)
  local client = M.client(bufnr)
  return client and client.config.root_dir or M.root(bufnr)
end

--- Tells the user after a while if a client's server has not responded; it may never do so.
---@param client vim.lsp.Client
local function tell_if_slow(client)
  vim.defer_fn(function()
    if not client.initialized and not is_ending(client) then
      local text = "The server has not responded for %d s; :Sightline restart restarts it."
      say.warn(text:format(M.SLOW_MS / 1000))
    end
  end, M.SLOW_MS)
end

--- Calls `done` with the client once its server is initialised, or with nil if it ends before that.
---@param client vim.lsp.Client
---@param done fun(client: vim.lsp.Client?)
local function when_ready(client, done)
  if client.initialized then
    return done(client)
  end
  tell_if_slow(client)
  local timer = assert(vim.uv.new_timer())
  timer:start(10, 10, function()
    if not timer:is_closing() and (client.initialized or client.rpc.is_closing()) then
      timer:close()
      vim.schedule(function()
        done(client.initialized and client or nil)
      end)
    end
  end)
end

--- Calls `done` with the client for a project, starting it if necessary. If that fails, tells the
--- user and calls `done` with nil.
---@param root string
---@param done fun(client: vim.lsp.Client?)
function M.start(root, done)
  local running_client = M.running(root)
  if running_client then
    return when_ready(running_client, done)
  end
  local cmd, problem = program.command(root)
  if problem then
    say.problem(problem)
    return done(nil)
  end
  local client_config = vim.tbl_extend("force", M.config(), { root_dir = root, cmd = cmd })
  client_config.workspace_folders =
    { { uri = vim.uri_from_fname(root), name = vim.fs.basename(root) } }
  local id = compat.start(client_config)
  local client = id and vim.lsp.get_client_by_id(id)
  if not client then
    say.problem("The server could not be started; :checkhealth sightline may say why.")
    return done(nil)
  end
  when_ready(client, done)
end

--- Like `start`, for the project of a buffer.
---@param bufnr integer
---@param done fun(client: vim.lsp.Client?)
function M.start_for(bufnr, done)
  local running_client = M.client(bufnr)
  if running_client then
    return when_ready(running_client, done)
  end
  M.start(M.root(bufnr), done)
end

---@param client vim.lsp.Client
---@param after fun()
local function stop(client, after)
  after_stop[client.id] = after
  compat.stop(client)
  vim.defer_fn(function()
    -- It hangs and ignores the request.
    if after_stop[client.id] then
      client.rpc.terminate()
    end
  end, STOP_LIMIT_MS)
end

--- Stops all Sightline servers.
function M.stop()
  for _, client in ipairs(vim.lsp.get_clients({ name = M.NAME, _uninitialized = true })) do
    stop(client, function() end)
  end
end

--- Restarts the server of a buffer's project, or starts it if none is running.
---@param bufnr integer
function M.restart(bufnr)
  local client, root = M.client(bufnr), M.project(bufnr)
  crashes[root] = nil
  local function start()
    M.start(root, function(started)
      if started then
        say.info("The server was restarted.")
      end
    end)
  end
  if not client then
    return start()
  end
  stop(client, start)
end

--- Attaches files that are opened later. With `autostart`, the first one starts the server.
function M.follow_buffers()
  local group = vim.api.nvim_create_augroup("sightline-attach", {})
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile", "BufFilePost" }, {
    group = group,
    callback = function(event)
      if not M.is_file(event.buf) then
        return
      end
      local client = M.running(M.root(event.buf))
      if client then
        vim.lsp.buf_attach_client(event.buf, client.id)
      elseif config.options.autostart then
        M.start_for(event.buf, function() end)
      end
    end,
  })
end

--- Sends one of the server's commands. Calls `done` once, even if the server ends before answering.
---@param client vim.lsp.Client
---@param command string without "sightline."
---@param argument table?
---@param done fun(message: string?, result: any, code: integer?) message: a sentence if it failed
---@return integer? id of the request
function M.execute(client, command, argument, done)
  local params = { command = "sightline." .. command, arguments = { argument or vim.empty_dict() } }
  local open_requests = unanswered_requests[client.id] or {}
  unanswered_requests[client.id] = open_requests
  local function finish(...)
    if open_requests[finish] then
      open_requests[finish] = nil
      say.try(done, ...)
    end
  end
  open_requests[finish] = true
  local sent, id = compat.request(client, "workspace/executeCommand", params, function(err, result)
    if err then
      return finish(err.message or "The server failed.", nil, err.code)
    end
    finish(nil, result)
  end, 0)
  if not sent then
    finish("The server is not running; ask again to start it.")
    return nil
  end
  return id
end

return M
