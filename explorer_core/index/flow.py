"""The flow spine: the chain of calls that best explains a set of symbols.

Connecting weighted nodes cheaply is the prize-collecting Steiner problem. For a chain in call order
it becomes the orienteering problem (Golden, Levy and Vohra, 1987). Both are hard, but a question
names few symbols. It is enough to find the cheapest path between each pair and to join the paths by
beam search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from explorer_core.index.graph import SymbolGraph
from explorer_core.index.paths import Hop, Paths
from explorer_core.index.prizes import Prizes
from explorer_core.index.spine import STEPS, Drawing, Spine
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, VARIABLES, Edge, Symbol, SymbolId

_TERMINALS = 32
"""Most symbols between which paths are searched."""
_BEAM = 48
"""Chains kept after each round of extension."""
_CALLERS, _CALLERS_OF_END = 1, 2
"""Most callers that are put before a chain, and before one with a given end: who calls a symptom
may be its cause, while who calls an entry is named in its fact anyway."""
_HOP_COST = 0.11
"""What one unit of cost (a plain call) takes off a chain's score. The largest prize is 1."""


@dataclass(frozen=True, slots=True)
class _Chain:
    """A chain of hops from ``start``. ``earned`` maps each seed it covers to the most that any of
    its nodes earns for that seed, since not all nodes cover a seed equally well."""

    start: SymbolId
    hops: tuple[Hop, ...] = ()
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

    It covers the seed with the largest weight, or at least crosses its file, if that gives two
    steps or more. ``end``, if given, becomes the last step; it should be the seed with the largest
    weight. For ``avoid`` and ``follows`` see `Paths`. Seeds whose file is gone are ignored.
    """
    prizes = Prizes(graph, seeds)
    paths = Paths(graph, prizes, prizes.ranked()[:_TERMINALS], avoid, follows)
    callers = _CALLERS if end is None else _CALLERS_OF_END
    drawing = Drawing(graph, prizes, paths.allows, callers)
    spine = Spine()
    for chain in _Chains(graph, prizes, paths).best(end):
        spine = drawing.spine_of(chain.path, [hop.edge for hop in chain.hops])
        if len(spine.steps) > 1:
            break
    return spine


@dataclass(frozen=True, slots=True)
class _Chains:
    """Joins cheapest paths between terminals into chains, and picks the best."""

    graph: SymbolGraph
    prizes: Prizes
    paths: Paths

    def best(self, end: SymbolId | None) -> list[_Chain]:
        """The chains to draw, in the order to try them, chosen among those with the right ``end``.

        The best chain is the one with the highest score. Many lesser seeds may outweigh the first
        seed, which has the largest weight. If the best chain does not even cross the file of that
        seed, the best chain that covers the seed comes before it. Last comes the best chain of
        more than one node.
        """
        terminals = self.paths.terminals
        if not terminals:
            return []
        paths = {node: self.paths.from_terminal(node) for node in terminals}
        beam = [self._chain_of(node) for node in terminals]
        complete = [chain for chain in beam if self._may_end(chain, end)]
        while beam:
            longer = {(chain.end, chain.nodes): chain for chain in self._extensions(beam, paths)}
            beam = sorted(longer.values(), key=_rank)[:_BEAM]
            complete += [chain for chain in beam if self._may_end(chain, end)]
        first = next(iter(self.prizes.seeds))
        best = min(complete, key=_rank, default=None)
        is_near = best is not None and any(node.path == first.path for node in best.nodes)
        by_first = [] if is_near else [chain for chain in complete if first in chain.earned]
        with_hops = [chain for chain in complete if chain.hops]
        return [min(chains, key=_rank) for chains in (by_first, complete, with_hops) if chains]

    def _may_end(self, chain: _Chain, end: SymbolId | None) -> bool:
        """Whether a chain has the right end. Without a given ``end`` that is anything but data,
        unless the data is the first seed: functions share data, but none of them leads to it."""
        if end is not None:
            return chain.end == end
        first = next(iter(self.prizes.seeds))
        is_data = self.graph.kind(chain.end) in VARIABLES and not self.graph.runs(chain.end)
        return chain.end == first or not is_data

    def _chain_of(self, node: SymbolId) -> _Chain:
        return _Chain(node, (), frozenset({node}), self.prizes.of(node), self.prizes.total(node))

    def _extensions(
        self,
        beam: Iterable[_Chain],
        paths: Mapping[SymbolId, Mapping[SymbolId, tuple[Hop, ...]]],
    ) -> Iterator[_Chain]:
        for chain in beam:
            for hops in paths[chain.end].values():
                longer = self._joined(chain, hops)
                if longer and longer.prize > chain.prize and len(longer.hops) < 2 * STEPS:
                    yield longer

    def _joined(self, chain: _Chain, hops: tuple[Hop, ...]) -> _Chain | None:
        nodes = {hop.target for hop in hops}
        if nodes & chain.nodes or self._is_impossible(chain.hops + hops):
            return None
        if any(self._meets_sibling(hop, chain.nodes) for hop in hops):
            return None
        earned, prize = dict(chain.earned), chain.prize
        for hop in hops:
            for seed, worth in self.prizes.of(hop.target).items():
                if worth > (earlier := earned.get(seed, 0.0)):
                    earned[seed] = worth
                    prize += worth - earlier
        return _Chain(
            chain.start,
            chain.hops + hops,
            chain.nodes | nodes,
            earned,
            prize,
            chain.cost + sum(hop.cost for hop in hops),
        )

    def _is_impossible(self, hops: tuple[Hop, ...]) -> bool:
        """Whether the hops do not form a path that execution can take: an interface is crossed or
        a constructor entered without a call that leads there, or one hop does not
        follow from the one before it."""
        relations = ["", *(hop.edge.relation for hop in hops)]
        return any(
            (after == "overrides" and before in ("", "overrides"))
            or (after == "contains" and before != "calls")
            for before, after in pairwise(relations)
        ) or any(self._does_not_follow(before, after) for before, after in pairwise(hops))

    def _does_not_follow(self, before: Hop, after: Hop) -> bool:
        """Whether the second hop does not follow from the first, which is so if

        - both are mere references, the first to a type;
        - the first refers to a variable, and the second constructs the variable's value;
        - the first constructs an object of a type, and the second is a function named in the type's
          body, which ran when the type was defined;
        - the first calls a member without dynamic dispatch, and the second goes to an override;
        - the first hands over a message, and the second is on a line that handles another one.
        """
        kind = self.graph.kind
        match before.edge.relation, after.edge.relation:
            case "references", "references":
                return kind(before.target) in MEMBER_HOLDERS
            case "references", "calls":
                return kind(after.target) in MEMBER_HOLDERS and kind(before.target) in VARIABLES
            case "calls", "references":
                return kind(after.target) in CALLABLES and self.graph.runs_once(before.target)
            case "calls", "overrides":
                return self.graph.is_of_super(before.edge)
            case _:
                return not self.graph.may_handle(before.edge, after.edge.line)

    def _meets_sibling(self, hop: Hop, nodes: Iterable[SymbolId]) -> bool:
        """Whether a hop crosses an interface to one implementation while the chain already has
        another. Implementations are alternatives, not steps."""
        if hop.edge.relation != "overrides":
            return False
        return any(
            edge.target == hop.edge.target for node in nodes for edge in self.graph.overrides(node)
        )


def _rank(chain: _Chain) -> tuple[float, int, SymbolId, SymbolId]:
    """Sort key of chains, best first: by score, then by length and ids. The order is total."""
    return (-round(chain.score, 9), len(chain.hops), chain.start, chain.end)
