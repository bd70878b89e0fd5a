"""The flow spine: the chain of calls that best explains a set of symbols.

Connecting weighted nodes cheaply is the prize-collecting Steiner problem; as a chain in call order
it is the orienteering problem (Golden, Levy and Vohra, 1987). Both are hard, but a question names
few symbols, so it is enough to find the cheap paths between each pair of them, expanding outwards
as keyword search over graphs does (BANKS; Bhalotia et al., 2002), and to join these paths by beam
search. Budgets count nodes rather than time, which keeps the answer the same on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import pairwise
from math import log2
from posixpath import dirname

import msgspec

from explorer_core.index.graph import SymbolGraph
from explorer_core.index.prizes import Prizes
from explorer_core.index.spine import Drawing, Spine
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, VARIABLES, Edge, Symbol, SymbolId

STEPS = 8
"""Most steps of a spine."""
_TERMINALS = 32
"""Symbols that paths are sought between."""
_EXPANSIONS = 60
"""Nodes expanded from one terminal."""
_REACH = 4.2
"""Cost at which the search from one terminal ends: four plain calls."""
_FAN_OUT = 40
"""Files that may define a member's name for all that override it to be considered; of a more common
one only those that are wanted."""
_BEAM = 48
"""Chains kept after each round in which chains are made longer."""
_HOP_COST = 0.11
"""What one unit of cost takes off a chain's prizes, the largest of which is 1."""
_DECLARING = frozenset({"interface", "type"})
"""Kinds of type whose fields objects have functions for."""

# What hops cost, in plain calls.
_LEAST_USE = 1.0
"""Of a hop to something that a node uses the least: that of a plain call."""
_FED, _FED_TOO = 1.2, 0.3
"""To what takes what a node hands over, or answers at an address that it names: less than naming
that does; and what it costs more each time that there are twice as many to take it."""
_PROPERTY = 1.2
"""To a property that a node reads."""
_NAMED_CALLABLE = 1.6
"""To a function that a node names without calling it."""
_NAMED_VALUE = 2.2
"""To a variable or the like that a node names."""
_NAMED_TYPE = 2.4
_INTO_CONSTRUCTOR = 0.3
"""From a type to its constructor."""
_TO_WANTED_OVERRIDE, _TO_OVERRIDE = 0.8, 1.2
"""From a member to what overrides it, where that is a seed and where it is none."""
_NAME_COSTS = {1: 1.7, 2: 2.4, 3: 3.1}
"""How many times as much a use costs that its name alone tells, by how many have it, if so few."""


class _Hop(msgspec.Struct, frozen=True, gc=False):
    target: SymbolId
    cost: float
    edge: Edge


@dataclass(frozen=True, slots=True)
class _Chain:
    """Hops from ``start``; ``earned`` are the seeds it covers, with the most that one of its nodes
    earns for each: not all that cover a seed do so equally well."""

    start: SymbolId
    hops: tuple[_Hop, ...] = ()
    nodes: frozenset[SymbolId] = frozenset()
    earned: Mapping[SymbolId, float] = field(default_factory=dict[SymbolId, float])
    prize: float = 0.0
    cost: float = 0.0

    @property
    def end(self) -> SymbolId:
        return self.hops[-1].target if self.hops else self.start

    @property
    def path(self) -> list[SymbolId]:
        return [self.start, *(hop.target for hop in self.hops)]

    @property
    def score(self) -> float:
        return self.prize - _HOP_COST * self.cost


def find_spine(
    graph: SymbolGraph,
    seeds: Mapping[SymbolId, float],
    *,
    avoid: Callable[[Symbol], bool] = lambda symbol: False,
    follows: Callable[[Edge], bool] = lambda edge: True,
    end: SymbolId | None = None,
) -> Spine:
    """The spine through ``seeds``, whose weights say how much each is wanted (any positive scale).
    It comes by the one that is wanted most, or at least by its file, if that gives it two steps or
    more. Where an ``end`` is given, it is the last step, and should be the seed that is wanted
    most.

    What ``avoid`` holds for (tests, examples) is passed only where a seed lies in the same file,
    and a test beside the code it tests where another such test is a seed. An edge to a function
    that is merely named is taken only where ``follows`` holds.
    Seeds whose file is gone are ignored.
    """
    search = _Search(graph, Prizes(graph, seeds), avoid, follows)
    drawing = Drawing(graph, search.prizes, search.allows)
    spine = Spine()
    for chain in search.best_chains(STEPS, end):
        spine = drawing.drawn(chain.path, [hop.edge for hop in chain.hops], STEPS)
        if len(spine.steps) > 1:
            break
    return spine


