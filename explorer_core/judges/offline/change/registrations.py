"""Where a new type of a family is registered: places that refer to several of those there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from explorer_core.held import memoised
from explorer_core.index.families import FAMILY, Family
from explorer_core.index.symbols import Edge, Symbol, SymbolId
from explorer_core.judges.offline.change.asked_families import AskedFamilies
from explorer_core.judges.offline.change.example import Example, Registration
from explorer_core.judges.offline.change.reach import constructors_of, reached, with_supertypes
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.statements import called

_MEMBERS = 12
"""Members of a family whose users are looked for."""
_FILES = 60
"""Files that are looked at for users of each."""
_PLACES = 3
_MOST = 0.5
"""Share of a family that must derive directly from one type for a new one to do so, too."""


@dataclass(frozen=True)
class Registrations(Finder):
    """Finds a type to go by, of the family that one question names, and where it is registered."""

    named: Collection[Symbol] = ()
    """What the question names as code writes it."""

    def example(self) -> Example | None:
        """A member of the family that the question asks for; of several one that is registered, or
        else one of the largest; None where no family is named."""
        found = [self._example(family, told) for told, family in self._asked.best()]
        return next((each for each in found if each.places), found[0] if found else None)

    def like(self, head: Symbol) -> Example | None:
        """A member of the family of one type, whatever the question calls it."""
        family = self._asked.under(head.id)
        return self._example(family, 0.0) if len(family.members) >= FAMILY else None

    # what refers to it

    def _example(self, family: Family, said: float) -> Example:
        members = sorted(family.members, key=self._preference)[:_MEMBERS]
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
        places = (self._place(user, _row(several[user], example), family) for user in chosen)
        return Example(
            self._graph.symbol(example),
            derived[example],
            tuple(places),
            said,
            named=self._asked.is_named(family),
            head=self._graph.symbol(head),
        )

    def _head(self, family: Family) -> SymbolId:
        """What a new one of a family derives from: the type from which most of its members do so
        directly, which may be the head of the family or a subtype of it."""
        above = (edge.target for each in family.members for edge in self._graph.supertypes(each))
        known = Counter(each for each in above if self._is_within(each, family))
        most = max(known, key=lambda each: (known[each], each == family.head, each))
        return most if known[most] > _MOST * len(family.members) else family.head

    def _is_within(self, symbol: SymbolId, family: Family) -> bool:
        return symbol == family.head or self._derives(symbol, family)

    def _derivation(self, member: SymbolId, head: SymbolId) -> Edge | None:
        """The edge from a member to the head, or else to another type that it derives from."""
        edges = sorted(self._graph.supertypes(member), key=lambda each: each.target != head)
        return next(iter(edges), None)

    def _users_of(self, member: SymbolId, family: Family) -> Iterator[tuple[SymbolId, Edge]]:
        """Certain uses of a member, or of its constructor, outside of the family: each with the
        definition that it stands in, and again with every definition that this one is in."""
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
        """A definition and those of its file that it is in."""
        yield symbol
        yield from (e for e in self._graph.containers(symbol) if e.path == symbol.path)

    def _derives(self, symbol: SymbolId, family: Family) -> bool:
        """Whether a definition derives from what the members of a family do."""
        return symbol != family.head and family.head in self._above(symbol)

    @memoised
    def _above(self, symbol: SymbolId) -> set[SymbolId]:
        """A definition and what it derives from."""
        return with_supertypes(self._graph, {symbol})

    def _innermost(self, several: Mapping[SymbolId, object]) -> Iterator[SymbolId]:
        """One of some users in each file, the innermost; a whole file if there is no other."""
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
        self.exhibits.learn_of(head, self._graph.symbol(user))
        count = f"{len(used & family.members)} of the {len(family.members)}"
        symbol = self._graph.symbol(user)
        who = "It" if edge.source == user else called(symbol)
        total = f"{who} refers to {count} types that derive from {called(head)}."
        return Registration(symbol, edge, total)

    def _preference(self, member: SymbolId) -> tuple[int, SymbolId]:
        return self.exhibits.file_rank(member.path), member

    @cached_property
    def _asked(self) -> AskedFamilies:
        return AskedFamilies(self.exhibits, self.named)


def _row(edges: Mapping[SymbolId, Sequence[Edge]], example: SymbolId) -> Edge:
    """The edge by which a user registers the example, or else another member. Registering treats
    all members alike, in one place: so of its edges the one nearest to those of the others, and a
    call if any of theirs is one. An import is it only where nothing else is."""
    member = example if example in edges else min(edges)
    others = [edge for each, of_other in edges.items() if each != member for edge in of_other]
    are_made = any(edge.relation == "calls" for edge in others)

    def farness(edge: Edge) -> tuple[bool, bool, int, int]:
        lines = sum(abs(edge.line - other.line) for other in others)
        return are_made and edge.relation != "calls", edge.relation == "imports", lines, -edge.line

    return min(edges[member], key=farness)
