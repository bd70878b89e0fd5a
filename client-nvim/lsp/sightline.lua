-- For vim.lsp.enable("sightline"), Neovim 0.11 and newer.
return require("sightline.server").config()
