"""Searching the text of files in a process of its own: ripgrep, or the stand-in for it."""
