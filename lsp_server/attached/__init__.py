"""The way from another process of the same user to a running language server."""
