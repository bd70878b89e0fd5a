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

_MAX_FILES = 96
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
        by_type: dict[SymbolId, dict[tuple[SymbolId, Base], None]] = {}
        for table in self._mentions.tables(self._mentions.paths(names)):
            aliases = self._mentions.local_names(table, names) if table.facts.supertypes else ()
            indices = sorted(
                index for name in aliases for index in table.supertypes_by_name.get(name, ())
            )
            for clause in map(table.facts.supertypes.__getitem__, indices):
                for subtype in self._declared_subtypes(table, clause.definition, clause.owner):
                    for base in self._hierarchy.supertypes(subtype):
                        by_type.setdefault(base.id, {})[subtype, base] = None
        return {type_id: [*derived] for type_id, derived in by_type.items()}

    def _declared_subtypes(self, table: FileTable, ordinal: int, owner: str) -> Iterable[SymbolId]:
        if ordinal != TOP:
            return [table.id(ordinal)]
        return [instance.id for instance in self._owners.named(table, TOP, owner)]

    @memoised
    def members(self, type_id: SymbolId, name: str) -> Values:
        """The members called ``name`` that objects of a type have from its subtypes, or from what
        these inherit besides. UNKNOWN if there are too many, or the type may inherit one from
        outside."""
        is_open = self._hierarchy.is_open(type_id)
        return (
            self.mixin_members(type_id, name)
            if is_open
            else _unless_many(self._subtype_members(type_id, name))
        )

    @memoised
    def mixin_members(self, type_id: SymbolId, name: str) -> Values:
        """The same for a trait, which may have supertypes from outside: a member that all types it
        is mixed into have comes before one from there."""
        if self._program.kind(type_id) != "trait":
            return UNKNOWN
        members = [self._defined_members(subtype, name) for subtype in self._all_subtypes(type_id)]
        return (
            _unless_many(value for values in members for value in values)
            if all(members)
            else UNKNOWN
        )

    @memoised
    def next_in_subtypes(self, type_id: SymbolId, name: str) -> Values:
        """The members called ``name`` that come right after a type's own in the lookup order of its
        subtypes. UNKNOWN if there are too many, or the next one may be from outside."""
        is_open = self._hierarchy.is_open(type_id)
        return UNKNOWN if is_open else _unless_many(self._next_members(type_id, name))

    def _subtype_members(self, type_id: SymbolId, name: str) -> Iterator[Defined]:
        """The members called ``name`` that each subtype has."""
        for subtype in self._all_subtypes(type_id):
            yield from self._defined_members(subtype, name)

    def _defined_members(self, type_id: SymbolId, name: str) -> list[Defined]:
        values = self._hierarchy.member(type_id, name)
        return [value for value in values if isinstance(value, Defined)]

    def _next_members(self, type_id: SymbolId, name: str) -> Iterator[Defined]:
        for subtype in self._all_subtypes(type_id):
            members = self._hierarchy.next_members(subtype, type_id, name)
            yield from (Defined(member, "graph:type") for member in members)

    @memoised
    def _all_subtypes(self, type_id: SymbolId) -> list[SymbolId]:
        """The subtypes, direct or not; none where too many files would have to be searched."""
        known, file_count = {type_id: None}, 0
        pending = [type_id]
        while pending:
            for current in pending:  # count a whole level first, as most searches are in vain
                file_count += len(self._mentions.paths_of(current))
                if file_count > _MAX_FILES:
                    return []
            subtypes = dict.fromkeys(
                subtype for current in pending for subtype, _ in self.direct(current)
            )
            pending = [subtype for subtype in subtypes if subtype not in known]
            known |= dict.fromkeys(pending)
        return list(known)[1:]


def _unless_many(members: Iterable[Defined]) -> Values:
    """Members, each once; UNKNOWN if there are too many."""
    distinct = tuple(dict.fromkeys(members))
    return distinct if len(distinct) <= NAMESAKES else UNKNOWN
