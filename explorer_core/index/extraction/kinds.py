"""Sets of definition kinds that are treated alike."""

from __future__ import annotations

CLASS_KINDS = frozenset({"class", "struct"})
"""Kinds that objects are made of."""
TYPE_KINDS = CLASS_KINDS | {"interface", "trait", "enum"}
CONVERSION_KINDS = frozenset({"enum", "type"})
"""Kinds of type to which a value is converted by what looks like a call (``Level(3)``)."""
CALLBACK = "callback"
"""An anonymous function that goes by the call it is passed to together with a string."""
CALLABLES = frozenset({"function", "method", "constructor", "macro", CALLBACK})
"""Kinds whose body runs when they are called."""
CODE_KINDS = CALLABLES | {"property"}
VALUE_KINDS = frozenset({"variable", "constant", "field"})
VARIABLES = VALUE_KINDS | {"property"}
"""Kinds that hold a value."""
