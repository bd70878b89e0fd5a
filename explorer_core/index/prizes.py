"""What each symbol is worth to a flow: seeds, and members that stand for a seed that is a type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, SymbolId

_FEW_MEMBERS = 12
"""Most members that can stand for a wanted type."""
_SHARE = 0.6
"""Share of a type's prize for reaching the type itself, or a member that calls nothing else that is
wanted. The full prize goes to members that do, since a flow runs through those."""


class Prizes:
    """What reaching a symbol earns, by the seed that it covers; at most 1 per seed.

    A flow that covers a seed twice earns its prize once. Seeds whose file is gone earn nothing.
    Overloads count as one seed, the one with the largest weight.
    """

    def __init__(self, graph: SymbolGraph, seeds: Mapping[SymbolId, float]) -> None:
        self._graph = graph
        self._earned: dict[SymbolId, dict[SymbolId, float]] = {}
        # The rank of a member among those that stand for its type, from 0.
        self._member_ranks: dict[SymbolId, int] = {}
        top = max(seeds.values(), default=0.0)
        ranked = sorted(seeds.items(), key=lambda item: (-item[1], item[0]))
        self.seeds = {
            seed: weight / top for seed, weight in ranked if top > 0 and self._exists(seed)
        }
        """The seeds that exist with their weights relative to the largest, largest first."""
        self._add_seeds()
        self._add_members()
        self._add_holders()

    def __contains__(self, node: SymbolId) -> bool:
        return node in self._earned

    def __iter__(self) -> Iterator[SymbolId]:
        return iter(self._earned)

    def of(self, node: SymbolId) -> Mapping[SymbolId, float]:
        """What reaching ``node`` earns, by seed."""
        return self._earned.get(node, {})

    def total(self, node: SymbolId) -> float:
        """What reaching ``node`` earns if no seed is covered yet."""
        return sum(self.of(node).values())

    def ranked(self) -> list[SymbolId]:
        """All nodes that earn something, most first. On a tie, every type's best member comes
        before any type's second."""
        return sorted(
            self._earned,
            key=lambda node: (-self.total(node), self._member_ranks.get(node, 0), node),
        )

    def _exists(self, seed: SymbolId) -> bool:
        try:
            return not seed.is_file and bool(self._graph.symbol(seed))
        except KeyError:
            return False

    def _add_seeds(self) -> None:
        overloads: dict[tuple[SymbolId | None, str], SymbolId] = {}
        for seed, prize in self.seeds.items():
            first = overloads.setdefault(overload(self._graph, seed), seed)
            self._earned[seed] = {first: prize}

    def _add_members(self) -> None:
        wanted = self._with_supertypes(self.seeds)
        for seed, prize in self.seeds.items():
            members = self._standing_for(seed, wanted)
            for rank, (member, calls) in enumerate(members):
                self._earned.setdefault(member, {})[seed] = prize if calls else prize * _SHARE
                self._member_ranks[member] = rank
            if members:
                self._earned[seed] = {seed: prize * _SHARE}

    def _add_holders(self) -> None:
        """Lets a seed that is a member also cover its type, as a part of what the type does. A
        nested function does not cover the function around it."""
        for seed in self.seeds:
            holder = self._graph.container(seed)
            if holder in self.seeds and self._graph.symbol(holder).kind in MEMBER_HOLDERS:
                self._earned[seed][holder] = self.seeds[holder]

    def _with_supertypes(self, wanted: Iterable[SymbolId]) -> set[SymbolId]:
        symbols = set(wanted)
        return symbols | {edge.target for seed in symbols for edge in self._graph.supertypes(seed)}

    def _standing_for(self, seed: SymbolId, wanted: set[SymbolId]) -> list[tuple[SymbolId, int]]:
        """The functions of a wanted type, each with the number of other wanted symbols that it
        calls, largest first. At most `_FEW_MEMBERS`; empty if ``seed`` is no type."""
        if self._graph.symbol(seed).kind not in MEMBER_HOLDERS:
            return []
        members = [m for m in self._graph.members(seed) if self._graph.symbol(m).kind in CALLABLES]
        calls = {member: len(self._called(member) & (wanted - {seed})) for member in members}
        ranked = sorted(members, key=lambda member: (-calls[member], member))
        return [(member, calls[member]) for member in ranked[:_FEW_MEMBERS]]

    def _called(self, member: SymbolId) -> set[SymbolId]:
        """What a member calls or feeds, and the containers of that."""
        edges = self._graph.uses(member)
        called = {edge.target for edge in edges if edge.relation in ("calls", "feeds")}
        return called | {
            holder for target in called if (holder := self._graph.container(target)) is not None
        }


def overload(graph: SymbolGraph, node: SymbolId) -> tuple[SymbolId | None, str]:
    """The key that overloads share: the container and the name."""
    return graph.container(node), graph.symbol(node).name
