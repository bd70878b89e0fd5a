"""Resolves names without a receiver: imports, exports, packages."""
