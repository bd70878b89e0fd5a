-- For vim.lsp.enable("sightline") in Neovim 0.11 and newer.
return require("sightline.server").config()
