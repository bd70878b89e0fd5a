"""Kinds of definitions that are treated alike."""

from __future__ import annotations

CLASS_KINDS = frozenset({"class", "struct"})
"""Those of which objects are made."""
TYPE_KINDS = CLASS_KINDS | {"interface", "trait", "enum"}
CALLBACK = "callback"
"""A function without a name, known by the call that it is given to with a text."""
CALLABLES = frozenset({"function", "method", "constructor", "macro", CALLBACK})
"""Those whose body runs when they are called."""
CODE_KINDS = CALLABLES | {"property"}
VALUE_KINDS = frozenset({"variable", "constant", "field"})
VARIABLES = VALUE_KINDS | {"property"}
"""Those that hold a value."""
