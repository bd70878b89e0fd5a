"""What the steps of a flow call beside it, and what calls the first of them.

A chain is one way through a function that goes several, and begins where several lead in. The names
of the others tell the reader where else to look.
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
"""How many others a step is told to call beside what comes next."""


def with_neighbours(telling: Telling, steps: Sequence[Step]) -> list[Step]:
    """The steps of a path, with other calls to tell of: by each of what is ranked, or named much
    like the question, and of the first."""
    graph = telling.case.graph
    shown = [graph.symbol(each) for step in steps for each in (step.symbol.id, *step.via)]
    shown += (graph.symbol(step.edge.target) for step in steps if step.edge is not None)
    found: list[Step] = []
    for at, step in enumerate(steps):
        later = {each.symbol.id for each in steps[at + 2 :]}
        also = step.also or (
            *_direct(telling, step.symbol, later),
            *_others(telling, step.symbol, shown),
        )
        shown += (graph.symbol(edge.target) for edge in also)
        if not found and not step.handed:
            named = {symbol.id for symbol in shown}
            callers = telling.telling_callers(step.symbol)
            also = (*also, *(edge for edge in callers if edge.source not in named))
        found.append(replace(step, also=also))
    return found


def _direct(telling: Telling, symbol: Symbol, later: Collection[SymbolId]) -> list[Edge]:
    """The first call by a symbol of a step that the path comes to by a way round."""
    calls = (edge for edge in telling.calls.sure(symbol) if edge.target in later)
    return [*islice(calls, 1)]


def _others(telling: Telling, symbol: Symbol, shown: Sequence[Symbol]) -> list[Edge]:
    """The calls by a symbol of other definitions that the question has to do with, in the order of
    their lines. Their names are not among the names shown; what only gives a value is left out."""
    names = {each.name for each in shown}
    found: dict[str, tuple[tuple[bool, float], Edge]] = {}
    for edge in telling.calls.sure(symbol):
        target = telling.case.graph.symbol(edge.target)
        if target.name not in names and (worth := _worth(telling, target)) is not None:
            found.setdefault(called(target), (worth, edge))
    best = sorted(found.values(), key=lambda each: each[0], reverse=True)[:_OTHERS]
    return sorted((edge for _, edge in best), key=lambda edge: edge.line)


def _worth(telling: Telling, target: Symbol) -> tuple[bool, float] | None:
    """How much it tells that a definition is called, a well ranked one more than any other; None if
    its name says too little of the question, or it only gives a value."""
    words = telling.exhibits.words
    named = line_worth(target.name, words.weights)
    rank = telling.exhibits.ranks.get((target.path, target.line))
    if rank is not None:
        tells = bool(words.telling_words_on(target.name))
    else:
        tells = target.kind in CALLABLES and named >= words.most
    if not tells or telling.calls.only_gives(target):
        return None
    return rank is not None, named if rank is None else -rank
