"""Edges from what passes a type to a library to the methods that the library calls on instances.

``OneTimeWorkRequestBuilder<Sweep>()`` and ``new Request.Builder(Sweep.class)`` create no `Sweep`.
The library will, and can only call what `Sweep` overrides of an outside supertype. There are such
edges only if nobody in the repository stores or creates a `Sweep`, or uses another member of one.
"""

from __future__ import annotations

from collections.abc import Iterator

from explorer_core.index.extraction.facts import TOP
from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.extraction.reference_table import Reference
from explorer_core.index.resolution.feeds.feed import feed_edge
from explorer_core.index.resolution.feeds.made_objects import MadeObjects
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.symbols import Edge, SymbolId
from explorer_core.memoised import memoised

_FILES, _USERS = 60, 20
"""Maximum number of files that mention a type, and of places that pass it on. A type with more gets
no edges."""
_NEAR = 3
"""How many references before that to the type are searched for the call it is passed to."""
_KEEPING = ("type", "construct", "call")
"""Kinds of references by which an instance is created or stored."""
_ASKED = ("method", "function", "field", "property", "variable")
"""Kinds of members that are used through an object."""


class HandedTypes(MadeObjects):
    """Finds where such types are passed on, and the methods called on them; memoised by type."""

    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to the methods of the types that it passes on."""
        table = self._program.table_of(symbol_id)
        for index in self._references_in(symbol_id):
            named = self._one(table, index) if _call_of(table, index) is not None else None
            for edge in self._edges(named) if named else ():
                line = table.facts.references[index].line
                if (edge.source, edge.line) == (symbol_id, line):
                    yield edge

    @memoised
    def _edges(self, type_id: SymbolId) -> tuple[Edge, ...]:
        methods = self._made_for(type_id)
        if not methods or not self._are_marked(methods) or self._has_more(type_id, methods):
            return ()
        paths = self._mentions.paths_of(type_id)
        named = list(self._mentions.references(type_id, paths)) if len(paths) <= _FILES else []
        handing: dict[tuple[SymbolId, int], None] = {}
        for table, index in named:
            one = table.facts.references[index]
            call = _call_of(table, index)
            if call is not None and self._resolver.resolve(table, call) is None:
                handing[table.id(one.scope), one.line] = None
            elif one.kind in _KEEPING and not self._is_within(table, one.scope, type_id):
                return ()
        if len(handing) > _USERS:
            return ()
        return tuple(
            feed_edge(who, each, line) for who, line in handing for each in methods if each != who
        )

    def _has_more(self, type_id: SymbolId, methods: list[SymbolId]) -> bool:
        """Whether members of a type other than ``methods`` are used through its objects."""
        table = self._program.table_of(type_id)
        own = (
            table.id(each)
            for each in table.children.get(type_id.ordinal, ())
            if table.definitions[each].exported and table.definitions[each].kind in _ASKED
        )
        return any(self._is_asked_for(each, type_id) for each in own if each not in methods)

    def _is_asked_for(self, member: SymbolId, type_id: SymbolId) -> bool:
        """Whether code outside a type uses a member through an object of it."""
        name = self._program.definition(type_id).name
        used = self._mentions.references(member, self._mentions.paths_of(member))
        return any(
            last_part(table.facts.references[index].receiver) != name
            and not self._is_within(table, table.facts.references[index].scope, type_id)
            and member in self._resolver.certain(table, index)
            for table, index in used
        )


def _call_of(table: FileTable, index: int) -> int | None:
    """The index of the call that a referenced type is passed to, as an argument or as the first
    type argument; None if there is none."""
    references = table.facts.references
    named = references[index]
    if named.kind != "type" or named.scope == TOP:
        return None
    for at in references.before(index, _NEAR):
        call = references[at]
        if call.scope != named.scope or call.line != named.line:
            return None
        if call.kind in ("call", "construct"):
            is_first = named.column == call.column + len(call.name) + 1
            has_more = call.arguments > 1 and not _is_around(table, named)
            return at if is_first or has_more else None
        if call.kind != "read":
            return None
    return None


def _is_around(table: FileTable, named: Reference) -> bool:
    """Whether a reference to a type is inside that type, where it may select one of several objects
    (``this@Sweep``)."""
    scope = named.scope
    while scope != TOP and table.definitions[scope].name != named.name:
        scope = table.definitions[scope].container
    return scope != TOP
