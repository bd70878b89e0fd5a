"""Edges from a call of a library's member on a type to the method that such types are made for.

``Resize::dispatch($media)`` calls a member that `Resize` has from a supertype outside the
repository, and nothing says what that leads to. But if the same member is called on several types,
and these have just one method in common that may be called on their objects, that method is run:
here `Resize.handle`. This does not hold for types on which many such members are called, as on
records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from explorer_core.index.extraction.kinds import CLASS_KINDS
from explorer_core.index.resolution.feeds.feed import Feed, feed_edge
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.symbols import Edge, SymbolId
from explorer_core.memoised import memoised

_FILES = 60
"""The most files that are read for the types a member is called on, or a type's called members."""
_TYPES = 3
"""The fewest types on which a member must be called for their methods to say something."""
_MEMBERS = 3
"""The most members from outside that are called on such a type in the repository."""


class AskedTypes(Feed):
    """Finds who calls such members on types, and what is run then."""

    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to the methods of the types on which it calls members."""
        table = self._program.table_of(symbol_id)
        for index in self._references_in(symbol_id):
            yield from self._edges(table, index)

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a method from what calls members on its type."""
        holder = self._holder(symbol_id) if self._program.is_function(symbol_id) else None
        if holder is None or not self._may_be_asked_for(symbol_id):
            return
        for table, index in self._mentions.references(holder, self._mentions.paths_of(holder)):
            yield from (e for e in self._edges(table, index + 1) if e.target == symbol_id)

    def _edges(self, table: FileTable, index: int) -> Iterator[Edge]:
        """The edge that the call of a member makes, whose type is named just before it."""
        asked = self._asked(table, index)
        if asked is None or not self._is_asked_for_little(asked):
            return
        used = table.facts.references[index]
        wanted = self._common(used.name, table.spec.family_name)
        for method in self._model.hierarchy.own_members(asked, wanted) if wanted else ():
            if self._may_be_asked_for(method):
                yield feed_edge(table.id(used.scope), method, used.line, "graph:name")

    def _asked(self, table: FileTable, index: int) -> SymbolId | None:
        """The type of the repository on which a call calls a member from outside."""
        references = table.facts.references
        if not 0 < index < len(references) or table.spec.marks_overriding:
            return None
        used, before = references[index], references[index - 1]
        if used.kind != "call" or used.local or not used.receiver:
            return None
        if before.written != used.receiver or before.scope != used.scope:
            return None
        asked = self._one(table, index - 1)
        if asked is None or self._program.kind(asked) not in CLASS_KINDS:
            return None
        is_open = self._model.hierarchy.is_open(asked)
        return asked if is_open and self._resolver.resolve(table, index) is None else None

    @memoised
    def _common(self, name: str, family: str) -> str:
        """The only method that three in four of the types have on which a member of that name is
        called; empty if the types are few, or have several methods in common."""
        users = sorted(self._program.source.files_mentioning(name))[:_FILES]
        asked = {
            found
            for table in self._mentions.tables(users)
            if table.spec.family_name == family
            for index in table.facts.references.named(name)
            if (found := self._asked(table, index)) and self._is_asked_for_little(found)
        }
        methods = Counter(method for each in asked for method in self._methods(each))
        common = [each for each, count in methods.items() if count * 4 >= len(asked) * 3]
        return common[0] if len(asked) >= _TYPES and len(common) == 1 else ""

    @memoised
    def _is_asked_for_little(self, type_id: SymbolId) -> bool:
        """Whether only few different members from outside are called on a type."""
        users = self._mentions.paths_of(type_id)
        if len(users) > _FILES:
            return False
        members = {
            table.facts.references[index + 1].name
            for table, index in self._mentions.references(type_id, users)
            if self._asked(table, index + 1) == type_id
        }
        return len(members) <= _MEMBERS

    def _methods(self, type_id: SymbolId) -> set[str]:
        """The names of the methods that may be called on objects of a type."""
        table = self._program.table_of(type_id)
        inside = map(table.id, table.children.get(type_id.ordinal, ()))
        asked = filter(self._may_be_asked_for, inside)
        return {self._program.definition(each).name for each in asked}

    def _may_be_asked_for(self, method: SymbolId) -> bool:
        definition = self._program.definition(method)
        is_seen = definition.exported and not (definition.static or definition.bodiless)
        return definition.kind == "method" and is_seen
