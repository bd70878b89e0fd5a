"""Selects from a ranking the places that deserve room, and the seeds of the flow.

A question that names its participants explicitly is taken at its word: they are shown, and the flow
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
"""Number of best ranked places considered."""
_SEEDS = 14
_ENOUGH_NAMED = 3
"""With at least this many participants named explicitly, no other seeds are used."""
_FILES = 24
"""Number of best ranked files in which named participants are looked for."""
_NAMEABLE = MEMBER_HOLDERS | (CALLABLES - {"constructor"})
"""Kinds of symbols that a question can name as participants."""


@dataclass(frozen=True, slots=True)
class Aim:
    """The flow, and the places (path, range) in the order in which they deserve room."""

    spine: Spine
    places: tuple[tuple[str, LineRange | None], ...]


def aim(
    graph: SymbolGraph,
    ranked: Sequence[Candidate],
    query: str,
    *,
    avoid: Callable[[Symbol], bool],
) -> Aim:
    """The flow and the places for the best of a ranking. The flow avoids symbols for which
    ``avoid`` holds."""
    named = _named_participants(graph, ranked, query, avoid)
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


def _named_participants(
    graph: SymbolGraph, ranked: Sequence[Candidate], query: str, avoid: Callable[[Symbol], bool]
) -> list[Symbol]:
    """The types and functions that the question names and that are unique among the best ranked
    files, in the order of these files."""
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
    if len(seeds) >= _ENOUGH_NAMED:
        return seeds
    for candidate in ranked:
        if candidate.symbols and candidate.range and len(seeds) < _SEEDS:
            symbol = graph.enclosing(candidate.path, candidate.symbols[0].line)
            if symbol is not None:
                seeds.setdefault(symbol.id, math.exp(candidate.score - ranked[0].score))
    return seeds
