"""Kinds of definitions that are treated alike."""

from __future__ import annotations

TYPE_KINDS = frozenset({"class", "interface", "trait", "struct", "enum"})
CALLABLE_KINDS = frozenset({"function", "method", "constructor", "macro"})
CODE_KINDS = CALLABLE_KINDS | {"property"}
VALUE_KINDS = frozenset({"variable", "constant", "field"})
DATA_KINDS = VALUE_KINDS | {"property"}
