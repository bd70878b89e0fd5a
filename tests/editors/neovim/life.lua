-- Cancelling, a server that crashes and is restarted, and no server at all.
local t = dofile(vim.env.SIGHTLINE_HARNESS)

-- The server is found as the child process of this one.
local function kill_servers(signal)
  for _, pid in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
    vim.uv.kill(pid, signal)
  end
end

local function wait_for_other_server(old_id)
  return t.wait("another server", function()
    local now = t.client()
    return now and now.id ~= old_id and now.initialized and now
  end)
end

-- With a program that is not a server, the question ends with a hint on what to do.
local function check_failed_start(cmd, expected_message)
  require("sightline").setup({ cmd = cmd })
  vim.cmd("Sightline explain anything at all")
  t.wait("a sentence on what to do", function()
    return t.has_message(expected_message)
  end)
  t.wait("the end of the question", function()
    return #require("sightline.ask").running_questions() == 0
  end)
end

t.run(function()
  local progress = 0
  vim.api.nvim_create_autocmd("LspProgress", {
    callback = function()
      progress = progress + 1
    end,
  })
  require("sightline").setup(t.options)
  vim.cmd.edit("shop/services/checkout.py")
  vim.cmd("Sightline explain " .. t.QUESTION)
  vim.cmd("Sightline cancel")
  t.wait("the word that it was cancelled", function()
    return t.has_message("The question was cancelled.")
  end)
  t.wait("the server", function()
    return t.client() and t.client().initialized
  end)
  t.same(t.current(), nil, "no answer")
  vim.cmd("Sightline explain " .. t.QUESTION)
  t.wait("a request under way", function()
    return next(t.client().requests) ~= nil
  end)
  vim.cmd("Sightline cancel")
  t.wait("the request to end", function()
    return next(t.client().requests) == nil
  end)
  t.same(require("sightline.ask").running_questions(), {})

  vim.cmd("Sightline explain " .. t.QUESTION)
  t.wait("a request under way", function()
    return next(t.client().requests) ~= nil
  end)
  local busy_id = t.client().id
  vim.cmd("Sightline restart")
  t.wait("a word on the question", function()
    return t.has_message("The server stopped before it answered")
  end)
  t.same(require("sightline.ask").running_questions(), {})
  wait_for_other_server(busy_id)

  local report = t.ask().report
  t.check(progress > 0, "progress events")
  local client = t.client()
  local status
  require("sightline.server").execute(client, "status", nil, function(_, result)
    status = result
  end)
  t.wait("the server's answer", function()
    return status
  end)
  -- The server crashes while the user is in another project. One place is a whole file.
  local file = vim.api.nvim_get_current_buf()
  t.current().raw.primary[1].range = nil
  vim.fn.mkdir("other/.git", "p")
  vim.cmd.edit("other/main.py")
  kill_servers("sigkill")
  t.wait("a word about the crash", function()
    return t.has_message("is being restarted")
  end)
  t.same(
    wait_for_other_server(client.id).config.root_dir,
    client.config.root_dir,
    "the server's own project"
  )
  t.wait("the file attached again", function()
    return t.client().attached_buffers[file]
  end)
  t.wait("the answer given back", function()
    return t.current().client_id == t.client().id
  end)
  vim.cmd.buffer(file)
  local index
  for n, link in ipairs(report.links) do
    index = link.path == vim.fn.expand("%:.") and n or index
  end
  local at = report.links[index].quoteRange.start
  vim.api.nvim_buf_set_lines(file, 0, 0, false, { "", "" })
  t.wait("the answer to follow what is typed", function()
    return t.current().report.links[index].quoteRange.start == at + 2
  end)
  vim.cmd("silent undo")
  vim.cmd("Sightline next")
  t.same(vim.fn.expand("%:."), report.links[1].path, "the answer outlives its server")
  vim.cmd("Sightline export markdown")
  t.wait("the export", function()
    return vim.bo.filetype == "markdown"
  end)
  vim.cmd("close")
  vim.cmd.edit("other/main.py")
  vim.cmd("Sightline refresh")
  t.wait("a new answer", function()
    return t.current().report.id ~= report.id
  end)
  t.same(t.current().client_id, t.client().id, "asked of the answer's project")
  vim.cmd.buffer(file)

  local id = t.client().id
  vim.cmd("Sightline restart")
  wait_for_other_server(id)
  t.wait("the answer at the other server", function()
    return t.current().client_id == t.client().id
  end)
  -- A server killed with SIGTERM is not restarted: somebody wanted it to end.
  id = t.client().id
  kill_servers("sigterm")
  t.wait("its end", function()
    return not vim.lsp.get_client_by_id(id)
  end)
  t.same(#vim.lsp.get_clients({ _uninitialized = true }), 0, "servers")
  vim.cmd("Sightline restart")
  wait_for_other_server(id)

  require("sightline.server").stop()
  t.wait("its end", function()
    return #vim.lsp.get_clients() == 0
  end)
  local server = require("sightline.server")
  server.SLOW_MS = 100
  require("sightline").setup({ cmd = { "sleep", "1000" } })
  vim.cmd("Sightline explain anything at all")
  t.wait("a word on the server that does not answer", function()
    return t.has_message(":Sightline restart restarts it.")
  end)
  require("sightline").setup(t.options)
  vim.cmd("Sightline restart")
  t.wait("a server that answers", t.client)
  t.wait("the end of the question", function()
    return #require("sightline.ask").running_questions() == 0
  end)
  server.stop()
  t.wait("its end", function()
    return #vim.lsp.get_clients() == 0
  end)
  check_failed_start({ "there-is-no-such-program" }, "there-is-no-such-program was not found")
  check_failed_start({ "false" }, "The server could not be started")
end)
