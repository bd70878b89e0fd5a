"""The spine of a flow, as it is shown: the steps of a chain of calls.

A chain is led in from the only caller of its start. Of its nodes those that merely pass the flow on
are no steps, but told of as passed through.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from explorer_core.index.graph import SymbolGraph
from explorer_core.index.prizes import Prizes, overload
from explorer_core.index.symbols import MEMBER_HOLDERS, Edge, SymbolId

STEPS = 8
"""Most steps of a spine."""
_ENTRY_STEPS = 2
"""Steps before the start of a chain, at most."""
_FEW_LINES = 6
"""What does one call in no more lines merely passes the flow on."""
_MANY_CALLS = 24
"""What calls more definitions than so many puts a program together, rather than leads somewhere."""
_DETOUR = 0.3
"""What the nodes of a way round a direct call must be worth on average to be told instead of it."""
_LEAD_IN_FILES = 40
"""Files looked at for callers; the nearest of a name so common will hold more than one."""


@dataclass(frozen=True, slots=True)
class SpineStep:
    """A symbol of the flow and the edge that leads to the next one, None for the last.

    The edge runs against the flow where an interface is crossed (``overrides``). ``via`` are
    symbols between this step and the next that merely pass the flow on.
    """

    symbol: SymbolId
    edge_to_next: Edge | None = None
    via: tuple[SymbolId, ...] = ()


@dataclass(frozen=True, slots=True)
class Spine:
    """Steps in call order; ``nodes`` also holds what was passed through. Both empty when there is
    nothing to go by."""

    steps: tuple[SpineStep, ...] = ()
    nodes: frozenset[SymbolId] = frozenset()


@dataclass(frozen=True, slots=True)
class Drawing:
    """Draws chains as spines; what ``allows`` does not hold for leads none in."""

    graph: SymbolGraph
    prizes: Prizes
    allows: Callable[[SymbolId], bool]

    def drawn(self, path: Sequence[SymbolId], edges: Sequence[Edge]) -> Spine:
        """A chain as a spine, by the nodes that it comes by, and the edges from each to the
        next."""
        path, edges = self._straightened(path, edges)
        seen, back = set(path), self._leading_back(path)
        path, edges = path[back:], edges[back:]
        lead = self._lead_in(path[0], seen)
        nodes = [*map(_comes_from, lead), *path]
        onward = [*lead, *edges]
        shown = self._shown(nodes, onward)
        drawn = [
            SpineStep(nodes[at], onward[at], tuple(nodes[at + 1 : until]))
            for at, until in pairwise(shown)
        ]
        return Spine((*drawn, SpineStep(nodes[shown[-1]])), frozenset(nodes))

    def _straightened(
        self, path: Sequence[SymbolId], edges: Sequence[Edge]
    ) -> tuple[Sequence[SymbolId], Sequence[Edge]]:
        """A chain without the ways round a certain call that hardly come by what is wanted: the
        search joins wanted nodes one by one, and a cheap one more pays for many unwanted ones."""
        for length in range(2, len(path)):
            for at in range(len(path) - length):
                between = path[at + 1 : at + length]
                worth = sum(map(self.prizes.total, between))
                if worth >= _DETOUR * len(between):
                    continue
                if (direct := self._direct_call(path[at], path[at + length])) is not None:
                    return self._straightened(
                        [*path[: at + 1], *path[at + length :]],
                        [*edges[:at], direct, *edges[at + length :]],
                    )
        return path, edges

    def _leading_back(self, path: Sequence[SymbolId]) -> int:
        """How many nodes at the beginning of a chain only come round to the rest of it: they are
        called by others of the chain alone, so that none is the entry. What is wanted most stays,
        and so do two nodes."""
        most = next(iter(self.prizes.seeds))
        for at in range(len(path) - 2):
            if path[at] == most or not self._only_called_in(path, path[at]):
                return at
        return max(len(path) - 2, 0)

    def _only_called_in(self, path: Sequence[SymbolId], node: SymbolId) -> bool:
        """Whether others of a chain call a node of it, and nothing else does."""
        others = set(path) - {node}
        calls = self.graph.uses_of(node, files=_LEAD_IN_FILES, calls=True)
        callers = (e.source for e in calls if e.relation == "calls" and e.source != node)
        first = next(callers, None)
        return first in others and others.issuperset(callers)

    def _direct_call(self, node: SymbolId, target: SymbolId) -> Edge | None:
        """The first certain call of another node in one."""
        calls = (
            edge
            for edge in self.graph.uses(node)
            if edge.target == target and edge.relation == "calls" and not edge.is_by_name
        )
        return next(calls, None)

    def _shown(self, nodes: list[SymbolId], edges: Sequence[Edge]) -> list[int]:
        """Which nodes are steps: not those that merely pass the flow on, and at most `STEPS`."""
        inner = range(1, len(nodes) - 1)
        crossing = {i for i, edge in enumerate(edges) if edge.relation == "overrides"}
        kept = [
            i
            for i in inner
            if not self._has_better_overload(nodes, i)
            and not (i in crossing and self._stands_for(nodes[i], nodes[i + 1]))
            and (nodes[i] in self.prizes or i - 1 in crossing or not self._passes_on(nodes[i]))
        ]
        worth = sorted(kept, key=lambda i: (-self.prizes.total(nodes[i]), i))[: STEPS - 2]
        return sorted({0, len(nodes) - 1, *worth})

    def _has_better_overload(self, nodes: list[SymbolId], at: int) -> bool:
        """Whether the node before an inner one, or the inner one after it, is an overload of it
        that is worth no less: of those that pass the flow on to each other one is shown."""
        last = len(nodes) - 1
        name, worth = overload(self.graph, nodes[at]), self.prizes.total(nodes[at])
        before, after = nodes[at - 1], nodes[at + 1]
        if overload(self.graph, before) == name and self.prizes.total(before) >= worth:
            return True
        better = at + 1 < last and self.prizes.total(after) > worth
        return better and overload(self.graph, after) == name

    def _stands_for(self, declared: SymbolId, called: SymbolId) -> bool:
        """Whether a member that is called, where one that overrides it runs, is wanted no more than
        that one."""
        return self.prizes.total(declared) <= self.prizes.total(called)

    def _passes_on(self, node: SymbolId) -> bool:
        """Whether a node is a type on the way to its constructor, or short and makes one call at
        most."""
        symbol = self.graph.symbol(node)
        if symbol.kind in MEMBER_HOLDERS:
            return True
        calls = {e.target for e in self.graph.uses(node) if e.relation == "calls"}
        return len(calls) <= 1 and len(symbol.range) <= _FEW_LINES

    def _lead_in(self, start: SymbolId, seen: set[SymbolId]) -> list[Edge]:
        """Edges that lead to the chain's ``start``, as long as there is a single one: its only
        call; if nothing calls it, the only hand-over to it; else, if it overrides one member, the
        only call of that and the crossing from there. None comes from what was ``seen``."""
        lead: list[Edge] = []
        for _ in range(_ENTRY_STEPS):
            calls, crossed = self._calls_of(start) or self._feeders_of(start), list[Edge]()
            if not calls and len(crossed := self.graph.overrides(start)) == 1:
                calls = self._calls_of(crossed[0].target, crossed=True)
            if len(calls) != 1 or calls[0].source in seen or calls[0].source.is_file:
                break
            if calls[0].relation == "calls" and self._wires(calls[0].source, start):
                break
            lead[:0] = [*calls, *crossed]
            start = calls[0].source
            seen.add(start)
        return lead

    def _wires(self, caller: SymbolId, node: SymbolId) -> bool:
        """Whether what calls a node of another file calls so much that it says nothing of any one
        thing."""
        if caller.path == node.path or caller in self.prizes:
            return False
        called = {e.target for e in self.graph.uses(caller) if e.relation == "calls"}
        return len(called) > _MANY_CALLS

    def _feeders_of(self, node: SymbolId) -> list[Edge]:
        """The first edge from each that hands something over to a node."""
        found: dict[SymbolId, Edge] = {}
        for edge in self.graph.feeding(node):
            if self.allows(edge.source):
                found.setdefault(edge.source, edge)
        return list(found.values())

    def _calls_of(self, node: SymbolId, *, crossed: bool = False) -> list[Edge]:
        """The first call in each caller of a node, of no more than two: there is no look at the
        files that are left then. With ``crossed`` only calls that may mean what overrides it."""
        name = self.graph.symbol(node).name
        found: dict[SymbolId, Edge] = {}
        for edge in self.graph.uses_of(node, files=_LEAD_IN_FILES, calls=True):
            if edge.relation != "calls" or edge.is_by_name:
                continue
            if not self.allows(edge.source) or self.graph.symbol(edge.source).name == name:
                continue
            if crossed and self.graph.is_of_super(edge):
                continue
            first = found.setdefault(edge.source, edge)
            if edge.line < first.line:
                found[edge.source] = edge
            if len(found) > 1:
                break
        return list(found.values())


def _comes_from(edge: Edge) -> SymbolId:
    """The node of a flow that an edge leads on from."""
    return edge.target if edge.relation == "overrides" else edge.source
