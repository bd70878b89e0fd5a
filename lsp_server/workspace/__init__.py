"""The folders of a client: their settings, the documents open in them, the explorer over them."""
