"""Compiler channels: the user's editor, and language servers that Sightline runs itself."""
