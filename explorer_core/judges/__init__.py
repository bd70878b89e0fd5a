"""Judge: say which observed places matter, by their ids."""
