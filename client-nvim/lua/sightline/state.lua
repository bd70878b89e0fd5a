--- The answers of this session, and the reader's position in each.
local M = {}

---@class sightline.Range
---@field start integer 1-based
---@field end integer 1-based, inclusive

---@class sightline.Hop
---@field relation string
---@field from string
---@field to string
---@field via string[]
---@field site { path: string, line: integer }?
---@field witness string?

---@class sightline.Link
---@field id string
---@field path string
---@field range sightline.Range
---@field role string
---@field fact string
---@field quote string
---@field quoteRange sightline.Range
---@field stale boolean
---@field hop sightline.Hop?
---@field location { uri: string, range: table }?

---@class sightline.Report
---@field id string
---@field query string
---@field intent string
---@field confidence string
---@field action string
---@field judge string
---@field notes string[]
---@field links sightline.Link[]
---@field readTargets table[]
---@field missing string[]
---@field searchTargets { terms: string[], scope: string }[]
---@field suggestedKeywords string[]? absent from older servers
---@field coverage { indexed: integer, total: integer }

---@class sightline.Shown
---@field report sightline.Report
---@field request table the argument it was asked with
---@field raw table as the server sent it
---@field root string the root of the project it is about
---@field client_id integer the client whose server tracks it
---@field at integer the last link visited; 0 if none

---@type table<string, sightline.Shown>
M.shown = {}
---@type string[] ids, newest last
M.order = {}
---@type string?
M.current_id = nil
---@type fun(shown: sightline.Shown)[]
local watchers = {}

---@return sightline.Shown?
function M.current()
  return M.current_id and M.shown[M.current_id] or nil
end

--- Replaces JSON's null by nil, recursively.
---@generic T
---@param value T
---@return T
local function without_null(value)
  if value == vim.NIL then
    return nil
  end
  if type(value) ~= "table" then
    return value
  end
  local clean = {}
  for key, member in pairs(value) do
    clean[key] = without_null(member)
  end
  return clean
end

---@param raw table
---@param client vim.lsp.Client the client whose server sent it
---@param request table?
---@return sightline.Shown
function M.keep(raw, client, request)
  local report = without_null(raw) --[[@as sightline.Report]]
  local known = M.shown[report.id]
  local shown = known or { at = 0 }
  shown.report, shown.raw = report, raw
  shown.request = request or shown.request or { query = report.query, intent = report.intent }
  shown.root, shown.client_id = client.config.root_dir, client.id
  M.shown[report.id] = shown
  if not known then
    M.order[#M.order + 1] = report.id
  end
  return shown
end

---@param id string
function M.forget(id)
  M.shown[id] = nil
  M.order = vim.tbl_filter(function(each)
    return each ~= id
  end, M.order)
  if M.current_id == id then
    M.current_id = M.order[#M.order]
  end
end

--- Makes an answer the current one and redraws if it was not.
---@param shown sightline.Shown
function M.make_current(shown)
  if M.current_id ~= shown.report.id then
    M.current_id = shown.report.id
    M.changed(shown)
  end
end

--- Calls `watcher` with every answer that is new or has changed.
---@param watcher fun(shown: sightline.Shown)
function M.watch(watcher)
  watchers[#watchers + 1] = watcher
end

---@param shown sightline.Shown
function M.changed(shown)
  for _, watcher in ipairs(watchers) do
    watcher(shown)
  end
end

return M
