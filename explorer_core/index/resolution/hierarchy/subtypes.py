"""Types seen from above: what extends or mixes in a type, and what its own object has from there.

A mixin may use members that only the types it is mixed into have, and a base those that only the
types derived from it have, where no compiler asks for a declaration.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from explorer_core.held import memoised
from explorer_core.index.extraction.facts import TOP
from explorer_core.index.resolution.hierarchy.hierarchy import Base, Hierarchy
from explorer_core.index.resolution.names.mentions import Mentions
from explorer_core.index.resolution.names.packages import NAMESAKES
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.owners import Owners
from explorer_core.index.resolution.values import UNKNOWN, Defined, Values
from explorer_core.index.symbols import SymbolId

_FILES = 96
"""Most files that are searched for the subtypes of a type, where a member of it is asked for."""


class Subtypes:
    """Finds the types that are made of another; memoised."""

    def __init__(
        self, program: Program, hierarchy: Hierarchy, owners: Owners, mentions: Mentions
    ) -> None:
        self._program = program
        self._hierarchy = hierarchy
        self._owners = owners
        self._mentions = mentions

    def direct(self, type_id: SymbolId) -> Sequence[tuple[SymbolId, Base]]:
        """The types that are written to extend or implement a type, each with where it says so."""
        return self._of_names(*self._mentions.names_of(type_id)).get(type_id, ())

    @memoised
    def _of_names(self, *names: str) -> dict[SymbolId, list[tuple[SymbolId, Base]]]:
        """What derives from the types of some names, by type: many may have them, and all are
        looked for in the same files."""
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
        """The members of a name that values of a type have from its subtypes, or from what these
        are made of besides; UNKNOWN where that are too many to say, or the type may have one from
        elsewhere."""
        is_open = self._hierarchy.is_open(type_id)
        return self.mixed_in(type_id, name) if is_open else _few(self._of_each(type_id, name))

    @memoised
    def mixed_in(self, type_id: SymbolId, name: str) -> Values:
        """The same of what is no type of its own, and may have others from elsewhere: what all that
        it is mixed into have comes before those."""
        if self._program.kind(type_id) != "trait":
            return UNKNOWN
        found = [self._of_subtype(each, name) for each in self._all(type_id)]
        return _few(value for values in found for value in values) if all(found) else UNKNOWN

    @memoised
    def overridden(self, type_id: SymbolId, name: str) -> Values:
        """The members of a name that come next after a type's own where its subtypes look members
        up; UNKNOWN where that are too many to say, or it may be one from elsewhere."""
        is_open = self._hierarchy.is_open(type_id)
        return UNKNOWN if is_open else _few(self._next_in_each(type_id, name))

    def _of_each(self, type_id: SymbolId, name: str) -> Iterator[Defined]:
        """The member of a name that each subtype has."""
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
            for each in pending:  # all of a level before any is searched for, mostly in vain
                files += len(self._mentions.of(each))
                if files > _FILES:
                    return []
            subtypes = dict.fromkeys(sub for each in pending for sub, _ in self.direct(each))
            pending = [subtype for subtype in subtypes if subtype not in found]
            found |= dict.fromkeys(pending)
        return list(found)[1:]


def _few(members: Iterable[Defined]) -> Values:
    """Members, each once; UNKNOWN where that are too many to say."""
    found = tuple(dict.fromkeys(members))
    return found if len(found) <= NAMESAKES else UNKNOWN
