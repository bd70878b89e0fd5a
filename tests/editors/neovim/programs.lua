-- The server's program: a project cannot substitute its own.
local t = dofile(vim.env.SIGHTLINE_HARNESS)

local project = vim.uv.cwd()

-- Writes a program that leaves a file in the start folder if it is ever run.
local function write_program(path)
  vim.fn.mkdir(vim.fs.dirname(path), "p")
  vim.fn.writefile({ "#!/bin/sh", "touch " .. project .. "/started" }, path)
  vim.fn.setfperm(path, "rwxr-xr-x")
end

local function find_program(path, name)
  vim.env.PATH = path
  require("sightline").setup({ cmd = { name or "flowserver", "serve" } })
  local cmd, problem = require("sightline.program").command(project)
  return cmd and cmd[1], problem
end

t.run(function()
  local outside = vim.fs.dirname(project) .. "/outside"
  local inside, other = project .. "/bin", project .. "-not/bin"
  for _, folder in ipairs({ outside, inside, other, project }) do
    write_program(folder .. "/flowserver")
  end
  local linked = vim.fs.dirname(project) .. "/linked"
  vim.uv.fs_symlink(inside, linked)
  vim.fn.mkdir(outside .. "/links")
  vim.uv.fs_symlink(inside .. "/flowserver", outside .. "/links/flowserver")
  vim.fn.writefile({ "no program" }, outside .. "/notes")
  local case_titles = { "links", "linked", "relative", "empty", "the folder itself" }
  for number, path in ipairs({ outside .. "/links", linked, "bin:./bin:.", ":", project }) do
    t.same(find_program(path), nil, case_titles[number])
    t.same(find_program(path .. ":" .. inside .. ":" .. outside), outside .. "/flowserver", path)
  end
  t.same(find_program(other), other .. "/flowserver", "a folder whose name begins as the project's")
  t.same(find_program(outside, "notes"), nil, "a file that cannot be run")
  -- A program named with its folder is used.
  t.same(find_program(outside, inside .. "/flowserver"), inside .. "/flowserver")
  t.same(find_program(outside, "bin/flowserver"), "bin/flowserver")
  vim.env.HOME = outside
  t.same(find_program("", "~/flowserver"), outside .. "/flowserver")
  local _, missing = find_program("bin", "flowserver")
  t.check(missing:find("The program flowserver was not found", 1, true), missing)
  local _, problem = find_program(inside)
  t.check(
    problem:find("found only inside the project, as " .. inside .. "/flowserver", 1, true),
    problem
  )

  vim.cmd("Sightline explain anything at all")
  t.wait("a sentence", function()
    return t.has_message(problem)
  end)
  t.same(require("sightline.ask").running_questions(), {})
  t.messages = {}
  if vim.lsp.enable then
    vim.lsp.enable("sightline")
    vim.cmd.edit("shop/services/checkout.py")
    vim.cmd.edit("shop/domain/order.py")
    t.wait("a sentence", function()
      return t.has_message(problem)
    end)
    vim.wait(100)
    t.same(#t.messages, 1, "said once")
    vim.lsp.enable("sightline", false)
  end
  t.same(#vim.lsp.get_clients({ _uninitialized = true }), 0, "servers")

  local function health()
    vim.cmd("checkhealth sightline")
    local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
    vim.cmd("silent! bwipeout!")
    return text
  end
  t.check(health():find(problem:sub(1, 60), 1, true), "the same where the health is checked")
  t.same(vim.uv.fs_stat("started"), nil, "nothing of the project was started")

  -- Executable, but in a format that cannot run.
  vim.fn.writefile({ "\127ELF" }, outside .. "/flowserver", "b")
  find_program(outside)
  t.messages = {}
  t.check(health():find("The server could not be started.", 1, true), "health")
  vim.cmd("Sightline explain anything at all")
  t.wait("a sentence", function()
    return t.has_message("The server could not be started; :checkhealth sightline may say why.")
  end)
  for _, message in ipairs(t.messages) do
    t.check(not message:find("[\n\r]") and not message:find("%.lua:"), message)
  end
end)
