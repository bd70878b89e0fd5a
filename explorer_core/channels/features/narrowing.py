"""Narrows a long unit to the lines worth reading: a type's head, a body's densest stretch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

from explorer_core.contracts import LineRange
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, NAMESPACES, Symbol
from explorer_core.index.terms import text

Worths = Callable[[LineRange], Sequence[float]]
"""Returns the amount of evidence on each line of a range."""

LONG = 80
"""Bodies longer than this many lines are narrowed."""
WINDOW = 60
"""Lines that are kept of a long body, in one stretch."""
_HEAD = 30
"""Maximum lines of a type's head after the line of its name."""
_LEAST = 3
"""A stretch between members of at most this many lines says nothing by itself."""


def head_of(graph: SymbolGraph, symbol: Symbol) -> LineRange:
    """A type up to its first method or nested type; its fields are part of the head."""
    bodies = [
        graph.symbol(member).range.start
        for member in graph.members(symbol.id)
        if member.path == symbol.path and graph.symbol(member).kind in CALLABLES | MEMBER_HOLDERS
    ]
    inside = [start for start in bodies if symbol.line < start <= symbol.range.end]
    end = min([symbol.range.end, symbol.line + _HEAD, *(start - 1 for start in inside)])
    return LineRange(start=symbol.range.start, end=max(end, symbol.line))


def narrowed(graph: SymbolGraph, symbol: Symbol, worths: Worths) -> LineRange:
    """The range of ``symbol``, or the part of it that carries the evidence."""
    if symbol.kind in MEMBER_HOLDERS | NAMESPACES and len(symbol.range) > _HEAD:
        return head_of(graph, symbol)
    if len(symbol.range) <= LONG:
        return symbol.range
    return _densest(symbol.range, worths(symbol.range))


def remainder(
    graph: SymbolGraph, symbol: Symbol, kept: LineRange, inner: Sequence[LineRange]
) -> Iterator[LineRange]:
    """The lines of ``symbol`` that narrowing left out, in stretches of up to `WINDOW` lines.

    Bodies of members, and of a function's ``inner`` definitions, are left out: they are places of
    their own."""
    whole = symbol.range
    taken = [(kept.start, kept.end), *((each.start, each.end) for each in inner)]
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


def zero_inside(worths: Worths, inner: Sequence[LineRange]) -> Worths:
    """``worths`` with 0 for every line inside one of the ``inner`` ranges."""
    within = {line for each in inner for line in range(each.start, each.end + 1)}

    def worth(lines: LineRange) -> list[float]:
        numbers = range(lines.start, lines.end + 1)
        return [
            0.0 if line in within else each
            for line, each in zip(numbers, worths(lines), strict=True)
        ]

    return worth


def _densest(span: LineRange, worths: Sequence[float]) -> LineRange:
    """The `WINDOW` lines of ``span`` with the greatest total worth, the first of equals."""
    size = min(WINDOW, len(worths))
    total = sum(worths[:size])
    best, best_at = total, 0
    for at in range(1, len(worths) - size + 1):
        total += worths[at + size - 1] - worths[at - 1]
        if total > best + 1e-9:
            best, best_at = total, at
    return LineRange(start=span.start + best_at, end=span.start + best_at + size - 1)


def line_worth(line: str, weights: Mapping[str, float]) -> float:
    """The sum of the weights of the distinct terms on a line."""
    return sum(weights.get(term, 0.0) for term in dict.fromkeys(text.analyse(line)))


class LineWorths:
    """`line_worth` for the lines of one file. Each line is analysed once, for all sets of terms."""

    def __init__(self, lines: Sequence[str], telling: WeightedTerms) -> None:
        self._lines = lines
        self._telling = telling
        self._on: dict[int, tuple[str, ...]] = {}

    def of(self, terms: Sequence[str]) -> Worths:
        """The worths of lines where only ``terms`` count."""
        weights = {term: self._telling.terms[term] for term in terms}

        def worths(lines: LineRange) -> list[float]:
            return [
                sum([weights.get(term, 0.0) for term in weighted_terms]) if weighted_terms else 0.0
                for weighted_terms in self.weighted_terms(lines)
            ]

        return worths

    def weighted_terms(self, lines: LineRange) -> list[tuple[str, ...]]:
        """The distinct weighted terms on each line."""
        numbers = range(lines.start, lines.end + 1)
        if not all(map(self._on.__contains__, numbers)):
            runs = text.runs_by_line(self._lines[lines.start - 1 : lines.end])
            for line, words in zip(numbers, runs, strict=True):
                terms = filter(None, map(self._telling.__getitem__, words))
                self._on[line] = tuple(dict.fromkeys(chain.from_iterable(terms)))
        return [self._on[line] for line in numbers]


class WeightedTerms(dict[str | bytes, tuple[str, ...]]):
    """Maps a word, as `text.runs` yields it, to those of its index terms that have a weight in
    ``terms``. Computed when a word is first looked up."""

    def __init__(self, terms: Mapping[str, float]) -> None:
        super().__init__()
        self.terms = terms

    def __missing__(self, word: str | bytes) -> tuple[str, ...]:
        terms = text.terms_of(word)
        weighted_terms = self.terms.keys()
        found = (
            ()
            if weighted_terms.isdisjoint(terms)
            else tuple(term for term in terms if term in weighted_terms)
        )
        self[word] = found
        return found
