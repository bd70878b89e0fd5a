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

_MAX_FILES = 60
"""The most files that are read for the types a member is called on, or a type's called members."""
_MIN_TYPES = 3
"""The fewest types on which a member must be called for their methods to say something."""
_MAX_MEMBERS = 3
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
        type_id = self._declaring_type(symbol_id) if self._program.is_function(symbol_id) else None
        if type_id is None or not self._may_be_run(symbol_id):
            return
        for table, index in self._mentions.references(type_id, self._mentions.paths_of(type_id)):
            yield from (e for e in self._edges(table, index + 1) if e.target == symbol_id)

    def _edges(self, table: FileTable, index: int) -> Iterator[Edge]:
        """The edge that the call of a member makes, whose type is named just before it."""
        type_id = self._type_called_on(table, index)
        if type_id is None or not self._has_few_outside_calls(type_id):
            return
        call = table.facts.references[index]
        method_name = self._common_method(call.name, table.spec.family_name)
        for method in (
            self._model.hierarchy.own_members(type_id, method_name) if method_name else ()
        ):
            if self._may_be_run(method):
                yield feed_edge(table.id(call.scope), method, call.line, "graph:name")

    def _type_called_on(self, table: FileTable, index: int) -> SymbolId | None:
        """The type of the repository on which a call calls a member from outside."""
        references = table.facts.references
        if not 0 < index < len(references) or table.spec.marks_overriding:
            return None
        call, receiver = references[index], references[index - 1]
        if call.kind != "call" or call.local or not call.receiver:
            return None
        if receiver.written != call.receiver or receiver.scope != call.scope:
            return None
        type_id = self._only_target(table, index - 1)
        if type_id is None or self._program.kind(type_id) not in CLASS_KINDS:
            return None
        is_open = self._model.hierarchy.is_open(type_id)
        return type_id if is_open and self._resolver.resolve(table, index) is None else None

    @memoised
    def _common_method(self, name: str, family: str) -> str:
        """The only method that three in four of the types have on which a member of that name is
        called; empty if the types are few, or have several methods in common."""
        paths = sorted(self._program.source.files_mentioning(name))[:_MAX_FILES]
        types = {
            called_type
            for table in self._mentions.tables(paths)
            if table.spec.family_name == family
            for index in table.facts.references.named(name)
            if (called_type := self._type_called_on(table, index))
            and self._has_few_outside_calls(called_type)
        }
        methods = Counter(method for type_id in types for method in self._method_names(type_id))
        common = [method for method, count in methods.items() if count * 4 >= len(types) * 3]
        return common[0] if len(types) >= _MIN_TYPES and len(common) == 1 else ""

    @memoised
    def _has_few_outside_calls(self, type_id: SymbolId) -> bool:
        """Whether only few different members from outside are called on a type."""
        paths = self._mentions.paths_of(type_id)
        if len(paths) > _MAX_FILES:
            return False
        members = {
            table.facts.references[index + 1].name
            for table, index in self._mentions.references(type_id, paths)
            if self._type_called_on(table, index + 1) == type_id
        }
        return len(members) <= _MAX_MEMBERS

    def _method_names(self, type_id: SymbolId) -> set[str]:
        """The names of the methods that may be called on objects of a type."""
        table = self._program.table_of(type_id)
        members = map(table.id, table.children.get(type_id.ordinal, ()))
        runnable = filter(self._may_be_run, members)
        return {self._program.definition(method).name for method in runnable}

    def _may_be_run(self, method: SymbolId) -> bool:
        definition = self._program.definition(method)
        is_seen = definition.exported and not (definition.static or definition.bodiless)
        return definition.kind == "method" and is_seen
