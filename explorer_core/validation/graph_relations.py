"""Finds relations between two candidates in the symbol graph."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from msgspec.structs import replace

from explorer_core.contracts import Candidate, Hop, Site, Witness
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import Edge, Symbol, SymbolId
from explorer_core.validation.witnesses import place_of

_MOST_NAMESAKES = 3
"""An edge resolved by name only vouches for nothing if it had more possible targets than this."""
_FAN_OUT = 60
"""Maximum number of outgoing edges of a symbol that are followed, best first."""

_DERIVING = ("extends", "implements", "overrides")

_Rank = tuple[bool, bool, int, bool, bool, int]


@dataclass(frozen=True, slots=True)
class GraphRelations:
    """Looks for a direct edge, else for a path through one intermediate symbol (A -> M -> B).

    Two symbols that merely lead to the same third one are not related. Nor does a path count whose
    intermediate is one of the candidates shown elsewhere in the flow.

    ``follows_flow``: flows run along the calls, from caller to callee, rather than against them.
    Symbols for which ``avoid`` holds (tests, examples) may be intermediates only if it holds for
    one of the two ends."""

    graph: SymbolGraph
    follows_flow: bool
    avoid: Callable[[Symbol], bool] = lambda symbol: False

    def between(
        self,
        first: Candidate,
        second: Candidate,
        quoted: Collection[Site] = (),
        elsewhere: Collection[Candidate] = (),
    ) -> Hop | None:
        """The best witnessed hop, or None if nothing vouches for any. Among equally good ones the
        quoted site wins, so that the hop is the one that the fact beside the quote describes."""
        try:
            one, other = self._symbol(first), self._symbol(second)
            shown = set(map(self._symbol, elsewhere))
            direct = self._best(self.graph.between(one, other), one, quoted)
            if direct is not None:
                return self._hop(direct, direct.source == one, first, second)
            for start, end, forward in ((one, other, True), (other, one, False)):
                through = self._through(start, end, quoted, shown)
                if through is not None:
                    name = self.graph.symbol(through.target).qualified_name
                    return self._hop(through, forward, first, second, (name,))
        except KeyError:
            return None  # a file left the graph meanwhile
        return None

    def _symbol(self, candidate: Candidate) -> SymbolId:
        """The definition that a candidate shows, or its file outside any definition."""
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
    ) -> Edge | None:
        """The best edge from ``start`` to a symbol that leads on to ``end``. Its witness is the
        weaker one of both parts of the way: nothing vouches for the whole but what vouches for its
        weakest part."""
        onward = [edge for edge in self.graph.outgoing(start) if edge.relation != "contains"]
        by_name: Edge | None = None
        for edge in sorted(onward, key=lambda edge: _rank(edge, quoted))[:_FAN_OUT]:
            middle = edge.target
            apart = not middle.is_file and middle not in shown
            followed = apart and _trusted(edge) and not self.graph.is_for_member(edge)
            if not followed or not self._may_pass(middle, (start, end)):
                continue
            if (witness := self._leads_on(edge, end)) is None:
                continue
            whole = replace(edge, witness=max(edge.witness, witness, key=place_of))
            if not whole.is_by_name:
                return whole
            by_name = by_name or whole
        return by_name

    def _may_pass(self, middle: SymbolId, ends: Iterable[SymbolId]) -> bool:
        """Whether a symbol is not avoided, or one of the two ends is."""
        symbol = self.graph.symbol
        return not self.avoid(symbol(middle)) or any(self.avoid(symbol(each)) for each in ends)

    def _leads_on(self, edge: Edge, end: SymbolId) -> Witness | None:
        """Who vouches that the target of ``edge`` leads on to ``end``: it uses ``end``, it is a
        type that ``edge`` makes and whose constructor ``end`` is, or it is a method that ``end``
        overrides. None if it does not."""
        middle = edge.target
        makes = edge.relation == "calls" and self.graph.symbol(end).kind == "constructor"
        onward = [
            each
            for each in self.graph.outgoing(middle)
            if each.target == end and _trusted(each) and (makes or each.relation != "contains")
        ]
        if edge.relation == "calls" and not self.graph.is_of_super(edge):
            onward += [each for each in self.graph.overrides(end) if each.target == middle]
        return min((each.witness for each in onward), key=place_of, default=None)

    def _best(self, edges: list[Edge], start: SymbolId, quoted: Collection[Site]) -> Edge | None:
        """The best edge. Of two equally good ones (mutual calls) the one that runs as flows do."""

        def rank(edge: Edge) -> _Rank:
            return _rank(edge, quoted, against=(edge.source == start) != self.follows_flow)

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
    """Whether an edge is resolved by more than a name, or the name fits few symbols."""
    return not edge.is_by_name or edge.namesakes <= _MOST_NAMESAKES


def _rank(edge: Edge, quoted: Collection[Site], against: bool = False) -> _Rank:
    """Sort key: calls and feeds, then what derives (it is a reference, too), then the witness, the
    flow's direction, quoted sites, the line."""
    apart = Site(path=edge.path, line=edge.line) not in quoted
    return (
        edge.relation not in ("calls", "feeds"),
        edge.relation not in _DERIVING,
        place_of(edge.witness),
        against,
        apart,
        edge.line,
    )
