--- Finds the server's program in such a way that a project cannot substitute its own.
local config = require("sightline.config")

local M = {}

local WINDOWS = vim.fn.has("win32") == 1
local ABSOLUTE = WINDOWS and { "^%a:[/\\]", "^[/\\][/\\]" } or { "^/" }

---@param path string
---@return boolean
local function is_absolute(path)
  return vim.iter(ABSOLUTE):any(function(pattern)
    return path:find(pattern) ~= nil
  end)
end

--- Resolves a path's symbolic links and normalises it for comparison.
---@param path string
---@return string
local function real_path(path)
  local found = vim.fs.normalize(vim.uv.fs_realpath(path) or path, { expand_env = false })
  return WINDOWS and found:lower() or found
end

--- Whether both a program and its link target lie outside a folder.
---@param program string absolute
---@param root string
---@return boolean
local function is_outside(program, root)
  local within = real_path(root):gsub("/$", "") .. "/"
  local folder = real_path(vim.fs.dirname(program)):gsub("/$", "") .. "/"
  return not vim.startswith(folder, within) and not vim.startswith(real_path(program), within)
end

--- The first program of this name on PATH outside the project. Like find_program in explorer_core,
--- it skips relative folders on PATH and the working directory, which Windows searches first.
---@param name string
---@param root string
---@return string? program, string? refused the first candidate inside the project
local function on_path(name, root)
  local refused
  for _, folder in ipairs(vim.split(vim.env.PATH or "", WINDOWS and ";" or ":")) do
    local program = is_absolute(folder) and vim.fn.exepath(folder .. "/" .. name) or ""
    if program ~= "" and is_outside(program, root) then
      return program
    elseif program ~= "" then
      refused = refused or program
    end
  end
  return nil, refused
end

--- The command line that starts a project's server; nil and a sentence if there is none. A program
--- configured with its folder is used as it is, wherever that folder is.
---@param root string
---@return string[]? cmd, string? problem
function M.command(root)
  local name = config.options.cmd[1]
  local program, refused
  if name:find(WINDOWS and "[/\\]" or "/") then
    program = vim.fs.normalize(name)
    program = vim.fn.executable(program) == 1 and program or nil
  else
    program, refused = on_path(name, root)
  end
  if program then
    return { program, unpack(config.options.cmd, 2) }
  elseif refused then
    local text = "The program %s was found only inside the project, as %s. Programs inside a "
      .. "project are not started; if you trust it, set cmd to that path."
    return nil, text:format(name, refused)
  end
  local text =
    "The program %s was not found; install it with pip install sightline-lsp, or set cmd."
  return nil, text:format(name)
end

return M
