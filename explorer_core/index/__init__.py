"""The symbol graph: facts per file, resolved when asked."""
