-- The answer follows edits, even in insert mode, and says when a quote is gone.
local t = dofile(vim.env.SIGHTLINE_HARNESS)
t.run(function()
  require("sightline").setup(t.options)
  local report_calls = t.record_calls("report")
  vim.cmd.edit("shop/services/checkout.py")
  local shown = t.ask()
  local file = vim.fn.expand("%:.")
  local index
  for n, link in ipairs(shown.report.links) do
    index = index or (link.path == file and n)
  end
  t.check(index, "a link in " .. file)
  local function link()
    return t.current().report.links[index]
  end
  local line = link().quoteRange.start

  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.api.nvim_feedkeys("O# é 漢字 🧺\rsecond\27", "tx", false)
  t.wait("the link two lines below", function()
    return link().quoteRange.start == line + 2
  end)
  t.same(vim.fn.getqflist()[index].lnum, line + 2, "quickfix follows")
  require("sightline.flow").go(index)
  local quote = vim.trim(vim.split(link().quote, "\n")[1])
  local col = vim.api.nvim_win_get_cursor(0)[2]
  t.same(vim.api.nvim_get_current_line():sub(col + 1, col + #quote), quote, "the place moved along")

  vim.api.nvim_win_set_cursor(0, { line + 2, col + 4 })
  vim.api.nvim_feedkeys("iwörds \27", "tx", false)
  t.wait("a stale link", function()
    return link().stale
  end)
  local item = vim.fn.getqflist()[index]
  t.check(item.text:find("(stale)", 1, true) and item.type == "W", "stale in the quickfix list")
  local panel = require("sightline.panel")
  local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(panel.window()), 0, -1, false)
  t.check(table.concat(lines, "\n"):find("stale", 1, true), "stale in the side window")
  vim.cmd("undo")
  t.wait("the link to come back", function()
    return not link().stale and link().quoteRange.start == line + 2
  end)
  vim.bo.modified = false
  -- Showing an answer again makes the server refresh its lenses, which would cause an endless loop.
  t.check(#report_calls > 0, "what has changed was asked for")
  for _, argument in ipairs(report_calls) do
    t.same(argument.show, nil, "nothing is shown anew")
  end
end)
