"""Finds where a new type of a family has to be registered: places that refer to several members.

For a new ``PdfExporter`` this is the function that makes a ``CsvExporter`` and its siblings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from explorer_core.index.families import FAMILY, Family
from explorer_core.index.symbols import Edge, Symbol, SymbolId
from explorer_core.judges.offline.change.asked_families import AskedFamilies
from explorer_core.judges.offline.change.example import Example, Registration
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.reach import (
    constructors_of,
    derived_types,
    reached,
    with_supertypes,
)
from explorer_core.judges.statements import called
from explorer_core.memoised import memoised

_MEMBERS = 12
"""The users of at most this many members are searched."""
_FILES = 60
"""How many files are searched for users of each member."""
_PLACES = 3
_SHARE_DIRECT = 0.5
"""The share of a family that must derive directly from a type for a new member to do so too."""


@dataclass(frozen=True)
class Registrations(Finder):
    """Finds an example of the family that one question names, and where it is registered."""

    named_in_code: Collection[Symbol] = ()
    """What the question names as written in code."""

    def example(self) -> Example | None:
        """Returns a member of the family that the question asks for; None if it names no family. Of
        several families it is one that is registered somewhere, or else one of the largest."""
        found = [self._example(family, worth) for worth, family in self._asked_families.best()]
        return next((each for each in found if each.places), found[0] if found else None)

    def example_of_type(self, head: Symbol) -> Example | None:
        """Returns a member of a type's family, whatever the question calls it."""
        family = self._asked_families.under(head.id)
        return self._example(family, 0.0) if len(family.members) >= FAMILY else None

    # what refers to it

    def _example(self, family: Family, worth: float) -> Example:
        members = sorted(family.members, key=self._rank_of)[:_MEMBERS]
        users: dict[SymbolId, dict[SymbolId, list[Edge]]] = {}
        for member in members:
            for user, edge in self._users_of(member, family):
                users.setdefault(user, {}).setdefault(member, []).append(edge)
        several = {user: edges for user, edges in users.items() if len(edges) >= FAMILY}
        chosen = sorted(self._innermost(several), key=lambda each: (-len(several[each]), each))
        chosen = chosen[:_PLACES]
        head = self._head(family)
        derived = {each: self._derivation(each, head) for each in members}

        def preference(member: SymbolId) -> tuple[int, bool]:
            edge = derived[member]
            registered = sum(member in several[user] for user in chosen)
            return -registered, edge is None or edge.target != head

        example = min(members, key=preference)
        places = (
            self._place(user, _registering_edge(several[user], example), family) for user in chosen
        )
        return Example(
            self._graph.symbol(example),
            derived[example],
            tuple(places),
            worth,
            is_named=self._asked_families.is_named(family),
            head=self._graph.symbol(head),
        )

    def _head(self, family: Family) -> SymbolId:
        """Returns the type that a new member derives from: the one that most members derive from
        directly. This may be the family's head or a subtype of it."""
        above = (edge.target for each in family.members for edge in self._graph.supertypes(each))
        known = Counter(each for each in above if self._is_part_of(each, family))
        most = max(known, key=lambda each: (known[each], each == family.head, each))
        return most if known[most] > _SHARE_DIRECT * len(family.members) else family.head

    def _is_part_of(self, symbol: SymbolId, family: Family) -> bool:
        return symbol == family.head or self._derives(symbol, family)

    def _derivation(self, member: SymbolId, head: SymbolId) -> Edge | None:
        """Returns the edge from a member to the head, or else to another of its supertypes."""
        edges = sorted(self._graph.supertypes(member), key=lambda each: each.target != head)
        return next(iter(edges), None)

    def _users_of(self, member: SymbolId, family: Family) -> Iterator[tuple[SymbolId, Edge]]:
        """Yields the certain uses of a member or its constructor outside of the family. Each comes
        with the definition around it, and again with every definition around that."""
        for used in (member, *constructors_of(self._graph, member)):
            for edge in self._graph.uses_of(used, files=_FILES):
                apart = not self._is_of_program(edge.path) or self._graph.symbol(edge.source).test
                if edge.is_by_name or apart or self.case.registry.is_generated(edge.path):
                    continue
                around = list(self._around(edge.source))
                inside = any(self._derives(each, family) for each in around)
                if not inside and self.exhibits.has(edge.path):
                    yield from ((each, edge) for each in around)

    def _around(self, symbol: SymbolId) -> Iterator[SymbolId]:
        """Yields a definition and those around it in its file."""
        yield symbol
        yield from (e for e in self._graph.containers(symbol) if e.path == symbol.path)

    def _derives(self, symbol: SymbolId, family: Family) -> bool:
        """Whether a definition derives from the head of a family."""
        return symbol != family.head and family.head in self._above(symbol)

    @memoised
    def _above(self, symbol: SymbolId) -> set[SymbolId]:
        """Returns a definition and its supertypes."""
        return with_supertypes(self._graph, {symbol})

    def _innermost(self, several: Mapping[SymbolId, object]) -> Iterator[SymbolId]:
        """Yields the innermost user of each file, or the file itself if it has no other."""
        of_files: dict[str, SymbolId] = {}
        for user in sorted(several, key=lambda each: (each.is_file, -self._depth(each), each)):
            of_files.setdefault(user.path, user)
        yield from of_files.values()

    def _depth(self, symbol: SymbolId) -> int:
        return sum(1 for _ in self._around(symbol))

    def _place(self, user: SymbolId, edge: Edge, family: Family) -> Registration:
        inside = reached({user}, lambda each: (e.target for e in self._graph.contained(each)))
        used = {
            edge.target
            for each in inside
            for edge in self._graph.outgoing(each)
            if edge.relation != "contains"
        }
        used |= {owner for each in used if (owner := self._graph.container(each)) is not None}
        head = self._graph.symbol(family.head)
        self.exhibits.record_symbols(head, self._graph.symbol(user))
        every = derived_types(self.case, family.head)
        count = f"{len(used & every)} of the {len(every)}"
        symbol = self._graph.symbol(user)
        who = "It" if edge.source == user else called(symbol)
        total = f"{who} refers to {count} types derived from {called(head)}."
        return Registration(symbol, edge, total)

    def _rank_of(self, member: SymbolId) -> tuple[int, SymbolId]:
        return self.exhibits.file_rank(member.path), member

    @cached_property
    def _asked_families(self) -> AskedFamilies:
        return AskedFamilies(self.exhibits, self.named_in_code)


def _registering_edge(edges: Mapping[SymbolId, Sequence[Edge]], example: SymbolId) -> Edge:
    """Picks the edge by which a user registers the example, or else another member.

    A registration treats all members alike in one place. So this is the edge nearest to those of
    the other members, and a call if any of those is one. An import is picked only if there is
    nothing else.
    """
    member = example if example in edges else min(edges)
    others = [edge for each, of_other in edges.items() if each != member for edge in of_other]
    are_made = any(edge.relation == "calls" for edge in others)

    def farness(edge: Edge) -> tuple[bool, bool, int, int]:
        lines = sum(abs(edge.line - other.line) for other in others)
        return are_made and edge.relation != "calls", edge.relation == "imports", lines, -edge.line

    return min(edges[member], key=farness)
