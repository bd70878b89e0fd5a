"""Types that are listed after another type, which says that they belong to it.

``Added::class => [Mailer::class]`` says so in a table, ``listen(Added::class, Mailer::class)`` by a
call.
"""

from __future__ import annotations

from explorer_core.index.resolution.resolve import Resolver
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.symbols import SymbolId
from explorer_core.memoised import memoised

_NAMING_KINDS = ("table", "read", "argument")
"""Kinds of references that name a type, without making an object or declaring what something is."""
_OWNER_DISTANCE = 24
"""How many references before that to a type are searched for the type that it belongs to."""


class ListedTypes:
    """Finds which types are listed after which; memoised."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._program = resolver.program
        self._mentions = resolver.mentions

    @memoised
    def are_listed(self, first: SymbolId, second: SymbolId) -> bool:
        """Whether a definition outside both types lists the first, and the second after it."""
        paths = set(self._mentions.paths_of(first)).intersection(self._mentions.paths_of(second))
        return any(
            self._follows(table, index, first)
            for table, index in self._mentions.references(second, sorted(paths))
            if self._names_type(table, index, second)
        )

    def _follows(self, table: FileTable, index: int, first: SymbolId) -> bool:
        """Whether a reference follows one that names a type."""
        references = table.facts.references
        scope = references[index].scope
        if any(first == table.id(enclosing) for enclosing in table.scopes(scope)):
            return False
        name = self._program.definition(first).name
        names = self._mentions.local_names(table, (name,))
        return any(
            references[row].scope == scope
            and references[row].name in names
            and self._names_type(table, row, first)
            for row in references.before(index, _OWNER_DISTANCE)
        )

    def _names_type(self, table: FileTable, index: int, type_id: SymbolId) -> bool:
        """Whether a reference outside a type names it."""
        reference = table.facts.references[index]
        is_inside = type_id in map(table.id, table.scopes(reference.scope))
        return (
            reference.kind in _NAMING_KINDS
            and not is_inside
            and type_id in self._resolver.certain(table, index)
        )
