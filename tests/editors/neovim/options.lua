-- Invalid options keep their defaults, and each is reported in a sentence.
local t = dofile(vim.env.SIGHTLINE_HARNESS)

t.run(function()
  local config = require("sightline.config")
  config.set()
  local defaults = vim.deepcopy(config.options)
  local unknown = "Unknown option %s; see :help sightline-options."
  local program = "The option cmd must be a list of strings that starts with a program."
  for _, case in ipairs({
    { { colour = true }, unknown:format("colour") },
    { { panel = { widht = 7 } }, unknown:format("panel.widht") },
    { { marks = { 7 } }, unknown:format("marks.1") },
    { { jump = 1 }, "The option jump must be a boolean." },
    { { panel = 56 }, "The option panel must be a table." },
    { { panel = { width = "x" } }, "The option panel.width must be a number." },
    { { panel = { width = 0 } }, "The option panel.width must be a whole number, 1 or more." },
    { { restarts = -0.5 }, "The option restarts must be a whole number, 0 or more." },
    { { panel = { side = "top" } }, "The option panel.side must be one of right, left." },
    { { open = "tab" }, "The option open must be one of panel, quickfix, both, none." },
    { { marks = { signs = 5 } }, "The option marks.signs must be a boolean." },
    {
      { editor_channel = { timeout_ms = "y" } },
      "The option editor_channel.timeout_ms must be a number.",
    },
    { { cmd = {} }, program },
    { { cmd = { "sightline", 7 } }, program },
    { { cmd = { program = "sightline" } }, program },
    { { root_markers = { {} } }, "The option root_markers must be a list of strings." },
  }) do
    t.messages = {}
    local options, message = unpack(case)
    config.set(options)
    t.same(t.messages, { "Sightline: " .. message })
    t.same(config.options, defaults, message)
  end

  t.messages = {}
  config.set({ panel = { width = 40, side = "top" }, settings = { judge = 7 }, restarts = 0 })
  t.same(#t.messages, 1, "problems")
  t.same(config.options.panel, { width = 40, side = "right" }, "the option beside the wrong one")
  t.same(config.options.settings, { judge = 7 }, "settings are the server's to check")
  t.same(config.options.restarts, 0)
end)
