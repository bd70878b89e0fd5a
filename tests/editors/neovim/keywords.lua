-- The keywords that an answer suggests: shown, completed, prompted for, and used to ask again.
local t = dofile(vim.env.SIGHTLINE_HARNESS)

t.run(function()
  require("sightline").setup(t.options)
  vim.cmd("Sightline keywords invoice")
  t.wait("a word on what there is", function()
    return t.has_message("There is no answer yet")
  end)
  vim.cmd.edit("shop/handlers/checkout.py")
  local vague = t.ask("explain", "How is a bill paid?")
  local suggested = vague.report.suggestedKeywords
  t.check(#suggested >= 3, "suggested words")
  require("sightline.panel").open(vague)
  local win = t.check(require("sightline.panel").window(), "the side window")
  local panel_text =
    table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false), "\n")
  local section = "Ask again with the words that fit  :Sightline keywords\n  "
  t.check(panel_text:find(section .. table.concat(suggested, ", "), 1, true), panel_text)
  local first, second = suggested[1], suggested[2]
  for line, expected in pairs({
    [""] = suggested,
    [first:sub(1, -2)] = { first },
    [first .. " " .. second:sub(1, -2)] = { second },
    [first .. "," .. second:sub(1, -2)] = { first .. "," .. second },
    [first .. " " .. first] = {},
    ["no such"] = {},
  }) do
    t.same(vim.fn.getcompletion("Sightline keywords " .. line, "cmdline"), expected, line)
  end
  local function ask_again(command)
    local replaced_id = t.current().report.id
    vim.cmd(command)
    local answer = t.wait("the answer to " .. command, function()
      local now = t.current()
      return now and now.report.id ~= replaced_id and now
    end)
    t.same(require("sightline.state").shown[replaced_id], nil, "the answer that is replaced")
    t.same(answer.report.query, vague.report.query, "the question")
    return answer.request
  end
  t.same(ask_again("Sightline keywords invoice,  ledger").keywords, { "invoice", "ledger" })
  local prompt, input = nil, vim.ui.input
  vim.ui.input = function(opts, done)
    prompt = opts
    done(" tariff ledger ")
  end
  local prompted_for = t.current().report.suggestedKeywords
  t.check(#prompted_for > 0, "words to prompt for")
  local request = ask_again("Sightline keywords")
  t.same(request.keywords, { "invoice", "ledger", "tariff" }, "with those it had")
  t.same(request.forceRefresh, false)
  local keyword_list = ("(%s)"):format(table.concat(prompted_for, ", "))
  t.check(prompt.prompt:find(keyword_list, 1, true), prompt.prompt)
  t.same(prompt.completion, "customlist,v:lua.require'sightline.command'.complete_keywords")
  -- The side window's line with the words also opens the prompt.
  t.current().report.suggestedKeywords = { "settled" }
  require("sightline.panel").open(t.current())
  prompt = nil
  vim.api.nvim_win_set_cursor(win, { vim.fn.line("$", win), 0 })
  vim.fn.win_execute(win, "normal " .. vim.keycode("<CR>"))
  t.check(prompt.prompt:find("(settled)", 1, true), prompt.prompt)
  vim.ui.input = input
  t.same(ask_again("Sightline refresh").keywords, { "invoice", "ledger", "tariff" })
  -- In the prompt, the editor completes the typed text as a whole.
  t.current().report.suggestedKeywords = { "invoice", "settled", "sender" }
  local typed
  vim.keymap.set("n", "<Plug>(test-prompt)", function()
    vim.ui.input({ prompt = "", completion = prompt.completion }, function(text)
      typed = text
    end)
  end)
  vim.api.nvim_feedkeys(vim.keycode("<Plug>(test-prompt)ledger set<C-L><CR>"), "mx", false)
  t.same(typed, "ledger settled")
  vim.cmd("Sightline keywords ledger")
  t.wait("a word that nothing is new", function()
    return t.has_message("has already been asked with these words")
  end)
  t.same(require("sightline.ask").running_questions(), {})
end)
