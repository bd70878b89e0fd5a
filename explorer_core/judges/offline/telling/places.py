"""What places show, and what they have to do with each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from explorer_core.contracts import Candidate
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import Symbol
from explorer_core.judges.offline.telling.step import Step
from explorer_core.registry.ranking import Ranking

_NEAR = 1.6
"""How far below the best score a candidate may be and still be about as good: a fifth as
probable."""


def definition_of(graph: SymbolGraph, candidate: Candidate) -> Symbol | None:
    """The definition a candidate shows; None for a window that merely contains small ones."""
    if not candidate.symbols or candidate.range is None:
        return None
    symbol = graph.enclosing(candidate.path, candidate.symbols[0].line)
    if symbol is None or symbol.range.covers(candidate.range):
        return symbol
    return symbol if 2 * len(symbol.range) >= len(candidate.range) else None


def as_good_as_best(ranking: Ranking) -> Iterator[Candidate]:
    """The candidates about as good as the best, in the order of the ranking."""
    bar = ranking.candidates[0].score - _NEAR
    return takewhile(lambda each: each.score >= bar, ranking.candidates)


def definitions_of(steps: Sequence[Step]) -> list[Symbol]:
    """What some steps show, without files: of these only the lines of an edge are shown."""
    return [step.symbol for step in steps if not step.symbol.id.is_file]


def share_lines(one: Candidate | Symbol, other: Candidate | Symbol) -> bool:
    """Whether two places have lines in common: windows of one definition may overlap, and a type
    has its members inside."""
    if one.path != other.path or one.range is None or other.range is None:
        return False
    return one.range.overlaps(other.range)


def override_alike(graph: SymbolGraph, one: Symbol, other: Symbol) -> bool:
    """Whether two override one member."""
    first, second = ({edge.target for edge in graph.overrides(each.id)} for each in (one, other))
    return not first.isdisjoint(second)


def has_to_do(graph: SymbolGraph, path: str, symbol: Symbol | None, steps: Sequence[Step]) -> bool:
    """Whether a place is in a file of some steps, or an edge leads from its definition to one
    of them or back."""
    if not steps or any(step.symbol.path == path for step in steps):
        return True
    if symbol is None:
        return False
    shown = {each.id for each in definitions_of(steps)}
    back = {edge.target for each in shown for edge in graph.outgoing(each)}
    there = {edge.target for edge in graph.outgoing(symbol.id)}
    return symbol.id in back or not there.isdisjoint(shown)
