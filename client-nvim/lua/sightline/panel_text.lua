--- Renders an answer as the lines of the side window.
local wording = require("sightline.wording")

local M = {}

---@class sightline.Target what a line leads to: a link, a place, or the prompt for keywords
---@field link integer?
---@field path string?
---@field line integer?
---@field keywords boolean?

---@class sightline.PanelText
---@field lines string[]
---@field folds table<integer, string>
---@field targets table<integer, sightline.Target>
---@field spans { row: integer, first: integer, last: integer, group: string }[] 0-based, in bytes

---@param out sightline.PanelText
---@param parts { [1]: string, [2]: string? }[] pieces of text with their highlight groups
---@param fold string?
---@param target table?
local function add(out, parts, fold, target)
  local text = ""
  for _, part in ipairs(parts) do
    local clean = part[1]:gsub("[\r\n]", " ")
    if part[2] then
      local span = { row = #out.lines, first = #text, last = #text + #clean, group = part[2] }
      out.spans[#out.spans + 1] = span
    end
    text = text .. clean
  end
  out.lines[#out.lines + 1] = text
  out.folds[#out.lines] = fold or "0"
  out.targets[#out.lines] = target
end

---@param out sightline.PanelText
---@param report sightline.Report
---@param index integer
local function add_link(out, report, index)
  local link, target = report.links[index], { link = index }
  local stale = link.stale and "SightlineStale" or nil
  local place = ("%s:%d"):format(link.path, link.quoteRange.start)
  local head = { { tostring(index), "SightlineNumber" }, { " " } }
  if link.role ~= "" then
    vim.list_extend(head, { { link.role, "SightlineRole" }, { "  " } })
  end
  head[#head + 1] = { place, stale or "SightlinePath" }
  if link.stale then
    head[#head + 1] = { "  stale: the quoted text is gone", stale }
  end
  add(out, head, ">1", target)
  add(out, { { "  " .. wording.plain(link.fact) } }, "1", target)
  for _, line in ipairs(vim.split(link.quote, "\n")) do
    add(out, { { "  │ " .. vim.trim(line), stale or "SightlineQuote" } }, "1", target)
  end
  local way = wording.hop(report, index) or wording.gap(report, index)
  if way then
    add(out, { { "  ↓ " .. way, "SightlineHop" } }, "1", target)
  end
end

---@param out sightline.PanelText
---@param title string
---@param lines { [1]: string, [2]: table? }[]
local function add_section(out, title, lines)
  if #lines == 0 then
    return
  end
  add(out, { { "" } })
  add(out, { { title, "SightlineTitle" } })
  for _, line in ipairs(lines) do
    add(out, { { "  " .. line[1] } }, nil, line[2])
  end
end

---@param report sightline.Report
---@return string[]
local function searches(report)
  return vim.tbl_map(function(each)
    return table.concat(each.terms, ", ") .. (each.scope ~= "" and " in " .. each.scope or "")
  end, report.searchTargets or {})
end

---@param report sightline.Report
---@return sightline.PanelText
function M.render(report)
  local out = { lines = {}, folds = {}, targets = {}, spans = {} }
  add(out, { { report.query, "SightlineTitle" } })
  local head = ("%s, %s confidence. %s."):format(
    report.intent,
    report.confidence,
    wording.action(report.action)
  )
  add(out, { { head, "SightlineHop" } })
  local coverage = report.coverage
  if coverage and coverage.indexed < coverage.total then
    local part = "Only %d of %d files had been indexed; ask again."
    add(out, { { part:format(coverage.indexed, coverage.total), "SightlineStale" } })
  end
  add(out, { { "" } })
  for index in ipairs(report.links) do
    add_link(out, report, index)
  end
  local targets = {}
  for _, each in ipairs(report.readTargets or {}) do
    local span = each.range and (":%d-%d"):format(each.range.start, each.range["end"]) or ""
    local file = each.location and vim.uri_to_fname(each.location.uri)
    local line = each.range and each.range.start or 1
    local purpose = each.purpose ~= "" and "  " .. wording.plain(each.purpose) or ""
    targets[#targets + 1] = { each.path .. span .. purpose, file and { path = file, line = line } }
  end
  local is_first = report.action == "read_targets"
  add_section(out, is_first and "Read before acting" or "Worth reading", targets)
  local function plain(texts)
    return vim.tbl_map(function(text)
      return { text }
    end, texts or {})
  end
  add_section(out, "Missing", plain(report.missing))
  add_section(out, "Search next", plain(searches(report)))
  add_section(out, "Notes", plain(report.notes))
  local suggested = table.concat(report.suggestedKeywords or {}, ", ")
  local keywords = suggested ~= "" and { { suggested, { keywords = true } } } or {}
  add_section(out, "Ask again with the words that fit  :Sightline keywords", keywords)
  return out
end

return M
