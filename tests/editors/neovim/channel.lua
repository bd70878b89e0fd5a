-- The other language server confirms hops, including those in files without a buffer.
local t = dofile(vim.env.SIGHTLINE_HARNESS)
t.run(function()
  require("sightline").setup(t.options)
  vim.cmd.edit("shop/handlers/checkout.py")
  local ty = t.second_server(0)
  local results_by_client = {}
  vim.lsp.buf_request(0, "textDocument/documentSymbol", {
    textDocument = { uri = vim.uri_from_bufnr(0) },
  }, function(_, result, context)
    results_by_client[context.client_id] = result
  end)
  t.wait("the second server's first answer", function()
    return results_by_client[ty.id]
  end)
  t.ask()
  t.wait("a hop that the editor vouches for", function()
    for _, link in ipairs(t.current().report.links) do
      if link.hop and link.hop.witness == "editor" then
        return true
      end
    end
  end)
  local counts = require("sightline.channel").counts
  local answers = 0
  for _, count in pairs(counts) do
    answers = answers + count.answered
  end
  t.check(answers > 0, "answers")

  -- Sightline never asks itself and no other server knows this language: an empty answer, at once.
  local channel = require("sightline.channel")
  local answer
  vim.fn.writefile({ "hello" }, "note.txt")
  channel.answer(t.client().id, "definition", {
    textDocument = { uri = vim.uri_from_fname(vim.fn.fnamemodify("note.txt", ":p")) },
    position = { line = 0, character = 0 },
  }, function(found)
    answer = found
  end)
  t.same(answer, {})
  -- A server that does not answer in time delays nothing.
  require("sightline.config").options.editor_channel.timeout_ms = 1
  local late_answer
  channel.answer(t.client().id, "workspaceSymbols", { query = "a" }, function(found)
    late_answer = found
  end)
  t.wait("an answer in time", function()
    return late_answer
  end)
end)
