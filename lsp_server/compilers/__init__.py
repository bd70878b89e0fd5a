"""Compiler channels: the user's editor, and language servers run by Sightline itself."""
