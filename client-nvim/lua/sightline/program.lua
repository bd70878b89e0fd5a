--- The server's program: found so that a project cannot put in its own.
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

--- A path with its links followed, so that two of them can be compared.
---@param path string
---@return string
local function real(path)
  local found = vim.fs.normalize(vim.uv.fs_realpath(path) or path, { expand_env = false })
  return WINDOWS and found:lower() or found
end

--- Whether neither a program nor what it links to lies in a folder.
---@param program string absolute
---@param root string
---@return boolean
local function is_outside(program, root)
  local within = real(root):gsub("/$", "") .. "/"
  local folder = real(vim.fs.dirname(program)):gsub("/$", "") .. "/"
  return not vim.startswith(folder, within) and not vim.startswith(real(program), within)
end

--- The first program of that name on PATH that lies outside of the project, as find_program of
--- explorer_core does it: a folder of PATH that is relative is passed over, and so is the working
--- folder, where Windows looks first.
---@param name string
---@param root string
---@return string? program, string? refused the first one that lies inside
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

--- The command line that starts the server of a project; nil and a sentence where there is none.
--- What the user named with its folder is started from there, wherever that is.
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
    local text = "The program %s was only found inside the project, as %s, and what a project "
      .. "brings is not started; if you trust it, set cmd to that path."
    return nil, text:format(name, refused)
  end
  local text =
    "The program %s was not found; install it with pip install sightline-lsp, or set cmd."
  return nil, text:format(name)
end

return M
