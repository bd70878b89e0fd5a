-- Difficult windows, file names and texts: hostile ones, and an editor that refuses.
local t = dofile(vim.env.SIGHTLINE_HARNESS)

local NAMES = { "a b.py", "100%#<cword>.py", "$HOME.py", "`touch ran`.py", "[x]*\\.py", "ünï.py" }
-- Would run something if the editor or the terminal interpreted it.
local HOSTILE = "%{%execute('let g:ran = 1')%} %!v:lua.ran() \27]0;ran\7 `````"

local function make_link(number, name)
  return {
    id = "c" .. number,
    path = name,
    range = { start = 1, ["end"] = 2 },
    role = "step",
    fact = "fact " .. HOSTILE,
    quote = "two " .. HOSTILE,
    quoteRange = { start = 2, ["end"] = 2 },
    stale = false,
    location = { uri = vim.uri_from_fname(vim.uv.cwd() .. "/" .. name) },
  }
end

local function show(id, change)
  local report = {
    id = id,
    query = "why " .. HOSTILE,
    intent = "explain",
    confidence = "high",
    action = "answer_from_report",
    judge = "offline",
    notes = { HOSTILE },
    missing = { "one\ntwo" },
    links = {},
  }
  for number, name in ipairs(NAMES) do
    report.links[number] = make_link(number, name)
  end
  if change then
    change(report)
  end
  local state = require("sightline.state")
  local shown = state.keep(report, { id = 0, config = { root_dir = vim.uv.cwd() } })
  state.current_id = id
  require("sightline.show").open(shown)
  return shown
end

-- Makes the side window the current one and returns it.
local function enter_side_window()
  local win = t.check(require("sightline.panel").window(), "the side window")
  vim.api.nvim_set_current_win(win)
  return win
end

local function close_other_windows()
  require("sightline.panel").close()
  vim.cmd("silent! only! | enew!")
end

local function open_float()
  local bufnr = vim.api.nvim_create_buf(false, true)
  local at = { relative = "editor", row = 1, col = 1, width = 20, height = 3 }
  return vim.api.nvim_open_win(bufnr, true, at)
end

local function status_line()
  local format = vim.wo.statusline ~= "" and vim.wo.statusline or vim.o.statusline
  return vim.api.nvim_eval_statusline(format ~= "" and format or "%f", { maxwidth = 999 }).str
end

local cases = {}

function cases.hostile_names_and_texts_are_not_evaluated()
  show("names")
  for _, name in ipairs(NAMES) do
    vim.cmd("Sightline next")
    t.same(vim.fs.basename(vim.api.nvim_buf_get_name(0)), name)
    t.same(vim.api.nvim_win_get_cursor(0)[1], 2, "the line in " .. name)
    local marks = vim.api.nvim_buf_get_extmarks(0, -1, 0, -1, { type = "virt_text" })
    t.same(#marks, 1, "facts in " .. name)
    status_line()
  end
  vim.cmd.copen()
  t.check(status_line():find("execute('let g:ran", 1, true), "the question in a status line")
  vim.cmd.cclose()
  local bufnr = require("sightline.float").open(1)
  local lines = vim.api.nvim_buf_get_lines(t.check(bufnr, "a float"), 0, -1, false)
  t.check(vim.tbl_contains(lines, "``````python"), "a fence that the quote does not close")
  t.same(vim.g.ran, nil, "nothing ran")
  t.same(vim.uv.fs_stat("ran"), nil, "nothing ran")
end

function cases.side_window_is_restored_after_its_buffer_is_deleted()
  for _, leave in ipairs({ "bdelete", "bwipeout", "bunload" }) do
    show("panel")
    enter_side_window()
    vim.cmd[leave]()
    -- As after restoring a session.
    vim.fn.bufadd("sightline://answer")
    show("panel")
    enter_side_window()
    t.same(vim.bo.buftype, "nofile", leave)
    t.same(vim.bo.filetype, "sightline", leave)
    t.check(vim.fn.maparg("g?", "n", false, true).callback, "keys after " .. leave)
  end
end

function cases.files_open_outside_the_side_window()
  show("panel")
  local panel = enter_side_window()
  vim.cmd.cfirst()
  t.check(vim.api.nvim_get_current_win() ~= panel, "another window")
  t.same(require("sightline.panel").window(), panel)
end

function cases.last_window_stays_when_the_side_window_is_closed()
  show("panel")
  enter_side_window()
  vim.cmd("silent only")
  open_float()
  vim.cmd("Sightline report")
  vim.cmd.fclose()
  t.same(require("sightline.panel").window(), nil)
  t.same({ vim.wo.winfixbuf, vim.wo.foldmethod }, { false, "manual" }, "options of the window")
end

function cases.next_leaves_no_unnamed_buffer()
  local function unnamed()
    return #vim.tbl_filter(function(each)
      return each.name == ""
    end, vim.fn.getbufinfo({ buflisted = 1 }))
  end
  show("panel")
  enter_side_window()
  vim.cmd("silent only")
  local before = unnamed()
  vim.cmd("Sightline next")
  t.same(unnamed(), before)
end

function cases.side_window_belongs_to_the_project_of_its_answer()
  local shown = show("panel")
  shown.root = "/another/project"
  enter_side_window()
  t.same(require("sightline.server").project(0), "/another/project")
end

function cases.deleted_place_is_reported_and_passed_over()
  local shown = show("gone", function(report)
    report.links[2].location = vim.NIL
  end)
  for number = 1, 3 do
    vim.cmd("Sightline next")
    t.same(shown.at, number, "where the reader stands")
  end
  t.same(vim.fs.basename(vim.api.nvim_buf_get_name(0)), NAMES[3])
  return NAMES[2] .. " no longer exists; :Sightline refresh"
