"""Adds to the steps of a flow what else they call, and who calls the first one.

A path shows one way through functions that have several. The names of the others tell the reader
where else to look.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import islice

from explorer_core.channels.features.narrowing import line_worth
from explorer_core.index.symbols import CALLABLES, Edge, Symbol, SymbolId
from explorer_core.judges.offline.telling.step import Step
from explorer_core.judges.offline.telling.telling import Telling
from explorer_core.judges.statements import called

_OTHERS = 2
"""How many other callees are named for a step."""


def with_neighbours(telling: Telling, steps: Sequence[Step]) -> list[Step]:
    """Returns the steps with other calls to mention: calls by each step of definitions that rank
    well or are named much like the question, and calls of the first step."""
    graph = telling.case.graph
    shown = [graph.symbol(each) for step in steps for each in (step.symbol.id, *step.via)]
    shown += (graph.symbol(step.edge.target) for step in steps if step.edge is not None)
    found: list[Step] = []
    for at, step in enumerate(steps):
        later = {each.symbol.id for each in steps[at + 2 :]}
        also = step.also or (
            *_bypassed_calls(telling, step.symbol, later),
            *_other_calls(telling, step.symbol, shown),
        )
        shown += (graph.symbol(edge.target) for edge in also)
        if not found and not step.handover_text:
            named = {symbol.id for symbol in shown}
            callers = telling.edges.relevant_callers(step.symbol)
            also = (*also, *(edge for edge in callers if edge.source not in named))
        found.append(replace(step, also=also))
    return found


def _bypassed_calls(telling: Telling, symbol: Symbol, later: Collection[SymbolId]) -> list[Edge]:
    """Returns the symbol's first call of a later step that the path reaches by a detour."""
    calls = (edge for edge in telling.calls.sure(symbol) if edge.target in later)
    return [*islice(calls, 1)]


def _other_calls(telling: Telling, symbol: Symbol, shown: Sequence[Symbol]) -> list[Edge]:
    """Returns the calls by a symbol of other definitions that matter to the question, in line
    order. Definitions whose name is ``shown`` already, or that only return a value, are left
    out."""
    names = {each.name for each in shown}
    found: dict[str, tuple[tuple[bool, float], Edge]] = {}
    for edge in telling.calls.sure(symbol):
        target = telling.case.graph.symbol(edge.target)
        if target.name not in names and (worth := _callee_preference(telling, target)) is not None:
            found.setdefault(called(target), (worth, edge))
    best = sorted(found.values(), key=lambda each: each[0], reverse=True)[:_OTHERS]
    return sorted((edge for _, edge in best), key=lambda edge: edge.line)


def _callee_preference(telling: Telling, target: Symbol) -> tuple[bool, float] | None:
    """Returns a sort key for a callee; a well ranked one comes before all others. None if its name
    has too little of the question, or if it only returns a value."""
    words = telling.exhibits.words
    name_worth = line_worth(target.name, words.weights)
    rank = telling.exhibits.ranks.get((target.path, target.line))
    if rank is not None:
        is_informative = bool(words.telling_words_on(target.name))
    else:
        is_informative = target.kind in CALLABLES and name_worth >= words.largest_weight
    if not is_informative or telling.calls.only_returns_value(target):
        return None
    return rank is not None, name_worth if rank is None else -rank
