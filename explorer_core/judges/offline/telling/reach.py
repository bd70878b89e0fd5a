"""Follows relations between definitions step by step, such as members or supertypes."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import SymbolId
from explorer_core.judges.base import JudgeCase

_ENOUGH = 600
"""How many definitions are reached before no more are followed."""


def reached(
    start: set[SymbolId], following: Callable[[SymbolId], Iterable[SymbolId]]
) -> set[SymbolId]:
    """Returns the definitions themselves and all that they lead to, up to about `_ENOUGH`."""
    reached, pending = set(start), sorted(start)
    for each in pending:
        if len(reached) > _ENOUGH:
            break
        further = set(following(each)) - reached
        reached |= further
        pending += sorted(further)
    return reached


def constructors_of(graph: SymbolGraph, holder: SymbolId) -> list[SymbolId]:
    """Returns the constructors of a type."""
    return [each for each in graph.members(holder) if graph.kind(each) == "constructor"]


def with_supertypes(graph: SymbolGraph, types: set[SymbolId]) -> set[SymbolId]:
    """Returns the types and all their supertypes."""
    return reached(types, lambda each: (edge.target for edge in graph.supertypes(each)))


def with_subtypes(graph: SymbolGraph, types: set[SymbolId]) -> set[SymbolId]:
    """Returns the types and all their subtypes."""
    return reached(types, lambda each: (edge.source for edge in graph.subtypes(each)))


def derived_types(case: JudgeCase, head: SymbolId) -> set[SymbolId]:
    """Returns all types that derive from one, without tests and the like. The parts of one type
    are one."""
    graph = case.graph
    below = set(map(graph.first_part, with_subtypes(graph, {head}) - {head}))
    return {each for each in below if not case.is_set_apart(graph.symbol(each))}
