"""Families: types with the same supertype, or functions of one shape listed in the same table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from explorer_core.index.graph import SymbolGraph
from explorer_core.index.resolution.function_types import parameters_of
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, Symbol, SymbolId

FAMILY = 3
"""Fewest members of a family. Two could well be two distinct steps."""
_ROW_GAP = 2
"""Most lines from one entry of a table or call to the next."""


@dataclass(frozen=True, slots=True)
class Family:
    """``head`` is the supertype of all members, or the definition that contains their table."""

    head: SymbolId
    members: frozenset[SymbolId]


def families_of(graph: SymbolGraph, member: SymbolId) -> Iterator[Family]:
    """The families of a definition, including those with fewer than `FAMILY` members."""
    is_type = graph.kind(member) in MEMBER_HOLDERS
    yield from _implementers(graph, member) if is_type else _registered(graph, member)


def _implementers(graph: SymbolGraph, member: SymbolId) -> Iterator[Family]:
    for supertype in dict.fromkeys(edge.target for edge in graph.supertypes(member)):
        yield Family(supertype, frozenset(edge.source for edge in graph.subtypes(supertype)))


def _registered(graph: SymbolGraph, member: SymbolId) -> Iterator[Family]:
    """The families of functions listed in one table or call together with this one."""
    own = graph.symbol(member)
    for reference in graph.incoming(member):
        if reference.relation == "references":
            rows = sorted(
                (edge.line, edge.target)
                for edge in graph.outgoing(reference.source)
                if edge.relation == "references" and _is_alike(own, graph.symbol(edge.target))
            )
            yield Family(reference.source, frozenset(_around(reference.line, rows)))


def _is_alike(symbol: Symbol, other: Symbol) -> bool:
    """Whether two definitions have one shape: both functions, with the same parameter count."""
    if symbol.kind not in CALLABLES or other.kind not in CALLABLES:
        return False
    own = parameters_of(symbol.signature, symbol.name)
    return len(own) == len(parameters_of(other.signature, other.name))


def _around(line: int, rows: list[tuple[int, SymbolId]]) -> Iterator[SymbolId]:
    """The targets of the run of consecutive rows that contains ``line``."""
    run: list[tuple[int, SymbolId]] = []
    for row in rows:
        if run and row[0] - run[-1][0] > _ROW_GAP:
            if run[-1][0] >= line:
                break
            run = []
        run.append(row)
    yield from (target for _, target in run)
