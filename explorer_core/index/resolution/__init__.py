"""Resolves references to definitions, from the facts of many files, when a question asks for it."""
