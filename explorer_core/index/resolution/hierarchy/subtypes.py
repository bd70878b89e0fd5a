"""Finds the subtypes of a type, and the members that its own object only has from them.

A mixin may use members that only the types it is mixed into have, and a base those that only its
derived types have, in languages whose compilers ask for no declaration: `price` in a Ruby module
`Taxed` may be a method of each class that includes `Taxed`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from explorer_core.index.extraction.facts import TOP
from explorer_core.index.resolution.hierarchy.hierarchy import Base, Hierarchy
from explorer_core.index.resolution.names.mentions import Mentions
from explorer_core.index.resolution.names.packages import NAMESAKES
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.owners import Owners
from explorer_core.index.resolution.values import UNKNOWN, Defined, Values
from explorer_core.index.symbols import SymbolId
from explorer_core.memoised import memoised

_FILES = 96
"""If more files mention a type or its subtypes, these are not searched for a member."""


class Subtypes:
    """Finds subtypes, and members in them; memoised."""

    def __init__(
        self, program: Program, hierarchy: Hierarchy, owners: Owners, mentions: Mentions
    ) -> None:
        self._program = program
        self._hierarchy = hierarchy
        self._owners = owners
        self._mentions = mentions

    def direct(self, type_id: SymbolId) -> Sequence[tuple[SymbolId, Base]]:
        """The types declared to extend or implement a type, each with where that is written."""
        return self._of_names(*self._mentions.names_of(type_id)).get(type_id, ())

    @memoised
    def _of_names(self, *names: str) -> dict[SymbolId, list[tuple[SymbolId, Base]]]:
        """The subtypes of all types of some names, by type. Types of the same name share the
        search, since the same files mention them."""
        found: dict[SymbolId, dict[tuple[SymbolId, Base], None]] = {}
        for table in self._mentions.tables(self._mentions.paths(names)):
            aliases = self._mentions.local_names(table, names) if table.facts.supertypes else ()
            named = sorted(at for name in aliases for at in table.supertypes_named.get(name, ()))
            for written in map(table.facts.supertypes.__getitem__, named):
                for subtype in self._written_at(table, written.definition, written.owner):
                    for base in self._hierarchy.supertypes(subtype):
                        found.setdefault(base.id, {})[subtype, base] = None
        return {type_id: [*derived] for type_id, derived in found.items()}

    def _written_at(self, table: FileTable, ordinal: int, owner: str) -> Iterable[SymbolId]:
        if ordinal != TOP:
            return [table.id(ordinal)]
        return [each.id for each in self._owners.named(table, TOP, owner)]

    @memoised
    def member(self, type_id: SymbolId, name: str) -> Values:
        """The members called ``name`` that objects of a type have from its subtypes, or from what
        these inherit besides. UNKNOWN if there are too many, or the type may inherit one from
        outside."""
        is_open = self._hierarchy.is_open(type_id)
        return self.mixed_in(type_id, name) if is_open else _few(self._of_each(type_id, name))

    @memoised
    def mixed_in(self, type_id: SymbolId, name: str) -> Values:
        """The same for a trait, which may have supertypes from outside: a member that all types it
        is mixed into have comes before one from there."""
        if self._program.kind(type_id) != "trait":
            return UNKNOWN
        found = [self._of_subtype(each, name) for each in self._all(type_id)]
        return _few(value for values in found for value in values) if all(found) else UNKNOWN

    @memoised
    def overridden(self, type_id: SymbolId, name: str) -> Values:
        """The members called ``name`` that come right after a type's own in the lookup order of its
        subtypes. UNKNOWN if there are too many, or the next one may be from outside."""
        is_open = self._hierarchy.is_open(type_id)
        return UNKNOWN if is_open else _few(self._next_in_each(type_id, name))

    def _of_each(self, type_id: SymbolId, name: str) -> Iterator[Defined]:
        """The members called ``name`` that each subtype has."""
        for subtype in self._all(type_id):
            yield from self._of_subtype(subtype, name)

    def _of_subtype(self, type_id: SymbolId, name: str) -> list[Defined]:
        found = self._hierarchy.member(type_id, name)
        return [value for value in found if isinstance(value, Defined)]

    def _next_in_each(self, type_id: SymbolId, name: str) -> Iterator[Defined]:
        for subtype in self._all(type_id):
            members = self._hierarchy.next_members(subtype, type_id, name)
            yield from (Defined(member, "graph:type") for member in members)

    @memoised
    def _all(self, type_id: SymbolId) -> list[SymbolId]:
        """The subtypes, direct or not; none where too many files would have to be searched."""
        found, files = {type_id: None}, 0
        pending = [type_id]
        while pending:
            for each in pending:  # count a whole level first, as most searches are in vain
                files += len(self._mentions.of(each))
                if files > _FILES:
                    return []
            subtypes = dict.fromkeys(sub for each in pending for sub, _ in self.direct(each))
            pending = [subtype for subtype in subtypes if subtype not in found]
            found |= dict.fromkeys(pending)
        return list(found)[1:]


def _few(members: Iterable[Defined]) -> Values:
    """Members, each once; UNKNOWN if there are too many."""
    found = tuple(dict.fromkeys(members))
    return found if len(found) <= NAMESAKES else UNKNOWN