@dataclass(slots=True)
class _Search:
    graph: SymbolGraph
    prizes: Prizes
    avoid: Callable[[Symbol], bool]
    follows: Callable[[Edge], bool]
    _hops: dict[tuple[SymbolId, int], tuple[_Hop, ...]] = field(
        default_factory=dict[tuple[SymbolId, int], tuple[_Hop, ...]]
    )
    """By node and how many uses can still follow, 2 also for more."""
    _wanted: frozenset[tuple[str, bool]] = frozenset()
    """The files of seeds, and whether the seed is a test."""
    _terminals: list[SymbolId] = field(init=False)
    _last: frozenset[str] = field(init=False)
    """The names that the last of what a path uses can have."""

    def __post_init__(self) -> None:
        self._wanted = frozenset(map(self._place, self.prizes.seeds))
        self._terminals = self.prizes.ranked()[:_TERMINALS]
        near = self._near(self._terminals)
        self._last = frozenset(name for each in near for name in self.graph.names_of(each))

    # chains

    def best_chains(self, steps: int, end: SymbolId | None = None) -> list[_Chain]:
        """The chains to draw, in the order to try them. If the best does not even come by the file
        of the seed that is wanted most, which many that are wanted less may outweigh, the best of
        those that come by this seed is first; then the best of all, and the best of more than one
        node. What is best is told by prizes less costs, among the chains with the right ``end``."""
        terminals = self._terminals
        if not terminals:
            return []
        paths = {node: self._paths_from(node, set(terminals)) for node in terminals}
        beam = [self._begun(node) for node in terminals]
        ended = [chain for chain in beam if self._may_end(chain, end)]
        while beam:
            longer = {
                (chain.end, chain.nodes): chain for chain in self._extended(beam, paths, steps)
            }
            beam = sorted(longer.values(), key=_rank)[:_BEAM]
            ended += [chain for chain in beam if self._may_end(chain, end)]
        first = next(iter(self.prizes.seeds))
        best = min(ended, key=_rank, default=None)
        near = best is not None and any(node.path == first.path for node in best.nodes)
        by_first = [] if near else [chain for chain in ended if first in chain.earned]
        joined = [chain for chain in ended if chain.hops]
        return [min(each, key=_rank) for each in (by_first, ended, joined) if each]

    def _may_end(self, chain: _Chain, end: SymbolId | None) -> bool:
        """Whether a chain has the right end: data that many functions share is where none of them
        leads, unless it is wanted most."""
        if end is not None:
            return chain.end == end
        first = next(iter(self.prizes.seeds))
        return chain.end == first or self.graph.kind(chain.end) not in VARIABLES

    def _begun(self, node: SymbolId) -> _Chain:
        return _Chain(node, (), frozenset({node}), self.prizes.of(node), self.prizes.total(node))

    def _extended(
        self,
        beam: Iterable[_Chain],
        paths: Mapping[SymbolId, Mapping[SymbolId, tuple[_Hop, ...]]],
        steps: int,
    ) -> Iterator[_Chain]:
        for chain in beam:
            for hops in paths[chain.end].values():
                longer = self._joined(chain, hops)
                if longer and longer.prize > chain.prize and len(longer.hops) < 2 * steps:
                    yield longer

    def _joined(self, chain: _Chain, hops: tuple[_Hop, ...]) -> _Chain | None:
        nodes = {hop.target for hop in hops}
        if nodes & chain.nodes or self._leaps(chain.hops + hops):
            return None
        if any(self._meets_sibling(hop, chain.nodes) for hop in hops):
            return None
        earned, prize = dict(chain.earned), chain.prize
        for hop in hops:
            for seed, worth in self.prizes.of(hop.target).items():
                if worth > (had := earned.get(seed, 0.0)):
                    earned[seed] = worth
                    prize += worth - had
        return _Chain(
            chain.start,
            chain.hops + hops,
            chain.nodes | nodes,
            earned,
            prize,
            chain.cost + sum(hop.cost for hop in hops),
        )

    def _leaps(self, hops: tuple[_Hop, ...]) -> bool:
        """Whether an interface is crossed, or a constructor entered, with no call that leads there,
        or two hops are no way from the one end to the other."""
        relations = ["", *(hop.edge.relation for hop in hops)]
        return any(
            (after == "overrides" and before in ("", "overrides"))
            or (after == "contains" and before != "calls")
            for before, after in pairwise(relations)
        ) or any(self._breaks(before, after) for before, after in pairwise(hops))

    def _breaks(self, before: _Hop, after: _Hop) -> bool:
        """Whether the second hop does not follow from the first: both merely refer, the first to a
        type; the first refers to a variable, and the second makes its value; the first makes an
        object of a type, in whose body, when that is read, the second names a function."""
        kind = self.graph.kind
        match before.edge.relation, after.edge.relation:
            case "references", "references":
                return kind(before.target) in MEMBER_HOLDERS
            case "references", "calls":
                return kind(after.target) in MEMBER_HOLDERS and kind(before.target) in VARIABLES
            case "calls", "references":
                return kind(after.target) in CALLABLES and self.graph.runs_once(before.target)
            case _:
                return False

    def _meets_sibling(self, hop: _Hop, nodes: Iterable[SymbolId]) -> bool:
        """Whether a hop crosses an interface to one implementation when the chain has another:
        those are alternatives, not steps."""
        if hop.edge.relation != "overrides":
            return False
        return any(
            edge.target == hop.edge.target for node in nodes for edge in self.graph.overrides(node)
        )

    # paths between terminals

    def _paths_from(
        self, start: SymbolId, terminals: set[SymbolId]
    ) -> dict[SymbolId, tuple[_Hop, ...]]:
        """The cheapest paths to other terminals (Dijkstra), those that lead through a third one
        left to be joined."""
        arrived: dict[SymbolId, _Hop | None] = {}
        previous: dict[SymbolId, SymbolId] = {}
        queue: list[tuple[float, SymbolId, SymbolId, _Hop | None]] = [(0.0, start, start, None)]
        found: list[SymbolId] = []
        expanded = 0
        while queue:
            cost, node, origin, hop = heappop(queue)
            if node in arrived:
                continue
            arrived[node] = hop
            previous[node] = origin
            if node in terminals and node != start:
                found.append(node)
                continue
            if expanded == _EXPANSIONS:
                continue  # what was met before is still to be found in the queue
            expanded += 1
            for onward in self._hops_within(node, _REACH - cost):
                total = cost + onward.cost
                if onward.target not in arrived and total <= _REACH:
                    heappush(queue, (total, onward.target, node, onward))
        return {node: _traced(node, start, arrived, previous) for node in found}

    def _near(self, terminals: Iterable[SymbolId]) -> Iterator[SymbolId]:
        """Terminals, and the types that they construct; what they override has their names."""
        for node in terminals:
            yield node
            holder = self.graph.container(node)
            if self.graph.kind(node) == "constructor" and holder and not holder.is_file:
                yield holder

    def _hops_within(self, node: SymbolId, cost: float) -> tuple[_Hop, ...]:
        """The ways the flow can go on from a node, the cheapest edge for each target: all that can
        lead to a terminal at no more than ``cost``, and perhaps others. What a node uses is
        resolved only where it can be a step to a terminal."""
        left = 0 if cost < _LEAST_USE else 1 if cost < 2 * _LEAST_USE else 2
        key = node, left
        if key not in self._hops:
            hops = (*self._uses(node, left), *self._crossings(node, left))
            self._hops[key] = self._cheapest(node, hops)
        return self._hops[key]

    def _cheapest(self, node: SymbolId, hops: Iterable[_Hop]) -> tuple[_Hop, ...]:
        best: dict[SymbolId, _Hop] = {}
        for hop in hops:
            known = best.get(hop.target)
            if (known is None or hop.cost < known.cost) and self.allows(hop.target):
                best[hop.target] = hop
        best.pop(node, None)
        return tuple(best.values())

    def allows(self, node: SymbolId) -> bool:
        """Whether the flow may come by a node."""
        wanted = node in self.prizes or self._place(node) in self._wanted
        return wanted or not self.avoid(self.graph.symbol(node))

    def _place(self, node: SymbolId) -> tuple[str, bool]:
        return node.path, self.graph.symbol(node).test

    def _uses(self, node: SymbolId, left: int) -> Iterator[_Hop]:
        """To what a node uses, this being the first of so many uses: to what has another name than
        a terminal only where one more can follow."""
        if left == 1:
            uses = self.graph.uses_named(node, self._last)
        else:
            uses = self.graph.uses(node) if left else []
        for edge in uses:
            cost = self._cost(edge)
            if cost is not None:
                yield _Hop(edge.target, cost, edge)

    def _crossings(self, node: SymbolId, left: int) -> Iterator[_Hop]:
        """From a type to its constructors, and from a member to what overrides it. Only to
        overriding seeds where the name is common or fewer than two uses are ``left``: crossing to
        anything else and using something there costs more than that."""
        symbol = self.graph.symbol(node)
        if symbol.kind in MEMBER_HOLDERS:
            for edge in self.graph.contained(node):
                if self.graph.kind(edge.target) == "constructor":
                    yield _Hop(edge.target, _INTO_CONSTRUCTOR, edge)
        elif symbol.kind in CALLABLES or self._is_declared(symbol):
            seeds_only = left < 2 or self.graph.namesakes(symbol.name) > _FAN_OUT
            found = self._overriding_seeds(node) if seeds_only else self.graph.overridden_by(node)
            for edge in found:
                wanted = edge.source in self.prizes
                yield _Hop(edge.source, _TO_WANTED_OVERRIDE if wanted else _TO_OVERRIDE, edge)

    def _is_declared(self, symbol: Symbol) -> bool:
        """Whether a symbol is a field that holds what others have for it."""
        if symbol.kind != "field" or (container := self.graph.container(symbol.id)) is None:
            return False
        declares = self.graph.kind(container) in _DECLARING
        return declares or self.graph.holds_functions(symbol.id)

    def _overriding_seeds(self, node: SymbolId) -> Iterator[Edge]:
        name = self.graph.symbol(node).name
        any_name = self.graph.holds_functions(node)
        for wanted in self.prizes:
            if any_name or self.graph.symbol(wanted).name == name:
                yield from (e for e in self.graph.overrides(wanted) if e.target == node)

    def _cost(self, edge: Edge) -> float | None:
        """What following a use costs; None when the flow does not run along it."""
        factor = _NAME_COSTS.get(edge.namesakes) if edge.is_by_name else 1.0
        if factor is None or edge.target.is_file:
            return None
        if edge.relation == "calls":
            return _LEAST_USE * factor
        asks = self.graph.goes_by_address(edge)
        if asks and dirname(edge.path) == dirname(edge.target.path):
            return None  # what answers beside it is where whoever asked is sent
        if edge.relation == "feeds" or asks:
            fed = sum(each.line == edge.line for each in self.graph.fed_by(edge.source))
            return _FED + _FED_TOO * log2(max(fed, 1))
        kind = self.graph.kind(edge.target)
        if kind in MEMBER_HOLDERS:
            return _NAMED_TYPE * factor
        if kind == "property":
            return _PROPERTY * factor
        if kind not in CALLABLES:
            return _NAMED_VALUE * factor
        return _NAMED_CALLABLE * factor if self.follows(edge) else None


def _rank(chain: _Chain) -> tuple[float, int, SymbolId, SymbolId]:
    """Order of chains, best first: by score, then by length and name, so that it is total."""
    return (-round(chain.score, 9), len(chain.hops), chain.start, chain.end)


def _traced(
    node: SymbolId,
    start: SymbolId,
    arrived: Mapping[SymbolId, _Hop | None],
    previous: Mapping[SymbolId, SymbolId],
) -> tuple[_Hop, ...]:
    hops: list[_Hop] = []
    while node != start:
        hop = arrived[node]
        if hop is None:
            break
        hops.append(hop)
        node = previous[node]
    return tuple(reversed(hops))
