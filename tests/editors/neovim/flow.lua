-- Every command, with the answer in the side window and the quickfix list.
local t = dofile(vim.env.SIGHTLINE_HARNESS)
t.run(function()
  require("sightline").setup(t.options)
  vim.cmd.edit("shop/handlers/checkout.py")
  local shown = t.ask()
  local report = shown.report
  t.check(#report.links >= 2, "a flow")
  t.check(report.links[1].location, "locations")

  local list = vim.fn.getqflist({ items = 0, title = 0 })
  t.same(list.title, "Sightline: " .. t.QUESTION)
  t.same(#list.items, #report.links, "entries")
  for n, item in ipairs(list.items) do
    local link = report.links[n]
    t.same(vim.fn.fnamemodify(vim.api.nvim_buf_get_name(item.bufnr), ":."), link.path)
    t.same({ item.lnum, item.end_lnum }, { link.quoteRange.start, link.quoteRange["end"] })
    t.same(item.user_data.range, link.range, "range")
    t.check(item.text:find((link.fact:gsub("`", "")), 1, true), "the fact is the text")
  end

  for n, link in ipairs(report.links) do
    vim.cmd("Sightline next")
    t.same(vim.fn.expand("%:."), link.path, "file of link " .. n)
    local row, col = unpack(vim.api.nvim_win_get_cursor(0))
    local line = vim.api.nvim_get_current_line()
    t.same(row, link.quoteRange.start)
    local quote = vim.trim(vim.split(link.quote, "\n")[1])
    t.same(line:sub(col + 1, col + #quote), quote, "text at the cursor")
    t.same(vim.fn.getqflist({ idx = 0 }).idx, n, "current entry")
  end
  vim.cmd("Sightline next")
  t.same(shown.at, 1, "past the last comes the first")
  vim.cmd("Sightline prev")
  t.same(shown.at, #report.links)
  vim.cmd("cfirst")
  t.same(vim.api.nvim_win_get_cursor(0)[1], report.links[1].quoteRange.start)

  vim.cmd("belowright split")
  local fixed = vim.api.nvim_get_current_win()
  vim.wo.winfixbuf = true
  local other_file_link
  for n, link in ipairs(report.links) do
    other_file_link = link.path ~= vim.fn.expand("%:.") and n or other_file_link
  end
  require("sightline.flow").go(other_file_link)
  t.same(vim.fn.expand("%:."), report.links[other_file_link].path, "beside a window with winfixbuf")
  t.check(vim.api.nvim_get_current_win() ~= fixed, "another window")
  vim.api.nvim_win_close(fixed, true)
  vim.cmd("cfirst")

  local marks = require("sightline.marks")
  local extmarks = vim.api.nvim_buf_get_extmarks(0, marks.namespace, 0, -1, { details = true })
  t.same(vim.trim(extmarks[1][4].sign_text), "1")
  local _, float = require("sightline.float").at_cursor()
  t.check(float and vim.api.nvim_win_is_valid(float), "a float")
  vim.api.nvim_win_close(float, true)

  local panel = require("sightline.panel")
  t.check(panel.window(), "the side window")
  vim.cmd("Sightline report")
  t.check(not panel.window(), "hidden")
  vim.cmd("Sightline report")
  local win = t.check(panel.window(), "shown again")
  vim.api.nvim_set_current_win(win)
  local heading = vim.fn.search("^2 ")
  t.check(heading > 0, "the second link's heading")
  vim.cmd("normal! zM")
  t.same(vim.fn.foldclosed(heading), heading, "folded")
  vim.cmd("normal! zR")
  vim.cmd.normal(vim.keycode("<CR>"))
  t.same(vim.fn.expand("%:."), report.links[2].path)
  t.same(shown.at, 2)

  for _, format in ipairs(require("sightline.export").FORMATS) do
    local file = vim.fn.tempname()
    vim.cmd(("Sightline export %s %s"):format(format, file))
    t.wait(format, function()
      return vim.fn.getfsize(file) > 0
    end)
  end
  local before = vim.api.nvim_get_current_win()
  vim.cmd("Sightline export markdown")
  t.wait("a buffer", function()
    return vim.api.nvim_get_current_win() ~= before and vim.bo.filetype == "markdown"
  end)
  vim.cmd("close")

  vim.cmd("Sightline status")
  t.wait("the status", function()
    return t.close_float("Project: ")
  end)

  local first = report.id
  vim.cmd("Sightline refresh")
  t.wait("the answer asked again", function()
    return t.current() and t.current().report.id ~= first
  end)
  t.same(require("sightline.state").shown[first], nil, "the old answer is replaced")

  for _, intent in ipairs({ "locate", "edit", "debug" }) do
    t.same(t.ask(intent).report.intent, intent)
  end
  local offered_items
  vim.ui.select = function(items, opts, done)
    offered_items = vim.tbl_map(opts.format_item, items)
    done(items[#items])
  end
  vim.cmd("Sightline reports")
  t.same(#offered_items, 4)
  t.same(t.current().report.intent, "explain")

  local completions = vim.fn.getcompletion("Sightline re", "cmdline")
  t.same(completions, { "refresh", "report", "reports", "restart" })
  t.same(vim.fn.getcompletion("Sightline export m", "cmdline"), { "markdown", "mermaid" })
  vim.cmd("Sightline nonsense")
  t.wait("a sentence", function()
    return t.has_message("Unknown command :Sightline nonsense")
  end)
  vim.cmd("checkhealth sightline")
  local health = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  t.check(health:find("Neovim", 1, true) and not health:find("Failed to run"), health)
end)
