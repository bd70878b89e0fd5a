"""What belongs to definitions, or is led to from them, step by step in one direction."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import SymbolId

_ENOUGH = 600
"""Definitions after which no further ones are followed."""


def reached(
    start: set[SymbolId], following: Callable[[SymbolId], Iterable[SymbolId]]
) -> set[SymbolId]:
    """What some definitions lead to, themselves included, as far as `_ENOUGH` of them."""
    reached, pending = set(start), sorted(start)
    for each in pending:
        if len(reached) > _ENOUGH:
            break
        further = set(following(each)) - reached
        reached |= further
        pending += sorted(further)
    return reached


def constructors_of(graph: SymbolGraph, holder: SymbolId) -> list[SymbolId]:
    """The constructors of a type."""
    return [each for each in graph.members(holder) if graph.kind(each) == "constructor"]


def with_supertypes(graph: SymbolGraph, types: set[SymbolId]) -> set[SymbolId]:
    """Some types and all that they derive from."""
    return reached(types, lambda each: (edge.target for edge in graph.supertypes(each)))


def with_subtypes(graph: SymbolGraph, types: set[SymbolId]) -> set[SymbolId]:
    """Some types and all that derive from them."""
    return reached(types, lambda each: (edge.source for edge in graph.subtypes(each)))
