"""The flow spine: the chain of calls that best explains a set of symbols.

Connecting weighted nodes cheaply is the prize-collecting Steiner problem; as a chain in call order
it is the orienteering problem (Golden, Levy and Vohra, 1987). Both are hard, but a question names
few symbols, so it is enough to find the cheap paths between each pair of them, and to join these by
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
"""Symbols that paths are sought between."""
_BEAM = 48
"""Chains kept after each round in which chains are made longer."""
_HOP_COST = 0.11
"""What one unit of cost takes off a chain's prizes, the largest of which is 1."""


@dataclass(frozen=True, slots=True)
class _Chain:
    """Hops from ``start``; ``earned`` are the seeds it covers, with the most that one of its nodes
    earns for each: not all that cover a seed do so equally well."""

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
    It comes by the one that is wanted most, or at least by its file, if that gives it two steps or
    more. Where an ``end`` is given, it is the last step, and should be what is wanted most.

    What ``avoid`` holds for (tests, examples) and edges for which ``follows`` does not hold are
    passed as `Paths` says. Seeds whose file is gone are ignored.
    """
    prizes = Prizes(graph, seeds)
    paths = Paths(graph, prizes, prizes.ranked()[:_TERMINALS], avoid, follows)
    drawing = Drawing(graph, prizes, paths.allows)
    spine = Spine()
    for chain in _Chains(graph, prizes, paths).best(end):
        spine = drawing.drawn(chain.path, [hop.edge for hop in chain.hops])
        if len(spine.steps) > 1:
            break
    return spine


@dataclass(frozen=True, slots=True)
class _Chains:
    """Those that can be joined of the cheapest paths between what earns the most prizes."""

    graph: SymbolGraph
    prizes: Prizes
    paths: Paths

    def best(self, end: SymbolId | None) -> list[_Chain]:
        """Those to draw, in the order to try them. If the best does not even come by the file of
        the seed that is wanted most, which many that are wanted less may outweigh, the best of
        those that come by this seed is first; then the best of all, and the best of more than one
        node. What is best is told by prizes less costs, among the chains with the right ``end``."""
        terminals = self.paths.terminals
        if not terminals:
            return []
        paths = {node: self.paths.from_terminal(node) for node in terminals}
        beam = [self._begun(node) for node in terminals]
        ended = [chain for chain in beam if self._may_end(chain, end)]
        while beam:
            longer = {(chain.end, chain.nodes): chain for chain in self._extended(beam, paths)}
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
        is_data = self.graph.kind(chain.end) in VARIABLES and not self.graph.runs(chain.end)
        return chain.end == first or not is_data

    def _begun(self, node: SymbolId) -> _Chain:
        return _Chain(node, (), frozenset({node}), self.prizes.of(node), self.prizes.total(node))

    def _extended(
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

    def _leaps(self, hops: tuple[Hop, ...]) -> bool:
        """Whether an interface is crossed, or a constructor entered, with no call that leads there,
        or two hops are no way from the one end to the other."""
        relations = ["", *(hop.edge.relation for hop in hops)]
        return any(
            (after == "overrides" and before in ("", "overrides"))
            or (after == "contains" and before != "calls")
            for before, after in pairwise(relations)
        ) or any(self._breaks(before, after) for before, after in pairwise(hops))

    def _breaks(self, before: Hop, after: Hop) -> bool:
        """Whether the second hop does not follow from the first: both merely refer, the first to a
        type; the first refers to a variable, and the second makes its value; the first makes an
        object of a type, whose body names a function when that is read; the first asks for the
        member of a supertype, which is then meant and not what overrides it; the second is not for
        the message that the first hands over."""
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
                return not self.graph.may_take(before.edge, after.edge.line)

    def _meets_sibling(self, hop: Hop, nodes: Iterable[SymbolId]) -> bool:
        """Whether a hop crosses an interface to one implementation when the chain has another:
        those are alternatives, not steps."""
        if hop.edge.relation != "overrides":
            return False
        return any(
            edge.target == hop.edge.target for node in nodes for edge in self.graph.overrides(node)
        )


def _rank(chain: _Chain) -> tuple[float, int, SymbolId, SymbolId]:
    """Order of chains, best first: by score, then by length and name, so that it is total."""
    return (-round(chain.score, 9), len(chain.hops), chain.start, chain.end)
