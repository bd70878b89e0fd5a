"""From an import as written to the files it names, by the style of a language's imports."""
