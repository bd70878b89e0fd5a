--- The wording of a report for readers.
local M = {}

-- Must match explorer_core/report/words.py; a test compares them.
local WITNESSES = {
  editor = "confirmed by the editor's language server",
  server = "confirmed by a language server",
  jedi = "confirmed by static analysis",
  ["graph:scope"] = "resolved by scope",
  ["graph:import"] = "resolved by import",
  ["graph:type"] = "resolved by type",
  ["graph:name"] = "matched by name only",
}

--- The wording of relations whose own names are not plain English.
local RELATIONS = { feeds = "sends to" }

local ACTIONS = {
  answer_from_report = "The flow answers the question",
  read_targets = "Read the listed places first",
  targeted_gap_search = "Something is missing",
  skip_explore_result = "Nothing relevant found",
}

---@param witness string?
---@return string
function M.witness(witness)
  return witness and (WITNESSES[witness] or witness) or "not confirmed"
end

---@param action string
---@return string
function M.action(action)
  return ACTIONS[action] or ""
end

---@param fact string
---@return string
function M.plain(fact)
  return (fact:gsub("`", ""))
end

--- Describes the hop from a link to the next: "calls 2 on line 20, resolved by type".
---@param report sightline.Report
---@param index integer
---@return string?
function M.hop(report, index)
  local link = report.links[index]
  local hop = link.hop
  if not hop then
    return nil
  end
  local relation = RELATIONS[hop.relation] or hop.relation
  local text
  if hop.from == link.id then
    text = ("%s %d"):format(relation, index + 1)
  else
    text = ("%d %s this"):format(index + 1, relation)
  end
  if #(hop.via or {}) > 0 then
    text = text .. " through " .. table.concat(hop.via, ", ")
  end
  if hop.site then
    local elsewhere = hop.site.path ~= link.path and " of " .. hop.site.path or ""
    text = ("%s on line %d%s"):format(text, hop.site.line, elsewhere)
  end
  return text .. ", " .. M.witness(hop.witness)
end

--- The text to show if no hop leads from a link to the next. Nil if the next one only stands beside
--- the flow: no hop needs to lead there.
---@param report sightline.Report
---@param index integer
---@return string?
function M.gap(report, index)
  local after = report.links[index + 1]
  local is_beside = after and (after.role == "also" or after.role == "user")
  return after and not is_beside and "no relation to the next place was found" or nil
end

--- One line for lists: "2/5 entry: submit calls place_order", with "(stale)" before it if stale.
---@param report sightline.Report
---@param index integer
---@return string
function M.line(report, index)
  local link = report.links[index]
  local text = ("%d/%d %s"):format(
    index,
    #report.links,
    link.role ~= "" and link.role .. ": " or ""
  )
  text = text .. M.plain(link.fact)
  return link.stale and "(stale) " .. text or text
end

return M
