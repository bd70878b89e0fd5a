"""The collections of a language: how they are written, and what is taken out of them."""

from __future__ import annotations

from typing import Literal

import msgspec

CollectionResult = Literal["element", "same", "values"]
"""What is returned from a collection: an element, the collection itself, or its values without the
keys."""


class CollectionRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What makes a collection, and which members and subscripts of one return what."""

    element_members: dict[str, CollectionResult] = {}
    """Members of the language's own collections that return an ``element`` (``pop``), the ``same``
    collection (``filter``), or only the ``values`` of a table."""
    subscript_member: str = ""
    """The member that is invoked when a value has a subscript (``__getitem__``)."""
    iterating_members: tuple[str, ...] = ()
    """The member that returns an iterator, and the iterator's member that returns each element
    (``__iter__``, ``__next__``)."""
    entries: bool = False
    """Whether iterating over a table yields entries, whose members return the value under a key as
    those of the table do."""
    slice: str = ""
    """Regex: a subscript that yields a part of a collection rather than an element (``1:``)."""
    listing: dict[str, Literal["values", "pairs"]] = {}
    """Functions of the language that return a collection of their arguments: of ``values``, or of
    ``pairs`` of key and value."""
    pair_mark: str = ""
    """What separates the key from the value in such a pair."""
    list_literals: bool = False
    """Whether an expression may be a list literal in square brackets."""
    lists_apart: bool = False
    """Whether the elements of such a collection may have different types, each known by itself
    (Python). Otherwise they have the type that all have in common (Kotlin)."""
