"""The lines of a unit that are worth reading: a type's head, the dense stretch of a long body."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

from explorer_core.contracts import LineRange
from explorer_core.index import text
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, NAMESPACES, Symbol

LONG = 80
"""A body of more lines is narrowed."""
WINDOW = 60
"""Lines of the stretch kept of a long body."""
_HEAD = 30
"""Most lines of a type's head."""
_LEAST = 3
"""A stretch of so few lines between members says nothing alone."""


def head_of(graph: SymbolGraph, symbol: Symbol) -> LineRange:
    """A type up to its first member with a body; its fields are part of the head."""
    bodies = [
        graph.symbol(member).range.start
        for member in graph.members(symbol.id)
        if member.path == symbol.path and graph.symbol(member).kind in CALLABLES | MEMBER_HOLDERS
    ]
    inside = [start for start in bodies if symbol.line < start <= symbol.range.end]
    end = min([symbol.range.end, symbol.line + _HEAD, *(start - 1 for start in inside)])
    return LineRange(start=symbol.range.start, end=max(end, symbol.line))


def narrowed(graph: SymbolGraph, symbol: Symbol, worth: Callable[[int], float]) -> LineRange:
    """``symbol``'s range, or the part of it that carries the evidence; ``worth`` is what a line
    has of it."""
    if symbol.kind in MEMBER_HOLDERS | NAMESPACES and len(symbol.range) > _HEAD:
        return head_of(graph, symbol)
    if len(symbol.range) <= LONG:
        return symbol.range
    return densest(symbol.range, worth)


def remainder(graph: SymbolGraph, symbol: Symbol, kept: LineRange) -> Iterator[LineRange]:
    """What narrowing left out of ``symbol``'s own lines, in stretches of up to `WINDOW` lines. The
    bodies of members are places of their own."""
    whole = symbol.range
    taken = [(kept.start, kept.end)]
    if symbol.kind in MEMBER_HOLDERS | NAMESPACES:
        members = (graph.symbol(each) for each in graph.members(symbol.id))
        taken += [
            (each.range.start, each.range.end)
            for each in members
            if each.path == symbol.path and each.kind in CALLABLES | MEMBER_HOLDERS | NAMESPACES
        ]
    at = whole.start
    for start, end in [*sorted(taken), (whole.end + 1, whole.end + 1)]:
        end_of_gap = min(start - 1, whole.end)
        while end_of_gap - at >= _LEAST:
            stop = min(end_of_gap, at + WINDOW - 1)
            yield LineRange(start=at, end=stop)
            at = stop + 1
        at = max(at, end + 1)


def densest(span: LineRange, worth: Callable[[int], float], size: int = WINDOW) -> LineRange:
    """The stretch of ``size`` lines of ``span`` with the most worth, the first of equals."""
    worths = [worth(line) for line in range(span.start, span.end + 1)]
    size = min(size, len(worths))
    total = sum(worths[:size])
    best, best_at = total, 0
    for at in range(1, len(worths) - size + 1):
        total += worths[at + size - 1] - worths[at - 1]
        if total > best + 1e-9:
            best, best_at = total, at
    return LineRange(start=span.start + best_at, end=span.start + best_at + size - 1)


def line_worth(line: str, weights: Mapping[str, float]) -> float:
    """The weights of the distinct terms on a line."""
    return sum(weights.get(term, 0.0) for term in dict.fromkeys(text.analyse(line)))


class LineWorths:
    """`line_worth` of the lines of a file, each analysed once for all the weights asked for."""

    def __init__(self, lines: Sequence[str], telling: Telling) -> None:
        self._lines = lines
        self._telling = telling
        self._on: dict[int, tuple[str, ...]] = {}

    def of(self, terms: Sequence[str]) -> Callable[[int], float]:
        """The worth of a line, by its number, where of the terms that tell only ``terms`` count."""
        weights = {term: self._telling.terms[term] for term in terms}

        def worth(line: int) -> float:
            found = self._on.get(line)
            if found is None:
                words = map(self._telling.__getitem__, text.runs(self._lines[line - 1]))
                found = self._on[line] = tuple(dict.fromkeys(chain.from_iterable(words)))
            return sum([weights.get(term, 0.0) for term in found]) if found else 0.0

        return worth


class Telling(dict[str | bytes, tuple[str, ...]]):
    """The terms of words, as `text.runs` gives them, that are among ``terms``, which have weights;
    worked out when a word is first seen."""

    def __init__(self, terms: Mapping[str, float]) -> None:
        super().__init__()
        self.terms = terms

    def __missing__(self, word: str | bytes) -> tuple[str, ...]:
        found = self[word] = tuple(term for term in text.terms_of(word) if term in self.terms)
        return found
