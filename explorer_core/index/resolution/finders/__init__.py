"""Finds the files and modules that imports lead to, in the style of each language."""
