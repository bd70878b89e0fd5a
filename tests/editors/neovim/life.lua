-- Cancelling, a server that crashes and is started again, and no server at all.
local t = dofile(vim.env.SIGHTLINE_HARNESS)
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
    return t.said("The question was cancelled.")
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
  t.same(require("sightline.ask").under_way(), {})

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
  -- The server's process is a child of this one: it is found by who its parent is.
  local children = vim.api.nvim_get_proc_children(vim.fn.getpid())
  for _, pid in ipairs(children) do
    vim.uv.kill(pid, "sigkill")
  end
  t.wait("a word about the crash", function()
    return t.said("started again")
  end)
  t.wait("another server", function()
    local now = t.client()
    return now and now.id ~= client.id and now.initialized
  end)
  t.wait("the file attached again", function()
    return t.client().attached_buffers[vim.api.nvim_get_current_buf()]
  end)
  vim.cmd("Sightline next")
  t.same(vim.fn.expand("%:."), report.links[1].path, "the answer outlives its server")
  vim.cmd("Sightline export markdown")
  t.wait("a word on the export", function()
    return t.said("The server that gave this answer has ended")
  end)
  vim.cmd("Sightline refresh")
  t.wait("a new answer", function()
    return t.current().report.id ~= report.id
  end)
  t.same(t.current().client_id, t.client().id)

  require("sightline.server").stop()
  t.wait("its end", function()
    return #vim.lsp.get_clients() == 0
  end)
  require("sightline").setup({ cmd = { "there-is-no-such-program" } })
  vim.cmd("Sightline explain anything at all")
  t.wait("a sentence on what to do", function()
    return t.said("there-is-no-such-program was not found")
  end)
end)
