-- Follow-ups, scopes, code actions and the status; finally, everything is cleared.
local t = dofile(vim.env.SIGHTLINE_HARNESS)

local function marks()
  local found = 0
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    local namespace = require("sightline.marks").namespace
    found = found + #vim.api.nvim_buf_get_extmarks(bufnr, namespace, 0, -1, {})
  end
  return found
end

local function lenses()
  local found
  require("sightline.compat").request(t.client(), "textDocument/codeLens", {
    textDocument = { uri = vim.uri_from_bufnr(0) },
  }, function(_, result)
    found = result or {}
  end, 0)
  return t.wait("lenses", function()
    return found
  end)
end

t.run(function()
  require("sightline").setup(t.options)
  vim.cmd.edit("shop/handlers/checkout.py")
  -- The second question does not start a second server.
  vim.cmd("Sightline locate where orders are stored")
  local first = t.ask().report
  t.wait("both answers", function()
    return #require("sightline.state").order == 2
  end)
  t.same(#vim.lsp.get_clients({ name = "sightline", _uninitialized = true }), 1, "servers")

  local explore_calls = t.record_calls("explore")
  local current = t.current().report
  t.ask("followup", "And who is told of it?")
  t.same(explore_calls[1].followUp, { reportId = current.id }, "what is followed")
  t.same(explore_calls[1].intent, current.intent)
  t.same(t.ask("explain").request.followUp, nil, "the next question stands alone")

  vim.cmd("Sightline scope shop/services shop/domain/*.py")
  local limited = t.ask("explain", "How is an order placed?").request.scope
  t.same(limited, { "shop/services", "shop/domain/*.py" }, "the scope")
  vim.cmd("Sightline status")
  t.wait("the scope in the status", function()
    return t.close_float("Questions are about: shop/services, shop/domain/*.py")
  end)
  vim.cmd("Sightline scope")
  t.same(t.ask("explain", "How is an order paid?").request.scope, nil, "the whole project")
  t.same(vim.fn.getcompletion("Sightline scope shop/s", "cmdline"), { "shop/services/" })

  -- A question from a code action counts as running, like any other.
  vim.cmd.edit("shop/handlers/checkout.py")
  local ask, before = require("sightline.ask"), t.current().report.id
  t.client().commands["sightline.exploreAt"]({
    title = "Where is this used",
    command = "sightline.exploreAt",
    arguments = {
      { uri = vim.uri_from_bufnr(0), position = { line = 9, character = 6 }, ask = "used" },
    },
  }, { client_id = t.client().id })
  t.same(ask.running_questions(), { "Where is this used" })
  t.same(require("sightline").statusline(), "Sightline: looking")
  t.wait("its answer", function()
    return t.current().report.id ~= before
  end)
  t.same(ask.running_questions(), {})
  t.same(t.current().request.query, t.current().report.query, "what refresh asks")
  t.same(t.current().request.ask, nil)

  local server = require("sightline.server")
  local execute, echo, echoed = server.execute, vim.api.nvim_echo, {}
  vim.api.nvim_echo = function(chunks)
    echoed[#echoed + 1] = chunks[1][1]
  end
  server.execute = function() end
  vim.cmd("Sightline explain What takes long?")
  t.wait("a word that it is under way", function()
    return echoed[1]
  end)
  t.same(echoed[1], "Sightline: Looking for an answer (:Sightline cancel)")
  local function progress(message)
    local value = { kind = "report", message = message }
    local data = { client_id = t.client().id, params = { token = 1, value = value } }
    vim.api.nvim_exec_autocmds("LspProgress", { pattern = "report", data = data })
  end
  progress("Indexing 1 of 2 files")
  t.check(echoed[2]:find("Indexing 1 of 2 files", 1, true), echoed[2])
  vim.cmd("Sightline cancel")
  progress("Indexing 2 of 2 files")
  t.same(#echoed, 2, "what was told")
  vim.api.nvim_echo = echo

  server.execute = function(_, _, _, done)
    local trouble = { "It is still starting.", "It was silent." }
    done(nil, { version = "1", reports = 0, providers = { { name = "ty", trouble = trouble } } })
  end
  vim.cmd("Sightline status")
  server.execute = execute
  local text = t.wait("the trouble", function()
    return t.close_float("It was silent.")
  end)
  t.check(text:find("It is still starting.", 1, true), text)
  t.check(not text:find("Judge", 1, true), "no judge without a folder")

  local open = io.open
  for _, refused in ipairs({ "write", "close" }) do
    local function succeed_unless_refused(what)
      return function()
        if what == refused then
          return nil, "no space at " .. what
        end
        return true
      end
    end
    io.open = function()
      return { write = succeed_unless_refused("write"), close = succeed_unless_refused("close") }
    end
    vim.cmd("Sightline export json the answer.json")
    t.wait("why it is not written", function()
      return t.has_message("the answer.json cannot be written: no space at " .. refused .. ".")
    end)
  end
  io.open = open
  t.check(not t.has_message("was written"), "nothing was written")
  vim.cmd("Sightline export json the answer.json")
  t.wait("the word that it was written", function()
    return t.has_message("The answer was written to the answer.json.")
  end)
  t.check(vim.uv.fs_stat("the answer.json").size > 0, "an empty file")

  -- Buffers are found by exact name: bufnr() matches patterns, and a.py would find a.pyi.
  local place = require("sightline.place")
  local folder = vim.fs.normalize(assert(vim.uv.cwd()))
  vim.fn.bufadd(folder .. "/stub.pyi")
  t.same(place.buffer(folder .. "/stub.py"), nil)
  t.check(place.buffer(folder .. "/stub.pyi"), "the buffer of that name")

  local state = require("sightline.state")
  state.make_current(state.shown[first.id])
  require("sightline").next()
  t.check(marks() > 0 and #lenses() > 0, "marks and lenses")
  vim.cmd("Sightline clear")
  t.same(marks(), 0, "marks")
  t.same(require("sightline.panel").window(), nil, "the side window")
  t.same(require("sightline").statusline(), "")
  t.wait("no lenses", function()
    return #lenses() == 0
  end)
  vim.cmd("Sightline next")
  t.wait("a word on what there is", function()
    return t.has_message(":Sightline reports lists earlier ones")
  end)
  vim.ui.select = function(items, _, done)
    done(items[#items])
  end
  vim.cmd("Sightline reports")
  t.check(marks() > 0, "marks again")
  require("sightline").next()
  t.wait("lenses again", function()
    return #lenses() > 0
  end)
end)
