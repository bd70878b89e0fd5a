"""Parses questions: recognises names, paths, messages and so on by their shapes."""