end

function cases.new_answer_is_shown_from_its_top()
  local function line()
    return vim.api.nvim_win_get_cursor(t.check(require("sightline.panel").window()))[1]
  end
  show("long")
  vim.cmd("Sightline prev")
  t.check(line() > 1, "the place gone to")
  show("another")
  t.same(line(), 1, "the top of the new one")
end

function cases.side_window_shows_coverage_next_searches_and_gaps()
  show("words", function(report)
    report.links[2].role, report.links[3].role = "also", "user"
    report.coverage = { indexed = 2, total = 30 }
    report.searchTargets = { { terms = { "this", "that" }, scope = "src" } }
    report.missing = { "the other" }
  end)
  enter_side_window()
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  local _, gaps = text:gsub("no relation to the next place", "")
  t.same(gaps, #NAMES - 3, "nothing has to lead to what stands beside the flow")
  for _, part in ipairs({ "Only 2 of 30 files", "Search next\n  this, that in src", "Missing\n" }) do
    t.check(text:find(part, 1, true), part .. " in " .. text)
  end
end

function cases.missing_help_tags_are_reported()
  show("panel")
  enter_side_window()
  vim.opt.runtimepath:remove(vim.env.SIGHTLINE_PLUGIN)
  vim.api.nvim_feedkeys("g?", "x", false)
  vim.opt.runtimepath:prepend(vim.env.SIGHTLINE_PLUGIN)
  return "The plugin's help is not indexed yet; run :helptags ALL."
end

function cases.answer_during_command_line_window_is_kept()
  require("sightline").setup({ open = "both", jump = true })
  vim.api.nvim_create_autocmd("CmdwinEnter", {
    once = true,
    callback = function()
      vim.schedule(function()
        show("late")
        vim.cmd("Sightline next")
        vim.cmd.quit()
      end)
    end,
  })
  local leaving = vim.defer_fn(function()
    vim.api.nvim_input("<C-c><C-c>")
  end, 1000)
  vim.api.nvim_feedkeys("q:", "tx!", false)
  leaving:stop() -- later it would interrupt the next case
  t.same(t.current().report.id, "late", "the answer is kept")
  return "could not be opened: E11: Invalid in command-line window"
end

function cases.lack_of_room_is_reported()
  require("sightline").setup({ open = "both", jump = true })
  vim.o.lines = 5
  for _ = 1, 9 do
    pcall(vim.cmd.split)
  end
  show("small")
  vim.o.lines = 24
  return "E36: Not enough room"
end

function cases.unsaved_text_that_cannot_be_left_is_reported()
  show("panel")
  vim.o.hidden = false
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { "unsaved" })
  vim.cmd("Sightline next")
  vim.bo.modified, vim.o.hidden = false, true
  return "could not be opened: E37: No write since last change"
end

function cases.missing_picker_falls_back_to_ui_select()
  require("sightline").setup({ picker = "telescope", open = "none" })
  show("panel")
  local select, chosen = vim.ui.select, nil
  vim.ui.select = function(items)
    chosen = items
  end
  vim.cmd("Sightline reports")
  vim.ui.select = select
  t.check(chosen, "the editor's own picker")
  return "The picker telescope is not installed; using vim.ui.select instead."
end

function cases.setup_argument_of_wrong_type_is_reported()
  require("sightline").setup("panel")
  return "The argument of setup must be a table of options."
end

function cases.scope_works_in_a_deleted_working_folder()
  local before = vim.uv.cwd()
  vim.fn.mkdir("gone")
  vim.cmd.cd("gone")
  vim.fn.delete(before .. "/gone", "d")
  vim.cmd("Sightline scope x")
  vim.cmd("Sightline scope")
  vim.cmd.cd(before)
  return "Questions are about the whole project."
end

function cases.remote_buffers_are_not_files()
  local is_file = require("sightline.server").is_file
  for name, expected in pairs({
    ["oil://there/x.py"] = false,
    ["oil-ssh://host/x.py"] = false,
    [vim.uv.cwd() .. "/x.py"] = true,
  }) do
    vim.cmd.enew()
    vim.api.nvim_buf_set_name(0, name)
    t.same(is_file(0), expected, name)
    vim.cmd("bwipeout!")
  end
end

function cases.pipe_is_not_read_as_a_file()
  vim.fn.system({ "mkfifo", "pipe" })
  t.same(require("sightline.place").line(vim.uv.cwd() .. "/pipe", 1), "")
end

function cases.abbreviated_command_is_completed()
  t.same(vim.fn.getcompletion("Sight expl", "cmdline"), { "explain" })
  t.same(vim.fn.getcompletion("1,2Sightline export j", "cmdline"), { "json" })
end

t.run(function()
  vim.fn.mkdir("names")
  vim.cmd.cd("names")
  for _, name in ipairs(NAMES) do
    vim.fn.writefile({ "one", "two " .. HOSTILE, "three" }, name, "b")
  end
  for name, case in vim.spairs(cases) do
    require("sightline").setup({})
    close_other_windows()
    t.messages, vim.v.errmsg = {}, ""
    local expected_message = case()
    if expected_message then
      t.wait(name .. " to say " .. expected_message, function()
        return t.has_message(expected_message)
      end, 5000)
    end
    for _, message in ipairs(t.messages) do
      t.check(not message:find("[\n\r]") and not message:find("%.lua:"), message)
    end
    t.same(vim.v.errmsg, "", name)
  end
end)
