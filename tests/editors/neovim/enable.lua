-- vim.lsp.enable, if this Neovim has it, and lenses and hovers without this plugin's own windows.
local t = dofile(vim.env.SIGHTLINE_HARNESS)
t.run(function()
  require("sightline").setup(vim.tbl_extend("force", t.options, { open = "none" }))
  if vim.lsp.enable then
    vim.lsp.enable("sightline")
  else
    require("sightline").setup(
      vim.tbl_extend("force", t.options, { open = "none", autostart = true })
    )
  end
  vim.cmd.edit("shop/services/checkout.py")
  t.wait("the server", function()
    local client = vim.lsp.get_clients({ name = "sightline", bufnr = 0 })[1]
    return client and client.initialized
  end)
  local shown = t.ask()
  t.same(#vim.lsp.get_clients({ name = "sightline" }), 1, "one server")
  vim.cmd("Sightline next")
  local answers = {}
  local function request(method, params)
    answers[method] = nil
    params.textDocument = { uri = vim.uri_from_bufnr(0) }
    require("sightline.compat").request(t.client(), method, params, function(_, result)
      answers[method] = result or {}
    end, 0)
    return t.wait(method, function()
      return answers[method]
    end)
  end
  local line = shown.report.links[1].quoteRange.start - 1
  local hover = request("textDocument/hover", { position = { line = line, character = 0 } })
  t.check(vim.inspect(hover):find("1/", 1, true), "a hover")
  local lenses = request("textDocument/codeLens", {})
  t.check(#lenses > 0, "lenses")
  local command = t.client().commands["sightline.nextLink"]
  command({
    arguments = { { reportId = shown.report.id, index = 0 } },
  }, { client_id = t.client().id })
  t.same(shown.at, 2, "a lens goes on")
end)
