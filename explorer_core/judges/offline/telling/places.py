"""Which definitions places show, and how places are related."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from explorer_core.contracts import Candidate
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import Symbol
from explorer_core.judges.offline.telling.step import Step
from explorer_core.registry.ranking import Ranking

_NEAR = 1.6
"""How far a score may lie below the best and still count as about as good: a fifth as probable."""


def definition_of(graph: SymbolGraph, candidate: Candidate) -> Symbol | None:
    """Returns the definition that a candidate shows, or None for a window that merely contains
    small ones."""
    if not candidate.symbols or candidate.range is None:
        return None
    symbol = graph.enclosing(candidate.path, candidate.symbols[0].line)
    if symbol is None or symbol.range.covers(candidate.range):
        return symbol
    return symbol if 2 * len(symbol.range) >= len(candidate.range) else None


def as_good_as_best(ranking: Ranking) -> Iterator[Candidate]:
    """Yields the candidates about as good as the best, in the order of the ranking."""
    bar = ranking.candidates[0].score - _NEAR
    return takewhile(lambda each: each.score >= bar, ranking.candidates)


def definitions_of(steps: Sequence[Step]) -> list[Symbol]:
    """Returns the symbols of some steps, without files: of a file only the edge's lines are
    shown."""
    return [step.symbol for step in steps if not step.symbol.id.is_file]


def share_lines(one: Candidate | Symbol, other: Candidate | Symbol) -> bool:
    """Whether two places overlap, as windows of one definition may, and as a type and its members
    do."""
    if one.path != other.path or one.range is None or other.range is None:
        return False
    return one.range.overlaps(other.range)


def override_same_member(graph: SymbolGraph, one: Symbol, other: Symbol) -> bool:
    """Whether two symbols override the same member."""
    first, second = ({edge.target for edge in graph.overrides(each.id)} for each in (one, other))
    return not first.isdisjoint(second)


def is_related(graph: SymbolGraph, path: str, symbol: Symbol | None, steps: Sequence[Step]) -> bool:
    """Whether a place is related to some steps: it is in the file of one, or an edge joins its
    definition to one of them in either direction. Always true without steps."""
    if not steps or any(step.symbol.path == path for step in steps):
        return True
    if symbol is None:
        return False
    shown = {each.id for each in definitions_of(steps)}
    back = {edge.target for each in shown for edge in graph.outgoing(each)}
    there = {edge.target for edge in graph.outgoing(symbol.id)}
    return symbol.id in back or not there.isdisjoint(shown)
