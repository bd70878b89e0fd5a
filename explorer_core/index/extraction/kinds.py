"""Kinds of definitions that are treated alike."""

from __future__ import annotations

TYPE_KINDS = frozenset({"class", "interface", "trait", "struct", "enum"})
CODE_KINDS = frozenset({"function", "method", "constructor", "property", "macro"})
VALUE_KINDS = frozenset({"variable", "constant", "field"})
