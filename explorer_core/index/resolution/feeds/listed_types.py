"""Types that are listed after another type, which says that they belong to it.

``Added::class => [Mailer::class]`` says so in a table, ``listen(Added::class, Mailer::class)`` by a
call.
"""

from __future__ import annotations

from explorer_core.index.resolution.resolve import Resolver
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.symbols import SymbolId
from explorer_core.memoised import memoised

_NAMED = ("table", "read", "argument")
"""Kinds of references that name a type, without making an object or declaring what something is."""
_BEHIND = 24
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
            self._is_behind(table, index, first)
            for table, index in self._mentions.references(second, sorted(paths))
            if self._names(table, index, second)
        )

    def _is_behind(self, table: FileTable, index: int, first: SymbolId) -> bool:
        """Whether a reference follows one that names a type."""
        references = table.facts.references
        scope = references[index].scope
        if any(first == table.id(each) for each in table.scopes(scope)):
            return False
        name = self._program.definition(first).name
        known = self._mentions.local_names(table, (name,))
        return any(
            references[at].scope == scope
            and references[at].name in known
            and self._names(table, at, first)
            for at in references.before(index, _BEHIND)
        )

    def _names(self, table: FileTable, index: int, type_id: SymbolId) -> bool:
        """Whether a reference outside a type names it."""
        used = table.facts.references[index]
        is_inside = type_id in map(table.id, table.scopes(used.scope))
        return (
            used.kind in _NAMED
            and not is_inside
            and type_id in self._resolver.certain(table, index)
        )
