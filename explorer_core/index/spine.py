"""The spine of a flow: the steps of a chain of calls, as they are shown.

A chain is extended backwards by a caller or two, as long as its start has a single one. Nodes that
merely forward the call are not steps; they are reported as passed through.
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
_FEW_LINES = 6
"""A definition of at most this many lines with one call merely forwards the call."""
_MANY_CALLS = 24
"""A definition that calls more definitions than this wires a program together, and is no step."""
_DETOUR = 0.3
"""Average prize that the nodes of a detour must earn to be shown in place of the direct call."""
_LEAD_IN_FILES = 40
"""Files examined for callers. If a name is so common that more files mention it, the nearest ones
will have more than one caller."""


@dataclass(frozen=True, slots=True)
class SpineStep:
    """A symbol of the flow and the edge to the next one, None for the last.

    An ``overrides`` edge, by which the flow crosses an interface, points against the flow. ``via``
    holds the symbols between this step and the next that merely forward the call.
    """

    symbol: SymbolId
    edge_to_next: Edge | None = None
    via: tuple[SymbolId, ...] = ()


@dataclass(frozen=True, slots=True)
class Spine:
    """Steps in call order; ``nodes`` also holds what was passed through. Both are empty if no flow
    was found."""

    steps: tuple[SpineStep, ...] = ()
    nodes: frozenset[SymbolId] = frozenset()


@dataclass(frozen=True, slots=True)
class Drawing:
    """Turns chains into spines. At most ``callers`` are put before a chain, and only those that
    ``allows`` holds for."""

    graph: SymbolGraph
    prizes: Prizes
    allows: Callable[[SymbolId], bool]
    callers: int

    def spine_of(self, path: Sequence[SymbolId], edges: Sequence[Edge]) -> Spine:
        """The spine of a chain, given as its nodes and the edges between consecutive ones."""
        path, edges = self._straightened(path, edges)
        visited, dropped = set(path), self._inner_prefix(path)
        path, edges = path[dropped:], edges[dropped:]
        lead = self._lead_in(path[0], visited)
        nodes = [*map(_entry_node, lead), *path]
        onward = [*lead, *edges]
        indices = self._step_indices(nodes, onward)
        steps = [
            SpineStep(nodes[index], onward[index], tuple(nodes[index + 1 : following]))
            for index, following in pairwise(indices)
        ]
        return Spine((*steps, SpineStep(nodes[indices[-1]])), frozenset(nodes))

    def _straightened(
        self, path: Sequence[SymbolId], edges: Sequence[Edge]
    ) -> tuple[Sequence[SymbolId], Sequence[Edge]]:
        """The chain with detours of little worth replaced by the direct call, if that is certain.

        The search joins wanted nodes one by one, so the prize of one more node can pay for many
        unwanted nodes on the way to it.
        """
        for length in range(2, len(path)):
            for start in range(len(path) - length):
                between = path[start + 1 : start + length]
                total = sum(map(self.prizes.total, between))
                if total >= _DETOUR * len(between):
                    continue
                if (direct := self._direct_call(path[start], path[start + length])) is not None:
                    return self._straightened(
                        [*path[: start + 1], *path[start + length :]],
                        [*edges[:start], direct, *edges[start + length :]],
                    )
        return path, edges

    def _inner_prefix(self, path: Sequence[SymbolId]) -> int:
        """How many nodes to drop from the beginning of a chain, since only other nodes of the
        chain call them and none can be its entry. The first seed is kept, and at least two
        nodes."""
        first_seed = next(iter(self.prizes.seeds))
        for index in range(len(path) - 2):
            if path[index] == first_seed or not self._only_called_in(path, path[index]):
                return index
        return max(len(path) - 2, 0)

    def _only_called_in(self, path: Sequence[SymbolId], node: SymbolId) -> bool:
        """Whether a node of a chain has callers, all of them in the chain."""
        other_nodes = set(path) - {node}
        calls = self.graph.uses_of(node, files=_LEAD_IN_FILES, calls=True)
        callers = (e.source for e in calls if e.relation == "calls" and e.source != node)
        first = next(callers, None)
        return first in other_nodes and other_nodes.issuperset(callers)

    def _direct_call(self, node: SymbolId, target: SymbolId) -> Edge | None:
        """The first call from a node to a target that is not by name only, None if there is
        none."""
        calls = (
            edge
            for edge in self.graph.uses(node)
            if edge.target == target and edge.relation == "calls" and not edge.is_by_name
        )
        return next(calls, None)

    def _step_indices(self, nodes: list[SymbolId], edges: Sequence[Edge]) -> list[int]:
        """The indices of the nodes that become steps: at most `STEPS`, without those that merely
        forward the call."""
        inner = range(1, len(nodes) - 1)
        crossings = {i for i, edge in enumerate(edges) if edge.relation == "overrides"}
        kept = [
            i
            for i in inner
            if not self._has_better_overload(nodes, i)
            and not (i in crossings and self._stands_for(nodes[i], nodes[i + 1]))
            and (nodes[i] in self.prizes or i - 1 in crossings or not self._only_forwards(nodes[i]))
        ]
        best = sorted(kept, key=lambda i: (-self.prizes.total(nodes[i]), i))[: STEPS - 2]
        return sorted({0, len(nodes) - 1, *best})

    def _has_better_overload(self, nodes: list[SymbolId], index: int) -> bool:
        """Whether a neighbour of an inner node is an overload of it that is worth more (or, for the
        node before it, as much). Of overloads that forward to each other one is shown. The last
        node of the chain does not count as a neighbour."""
        last = len(nodes) - 1
        name, prize = overload(self.graph, nodes[index]), self.prizes.total(nodes[index])
        previous, following = nodes[index - 1], nodes[index + 1]
        if overload(self.graph, previous) == name and self.prizes.total(previous) >= prize:
            return True
        better = index + 1 < last and self.prizes.total(following) > prize
        return better and overload(self.graph, following) == name

    def _stands_for(self, declared: SymbolId, called: SymbolId) -> bool:
        """Whether a declared member is worth no more than the override of it that runs when it is
        called, so that the override can stand for both."""
        return self.prizes.total(declared) <= self.prizes.total(called)

    def _only_forwards(self, node: SymbolId) -> bool:
        """Whether a node merely forwards the call: it is a type on the way to its constructor, or
        it is short and calls at most one definition."""
        symbol = self.graph.symbol(node)
        if symbol.kind in MEMBER_HOLDERS:
            return True
        calls = {e.target for e in self.graph.uses(node) if e.relation == "calls"}
        return len(calls) <= 1 and len(symbol.range) <= _FEW_LINES

    def _lead_in(self, start: SymbolId, visited: set[SymbolId]) -> list[Edge]:
        """Edges that lead to the chain's ``start``, in flow order.

        Goes backwards while there is exactly one way: the only caller; without callers the only
        definition that feeds it; without those, if it overrides exactly one member, the only caller
        of that member. Ends at nodes in ``visited``, to which it adds the callers.
        """
        lead: list[Edge] = []
        for _ in range(self.callers):
            calls, overrides = self._calls_of(start) or self._feeds_of(start), list[Edge]()
            if not calls and len(overrides := self.graph.overrides(start)) == 1:
                calls = self._calls_of(overrides[0].target, crossed=True)
            if len(calls) != 1 or calls[0].source in visited or calls[0].source.is_file:
                break
            if calls[0].relation == "calls" and self._is_wiring(calls[0].source, start):
                break
            lead[:0] = [*calls, *overrides]
            start = calls[0].source
            visited.add(start)
        return lead

    def _is_wiring(self, caller: SymbolId, node: SymbolId) -> bool:
        """Whether a caller of a node wires a program together: it earns no prize, is in another
        file, and calls too many definitions to say anything about one."""
        if caller.path == node.path or caller in self.prizes:
            return False
        called = {e.target for e in self.graph.uses(caller) if e.relation == "calls"}
        return len(called) > _MANY_CALLS

    def _feeds_of(self, node: SymbolId) -> list[Edge]:
        """The first edge from each definition that hands something over to a node."""
        feeds: dict[SymbolId, Edge] = {}
        for edge in self.graph.feeding(node):
            if self.allows(edge.source):
                feeds.setdefault(edge.source, edge)
        return list(feeds.values())

    def _calls_of(self, node: SymbolId, *, crossed: bool = False) -> list[Edge]:
        """The first call from each caller of a node. Stops at the second caller, without examining
        the remaining files. With ``crossed`` only calls that may dispatch to an override."""
        name = self.graph.symbol(node).name
        calls: dict[SymbolId, Edge] = {}
        for edge in self.graph.uses_of(node, files=_LEAD_IN_FILES, calls=True):
            if edge.relation != "calls" or edge.is_by_name:
                continue
            if not self.allows(edge.source) or self.graph.symbol(edge.source).name == name:
                continue
            if crossed and self.graph.is_of_super(edge):
                continue
            first = calls.setdefault(edge.source, edge)
            if edge.line < first.line:
                calls[edge.source] = edge
            if len(calls) > 1:
                break
        return list(calls.values())


def _entry_node(edge: Edge) -> SymbolId:
    """The node at which a flow enters an edge; ``overrides`` edges are followed backwards."""
    return edge.target if edge.relation == "overrides" else edge.source
