"""Cheapest paths between symbols, over the hops that a flow can take.

The search expands outwards from each terminal, as keyword search over graphs does (BANKS; Bhalotia
et al., 2002). Budgets count nodes rather than time, so that the answer is the same on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import log2
from posixpath import dirname

import msgspec

from explorer_core.index.graph import SymbolGraph
from explorer_core.index.prizes import Prizes
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, Edge, Symbol, SymbolId

_EXPANSIONS = 60
"""Most nodes expanded from one terminal."""
_REACH = 4.2
"""Cost at which the search from one terminal ends: a little over four plain calls."""
_FAN_OUT = 40
"""Most files that define a member's name for all its overrides to be considered. For a more common
name only overrides that earn a prize are considered."""
_DECLARING = frozenset({"interface", "type"})
"""Kinds of type whose fields are implemented by the functions of objects."""

# Costs of hops. The unit is a plain call.
_LEAST_USE = 1.0
"""A plain call: the cheapest hop along a use."""
_FEED, _FEED_PER_DOUBLING = 1.2, 0.3
"""A hop to a receiver of what a node hands over, or to the handler of an address that it names:
cheaper than a function that is merely named. The second is added for each doubling of the number of
receivers."""
_PROPERTY = 1.2
"""A property that a node reads."""
_NAMED_CALLABLE = 1.6
"""A function that a node names without calling it."""
_NAMED_VALUE = 2.2
"""A variable or similar that a node names."""
_NAMED_TYPE = 2.4
_INTO_CONSTRUCTOR = 0.3
"""From a type to its constructor."""
_TO_WANTED_OVERRIDE, _TO_OVERRIDE, _TO_ONLY_OVERRIDE = 0.8, 1.2, 0.2
"""From a member to an override of it: one that earns a prize, another one, and the only one, where
calling the member is as good as calling the override."""
_NAME_COSTS = {1: 1.7, 2: 2.4, 3: 3.1}
"""Factor on the cost of a use that is resolved by name only, by the number of definitions with that
name. With more of them the use is not followed."""


class Hop(msgspec.Struct, frozen=True, gc=False):
    """One hop of a path: the edge that is followed, the symbol it leads to, and the cost."""

    target: SymbolId
    cost: float
    edge: Edge


@dataclass(slots=True)
class Paths:
    """Finds the cheapest paths between the ``terminals``, which are symbols that earn ``prizes``.

    A symbol for which ``avoid`` holds (tests, examples) is crossed only if it earns a prize or a
    seed lies in its file. If the file has both tests and other code, only a seed of the same sort
    counts. An edge to a function that is named but not called is followed only if ``follows``
    holds for it.
    """

    graph: SymbolGraph
    prizes: Prizes
    terminals: Sequence[SymbolId]
    avoid: Callable[[Symbol], bool]
    follows: Callable[[Edge], bool]
    _hops: dict[tuple[SymbolId, int], tuple[Hop, ...]] = field(
        default_factory=dict[tuple[SymbolId, int], tuple[Hop, ...]]
    )
    """By node and the number of uses that the remaining cost allows: 0, 1, or 2 for two or more."""
    _seed_places: frozenset[tuple[str, bool]] = field(init=False)
    """For each seed its file, and whether it is a test."""
    _terminal_names: frozenset[str] = field(init=False)
    """The names that the target of the last use on a path can have."""

    def __post_init__(self) -> None:
        self._seed_places = frozenset(map(self._place, self.prizes.seeds))
        self._terminal_names = frozenset(
            name for node in self._terminals_and_types() for name in self.graph.names_of(node)
        )

    def from_terminal(self, start: SymbolId) -> dict[SymbolId, tuple[Hop, ...]]:
        """The cheapest path from a terminal to each other terminal in reach (Dijkstra). A search
        does not continue past a terminal: longer paths are joined from these."""
        terminals = set(self.terminals)
        arrived: dict[SymbolId, Hop | None] = {}
        previous: dict[SymbolId, SymbolId] = {}
        queue: list[tuple[float, SymbolId, SymbolId, Hop | None]] = [(0.0, start, start, None)]
        reached: list[SymbolId] = []
        expanded = 0
        while queue:
            cost, node, origin, hop = heappop(queue)
            if node in arrived:
                continue
            arrived[node] = hop
            previous[node] = origin
            if node in terminals and node != start:
                reached.append(node)
                continue
            if expanded == _EXPANSIONS:
                continue  # terminals that were reached earlier may still be in the queue
            expanded += 1
            for onward in self._hops_within(node, _REACH - cost):
                total = cost + onward.cost
                if onward.target not in arrived and total <= _REACH:
                    heappush(queue, (total, onward.target, node, onward))
        return {node: _traced(node, start, arrived, previous) for node in reached}

    def _terminals_and_types(self) -> Iterator[SymbolId]:
        """The terminals, and the types of those that are constructors. Members that a terminal
        overrides need no entry, since they share its name."""
        for node in self.terminals:
            yield node
            holder = self.graph.container(node)
            if self.graph.kind(node) == "constructor" and holder and not holder.is_file:
                yield holder

    def _hops_within(self, node: SymbolId, cost: float) -> tuple[Hop, ...]:
        """The hops from a node, one per target, along the cheapest edge.

        Contains every hop that can lead to a terminal at no more than ``cost``, and possibly
        others. A use is resolved only if it can be a step towards a terminal.
        """
        uses_left = 0 if cost < _LEAST_USE else 1 if cost < 2 * _LEAST_USE else 2
        key = node, uses_left
        if key not in self._hops:
            hops = (*self._uses(node, uses_left), *self._crossings(node, uses_left))
            self._hops[key] = self._cheapest(node, hops)
        return self._hops[key]

    def _cheapest(self, node: SymbolId, hops: Iterable[Hop]) -> tuple[Hop, ...]:
        best: dict[SymbolId, Hop] = {}
        for hop in hops:
            known = best.get(hop.target)
            if (known is None or hop.cost < known.cost) and self.allows(hop.target):
                best[hop.target] = hop
        best.pop(node, None)
        return tuple(best.values())

    def allows(self, node: SymbolId) -> bool:
        """Whether a flow may cross a node."""
        is_wanted = node in self.prizes or self._place(node) in self._seed_places
        return is_wanted or not self.avoid(self.graph.symbol(node))

    def _place(self, node: SymbolId) -> tuple[str, bool]:
        return node.path, self.graph.symbol(node).test

    def _uses(self, node: SymbolId, uses_left: int) -> Iterator[Hop]:
        """Hops to what a node uses; ``uses_left`` is how many uses can follow, this one included.
        If it is the last, only uses with the name of a terminal are resolved."""
        if uses_left == 1:
            uses = self.graph.uses_named(node, self._terminal_names)
        else:
            uses = self.graph.uses(node) if uses_left else []
        for edge in uses:
            cost = self._cost(edge)
            if cost is not None:
                yield Hop(edge.target, cost, edge)

    def _crossings(self, node: SymbolId, uses_left: int) -> Iterator[Hop]:
        """Hops from a type to its constructors, and from a member to its overrides.

        If the name is common, or ``uses_left`` is 0, only overrides that earn a prize are
        considered: crossing to another one and using something there would cost too much.
        """
        symbol = self.graph.symbol(node)
        if symbol.kind in MEMBER_HOLDERS:
            for edge in self.graph.contained(node):
                if self.graph.kind(edge.target) == "constructor":
                    yield Hop(edge.target, _INTO_CONSTRUCTOR, edge)
        elif symbol.kind in CALLABLES or self._is_declared(symbol):
            seeds_only = not uses_left or self.graph.namesakes(symbol.name) > _FAN_OUT
            overriding = (
                self._overriding_seeds(node) if seeds_only else self.graph.overridden_by(node)
            )
            allowed = [edge for edge in overriding if self.allows(edge.source)]
            is_only = len(allowed) == 1 and not seeds_only
            for edge in allowed:
                cost = _TO_WANTED_OVERRIDE if edge.source in self.prizes else _TO_OVERRIDE
                yield Hop(edge.source, _TO_ONLY_OVERRIDE if is_only else cost, edge)

    def _is_declared(self, symbol: Symbol) -> bool:
        """Whether a symbol is a field of an interface or type, or one whose values are functions
        defined elsewhere, so that it can have overrides as a method has."""
        if symbol.kind != "field" or (container := self.graph.container(symbol.id)) is None:
            return False
        declares = self.graph.kind(container) in _DECLARING
        return declares or self.graph.holds_functions(symbol.id)

    def _overriding_seeds(self, node: SymbolId) -> Iterator[Edge]:
        name = self.graph.symbol(node).name
        any_name = self.graph.holds_functions(node)
        for seed in self.prizes:
            if any_name or self.graph.symbol(seed).name == name:
                yield from (edge for edge in self.graph.overrides(seed) if edge.target == node)

    def _cost(self, edge: Edge) -> float | None:
        """The cost of following a use; None if flows do not follow it."""
        factor = _NAME_COSTS.get(edge.namesakes) if edge.is_by_name else 1.0
        if factor is None or edge.target.is_file:
            return None
        if edge.relation == "calls":
            return _LEAST_USE * factor
        by_address = self.graph.goes_by_address(edge)
        if by_address and dirname(edge.path) == dirname(edge.target.path):
            return None  # a handler in the same folder is where the client is redirected
        if edge.relation == "feeds" or by_address:
            receivers = sum(other.line == edge.line for other in self.graph.fed_by(edge.source))
            return _FEED + _FEED_PER_DOUBLING * log2(max(receivers, 1))
        kind = self.graph.kind(edge.target)
        if kind in MEMBER_HOLDERS:
            return _NAMED_TYPE * factor
        if kind == "property":
            return _PROPERTY * factor
        if not self.graph.runs(edge.target):
            return None if self.graph.is_for_member(edge) else _NAMED_VALUE * factor
        return _NAMED_CALLABLE * factor if self.follows(edge) else None


def _traced(
    node: SymbolId,
    start: SymbolId,
    arrived: Mapping[SymbolId, Hop | None],
    previous: Mapping[SymbolId, SymbolId],
) -> tuple[Hop, ...]:
    hops: list[Hop] = []
    while node != start:
        hop = arrived[node]
        if hop is None:
            break
        hops.append(hop)
        node = previous[node]
    return tuple(reversed(hops))
