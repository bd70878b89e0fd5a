"""The symbol graph as the finder of relations between two candidates."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from explorer_core.contracts import Candidate, Hop, Site
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import Edge, Symbol, SymbolId
from explorer_core.validation.witnesses import place_of

_MOST_NAMESAKES = 3
"""A by-name edge with more candidates than this vouches for nothing."""
_FAN_OUT = 60
"""Edges of a symbol that are followed, the best first."""

_Rank = tuple[bool, int, bool, bool, int]


@dataclass(frozen=True, slots=True)
class GraphRelations:
    """Looks for a direct edge, else for one symbol that the one leads to and that leads on to the
    other. Two that lead to the same symbol have nothing to do with each other, nor does it say
    anything of two that the one leads to the other through what is shown elsewhere.

    ``along`` is whether flows run along the calls, from caller to callee, or against them. What
    ``avoid`` holds for (tests, examples) is no way between two for which it does not hold."""

    graph: SymbolGraph
    along: bool
    avoid: Callable[[Symbol], bool] = lambda symbol: False

    def between(
        self,
        first: Candidate,
        second: Candidate,
        quoted: Collection[Site] = (),
        elsewhere: Collection[Candidate] = (),
    ) -> Hop | None:
        """The best witnessed hop, or None when nobody vouches for any; of equally good ones that
        which is quoted, so that it is the one that the fact beside the quote tells of."""
        try:
            one, other = self._symbol(first), self._symbol(second)
            shown = set(map(self._symbol, elsewhere))
            direct = self._best(self.graph.between(one, other), one, quoted)
            if direct is not None:
                return self._hop(direct, direct.source == one, first, second)
            for start, end, forward in ((one, other, True), (other, one, False)):
                through = self._through(start, end, quoted, shown)
                if through is not None:
                    edge, middle = through
                    name = self.graph.symbol(middle).qualified_name
                    return self._hop(edge, forward, first, second, (name,))
        except KeyError:
            return None  # a file left the graph meanwhile
        return None

    def _symbol(self, candidate: Candidate) -> SymbolId:
        line = candidate.symbols[0].line if candidate.symbols else None
        if line is None and candidate.range is not None:
            line = candidate.range.start
        symbol = self.graph.enclosing(candidate.path, line) if line is not None else None
        return symbol.id if symbol is not None else SymbolId.of_file(candidate.path)

    def _through(
        self,
        start: SymbolId,
        end: SymbolId,
        quoted: Collection[Site],
        shown: Collection[SymbolId],
    ) -> tuple[Edge, SymbolId] | None:
        onward = [edge for edge in self.graph.outgoing(start) if edge.relation != "contains"]
        for edge in sorted(onward, key=lambda edge: _rank(edge, quoted))[:_FAN_OUT]:
            middle = edge.target
            apart = not middle.is_file and middle not in shown
            followed = apart and _trusted(edge) and not self.graph.is_for_member(edge)
            if followed and self._leads_on(edge, end) and self._may_pass(middle, (start, end)):
                return edge, middle
        return None

    def _may_pass(self, middle: SymbolId, ends: Iterable[SymbolId]) -> bool:
        symbol = self.graph.symbol
        return not self.avoid(symbol(middle)) or any(self.avoid(symbol(each)) for each in ends)

    def _leads_on(self, edge: Edge, end: SymbolId) -> bool:
        """Whether what an edge leads to leads on to ``end``: uses it, is a type and ``end`` its
        constructor, or is what ``end`` overrides."""
        middle = edge.target
        makes = self.graph.symbol(end).kind == "constructor"
        onward = (each for each in self.graph.outgoing(middle) if each.target == end)
        if any(_trusted(each) and (makes or each.relation != "contains") for each in onward):
            return True
        overridden = (each.target for each in self.graph.overrides(end))
        calls = edge.relation == "calls" and middle in overridden
        return calls and not self.graph.is_of_super(edge)

    def _best(self, edges: list[Edge], start: SymbolId, quoted: Collection[Site]) -> Edge | None:
        """Of equally good ones, where two call each other, one that runs as flows do."""

        def rank(edge: Edge) -> _Rank:
            return _rank(edge, quoted, against=(edge.source == start) != self.along)

        return min(filter(_trusted, edges), key=rank, default=None)

    def _hop(
        self,
        edge: Edge,
        forward: bool,
        first: Candidate,
        second: Candidate,
        via: tuple[str, ...] = (),
    ) -> Hop:
        source, target = (first, second) if forward else (second, first)
        return Hop(
            relation=edge.relation,
            from_=source.id,
            to=target.id,
            via=via,
            site=Site(path=edge.path, line=edge.line),
            witness=edge.witness,
        )


def _trusted(edge: Edge) -> bool:
    return not edge.is_by_name or edge.namesakes <= _MOST_NAMESAKES


def _rank(edge: Edge, quoted: Collection[Site], against: bool = False) -> _Rank:
    apart = Site(path=edge.path, line=edge.line) not in quoted
    return (
        edge.relation not in ("calls", "feeds"),
        place_of(edge.witness),
        against,
        apart,
        edge.line,
    )
