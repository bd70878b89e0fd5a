"""Writes sentences about edges, and remembers which edges were stated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from explorer_core.channels.features.narrowing import line_worth
from explorer_core.index.symbols import Edge, Symbol, SymbolId
from explorer_core.judges import statements
from explorer_core.judges.offline.telling.calls import Calls, is_sure_call
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.reach import reached

_CALLERS, _FILES = 8, 40
"""The callers named most like the question are chosen among this many, found in so many files."""
_NAMESAKES = 40
"""Overrides of a member are counted only if at most this many files may define its name."""


@dataclass(frozen=True)
class EdgeSentences(Finder):
    """Puts the edges of one case into sentences. None is stated again from its other end."""

    calls: Calls
    _stated_hops: set[tuple[SymbolId, SymbolId]] = field(
        default_factory=set[tuple[SymbolId, SymbolId]]
    )
    """The ends of each edge that was stated."""

    def of_edge(
        self, edge: Edge, via: Sequence[SymbolId] = (), meant: SymbolId | None = None
    ) -> str:
        """Returns the sentence for an edge and notes that it was stated."""
        self.mark_stated(edge)
        self.exhibits.record_symbols(*map(self._graph.symbol, (*via, *([meant] if meant else []))))
        others = self._count_other_overrides(meant, edge.target) if meant else 0
        return statements.of_edge(self._graph, edge, via, meant, others)

    def of_handover(self, edge: Edge, text: str) -> str:
        """Returns the sentence for an edge that hands a function over."""
        self.mark_stated(edge)
        return statements.of_handover(self._graph, edge, text)

    def of_incoming(self, edges: Sequence[Edge]) -> str:
        """Returns the sentence for edges that lead to a step's symbol."""
        self.mark_stated(*edges)
        return statements.of_target(self._graph, edges)

    def with_incoming(self, fact: str, edge: Edge) -> str:
        """Appends the sentence for an edge to a fact about the edge's target."""
        self.mark_stated(edge)
        return f"{fact} {statements.of_further_targets(self._graph, [edge])}"

    def mark_stated(self, *edges: Edge) -> None:
        """Notes that edges were stated: sentences may name both ends, and do not repeat the
        edges."""
        for edge in edges:
            self.exhibits.record_symbols(*map(self._graph.symbol, (edge.source, edge.target)))
            self._stated_hops.add((edge.source, edge.target))

    def is_stated(self, edge: Edge) -> bool:
        """Whether an edge was stated, or another one between the same ends."""
        return (edge.source, edge.target) in self._stated_hops

    def is_led_to(self, symbol: Symbol) -> bool:
        """Whether an edge to a symbol was stated."""
        return any(target == symbol.id for _, target in self._stated_hops)

    def is_news(self, edge: Edge) -> bool:
        """Whether an edge was not yet stated from its source, and says something of its target."""
        return not self.is_stated(edge) and not self.calls.is_overload(edge.source, edge.target)

    def relevant_callers(self, symbol: Symbol) -> list[Edge]:
        """Returns a call by each of a few callers. Those whose names have most of the question come
        first."""
        weights = self._words.weights
        callers = islice(self._callers(symbol), _CALLERS)
        names = {edge: self._graph.symbol(edge.source).qualified_name for edge in callers}
        worth = {edge: line_worth(name, weights) for edge, name in names.items()}
        return sorted(worth, key=lambda edge: -worth[edge])

    def _callers(self, symbol: Symbol) -> Iterator[Edge]:
        """Yields a sure call by each caller near the symbol, without tests and those already
        stated."""
        graph = self._graph
        seen = {symbol.id}
        for edge in graph.uses_of(symbol.id, files=_FILES, calls=True):
            is_stated = (edge.source, symbol.id) in self._stated_hops
            is_skipped = edge.source in seen or edge.source.is_file
            if (
                not is_skipped
                and is_sure_call(self.case, edge)
                and not self.calls.is_overload(edge.source, symbol.id)
            ):
                seen.add(edge.source)
                if not is_stated and not self.case.is_set_apart(graph.symbol(edge.source)):
                    yield edge

    def _count_other_overrides(self, meant: SymbolId, declared: SymbolId) -> int | None:
        """Counts the other overrides of a declared member, also those of its overrides, without
        tests and the like. None if very many files have its name, since counting would take too
        long."""
        graph = self._graph
        if graph.namesakes(graph.symbol(declared).name) > _NAMESAKES:
            return None
        found = reached({declared}, lambda each: (e.source for e in graph.overridden_by(each)))
        found -= {declared, meant}
        return sum(not self.case.is_set_apart(graph.symbol(each)) for each in found)
