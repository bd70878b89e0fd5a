"""What a look at a ranking aims at: the places that deserve room, and the seeds of the flow.

A question that names its participants outright is taken at its word: they are shown, and the flow
is the one between them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from explorer_core.channels.question.query import understand
from explorer_core.contracts import Candidate, LineRange
from explorer_core.index.flow import find_spine
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.spine import Spine
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, Symbol, SymbolId

PLACES = 16
"""Best ranked places looked at."""
_SEEDS = 14
_NAMED = 3
"""Fewest participants named outright that leave no others to be sought."""
_FILES = 24
"""Best ranked files in which what is named is looked for."""
_NAMEABLE = MEMBER_HOLDERS | (CALLABLES - {"constructor"})
"""Kinds of what a question names as a participant."""


@dataclass(frozen=True, slots=True)
class Aim:
    """``places`` are paths and ranges in the order in which they deserve room."""

    spine: Spine
    places: tuple[tuple[str, LineRange | None], ...]


def aim(
    graph: SymbolGraph,
    ranked: Sequence[Candidate],
    query: str,
    *,
    avoid: Callable[[Symbol], bool],
) -> Aim:
    """The flow and the places for the best of a ranking; the flow goes round what ``avoid`` holds
    for."""
    named = _named(graph, ranked, query, avoid)
    best = ranked[:PLACES]
    spine = find_spine(graph, _seeds(graph, best, named), avoid=avoid)
    steps = [graph.symbol(step.symbol) for step in spine.steps]
    return Aim(
        spine,
        (
            *((each.path, each.range) for each in best[: PLACES // 4]),
            *((symbol.path, symbol.range) for symbol in steps),
            *((each.path, each.range) for each in best),
            *((symbol.path, symbol.range) for symbol in named),
        ),
    )


def _named(
    graph: SymbolGraph, ranked: Sequence[Candidate], query: str, avoid: Callable[[Symbol], bool]
) -> list[Symbol]:
    """The types and functions that the question names and of which there is one among the best
    ranked files, in the order of their files."""
    wanted = {each.text for each in understand(query).identifiers}
    files = list(dict.fromkeys(each.path for each in ranked))
    found: dict[str, list[Symbol]] = {}
    for path in files[:_FILES]:
        for symbol in graph.symbols_in(path):
            if symbol.name in wanted and symbol.kind in _NAMEABLE and not avoid(symbol):
                found.setdefault(symbol.name, []).append(symbol)
    return [symbols[0] for symbols in found.values() if len(symbols) == 1]


def _seeds(
    graph: SymbolGraph, ranked: Sequence[Candidate], named: Sequence[Symbol]
) -> Mapping[SymbolId, float]:
    seeds = {symbol.id: 1.0 for symbol in named}
    if len(seeds) >= _NAMED:
        return seeds
    for candidate in ranked:
        if candidate.symbols and candidate.range and len(seeds) < _SEEDS:
            symbol = graph.enclosing(candidate.path, candidate.symbols[0].line)
            if symbol is not None:
                seeds.setdefault(symbol.id, math.exp(candidate.score - ranked[0].score))
    return seeds
