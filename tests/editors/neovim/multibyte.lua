-- Places and anchors are exact after multibyte characters.
local t = dofile(vim.env.SIGHTLINE_HARNESS)
t.run(function()
  local source = vim.fn.readfile("shop/domain/order.py")
  table.insert(source, "")
  table.insert(
    source,
    "def größe_漢字_weigh(order): return 'é🧺漢字' + plain_weight(order)"
  )
  table.insert(source, "")
  table.insert(source, "")
  table.insert(source, "def plain_weight(order):")
  table.insert(source, "    return 'é🧺'; return repr(order)")
  vim.fn.writefile(source, "shop/domain/order.py")
  require("sightline").setup(t.options)
  vim.cmd.edit("shop/domain/order.py")
  local row = vim.fn.search("'é🧺漢字' + plain_weight")
  local byte = vim.api.nvim_get_current_line():find("plain_weight", 1, true) - 1
  vim.api.nvim_win_set_cursor(0, { row, byte })
  local shown = t.ask("explain", "How does plain_weight work?")
  local anchor = shown.request.anchor
  local compat = require("sightline.compat")
  local line = vim.api.nvim_get_current_line()
  local encoding = t.client().offset_encoding
  t.same(compat.byte(line, anchor.position.character, encoding), byte, "the anchor")
  for _, each in ipairs({ "utf-8", "utf-16", "utf-32" }) do
    t.same(compat.byte(line, compat.column(line, byte, each), each), byte, each)
  end
  t.check(#shown.report.links > 0, "links")
  local has_wide_quote = false
  for n, link in ipairs(shown.report.links) do
    vim.cmd("Sightline next")
    local at, col = unpack(vim.api.nvim_win_get_cursor(0))
    local quote = vim.trim(vim.split(link.quote, "\n")[1])
    t.same(at, link.quoteRange.start)
    t.same(vim.api.nvim_get_current_line():sub(col + 1, col + #quote), quote, "link " .. n)
    has_wide_quote = has_wide_quote or quote:find("é🧺", 1, true) ~= nil
  end
  t.check(has_wide_quote, "a quote of several bytes")

  vim.cmd.edit("shop/domain/order.py") -- the last link may be elsewhere
  vim.cmd("1,3Sightline explain what is at the top here")
  t.wait("the selection as anchor", function()
    local request = t.current().request
    return request.anchor and request.anchor.endLine == 3
  end)
  vim.ui.input = function(opts, done)
    done(opts.default or "How is an order placed?")
  end
  vim.fn.search("plain_weight")
  local before = t.current().report.id
  vim.cmd("Sightline locate")
  t.wait("an answer to the prompt", function()
    return t.current().report.id ~= before
  end)
  t.same(t.current().report.query, "Where is plain_weight?")
end)
