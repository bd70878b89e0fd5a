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

_MAX_FILES, _MAX_USERS = 60, 20
"""Maximum number of files that mention a type, and of places that pass it on. A type with more gets
no edges."""
_CALL_DISTANCE = 3
"""How many references before that to the type are searched for the call it is passed to."""
_KEEPING_KINDS = ("type", "construct", "call")
"""Kinds of references by which an instance is created or stored."""
_MEMBER_KINDS = ("method", "function", "field", "property", "variable")
"""Kinds of members that are used through an object."""


class HandedTypes(MadeObjects):
    """Finds where such types are passed on, and the methods called on them; memoised by type."""

    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to the methods of the types that it passes on."""
        table = self._program.table_of(symbol_id)
        for index in self._references_in(symbol_id):
            type_id = (
                self._only_target(table, index) if _passing_call(table, index) is not None else None
            )
            for edge in self._edges(type_id) if type_id else ():
                line = table.facts.references[index].line
                if (edge.source, edge.line) == (symbol_id, line):
                    yield edge

    @memoised
    def _edges(self, type_id: SymbolId) -> tuple[Edge, ...]:
        methods = self._purpose_methods(type_id)
        if (
            not methods
            or not self._are_overrides(methods)
            or self._has_other_uses(type_id, methods)
        ):
            return ()
        paths = self._mentions.paths_of(type_id)
        references = (
            list(self._mentions.references(type_id, paths)) if len(paths) <= _MAX_FILES else []
        )
        places: dict[tuple[SymbolId, int], None] = {}
        for table, index in references:
            reference = table.facts.references[index]
            call = _passing_call(table, index)
            if call is not None and self._resolver.resolve(table, call) is None:
                places[table.id(reference.scope), reference.line] = None
            elif reference.kind in _KEEPING_KINDS and not self._is_within(
                table, reference.scope, type_id
            ):
                return ()
        if len(places) > _MAX_USERS:
            return ()
        return tuple(
            feed_edge(source, method, line)
            for source, line in places
            for method in methods
            if method != source
        )

    def _has_other_uses(self, type_id: SymbolId, methods: list[SymbolId]) -> bool:
        """Whether members of a type other than ``methods`` are used through its objects."""
        table = self._program.table_of(type_id)
        members = (
            table.id(ordinal)
            for ordinal in table.children.get(type_id.ordinal, ())
            if table.definitions[ordinal].exported
            and table.definitions[ordinal].kind in _MEMBER_KINDS
        )
        return any(
            self._is_used_outside(member, type_id) for member in members if member not in methods
        )

    def _is_used_outside(self, member: SymbolId, type_id: SymbolId) -> bool:
        """Whether code outside a type uses a member through an object of it."""
        name = self._program.definition(type_id).name
        references = self._mentions.references(member, self._mentions.paths_of(member))
        return any(
            last_part(table.facts.references[index].receiver) != name
            and not self._is_within(table, table.facts.references[index].scope, type_id)
            and member in self._resolver.certain(table, index)
            for table, index in references
        )


def _passing_call(table: FileTable, index: int) -> int | None:
    """The index of the call that a referenced type is passed to, as an argument or as the first
    type argument; None if there is none."""
    references = table.facts.references
    reference = references[index]
    if reference.kind != "type" or reference.scope == TOP:
        return None
    for row in references.before(index, _CALL_DISTANCE):
        call = references[row]
        if call.scope != reference.scope or call.line != reference.line:
            return None
        if call.kind in ("call", "construct"):
            is_first = reference.column == call.column + len(call.name) + 1
            has_more = call.arguments > 1 and not _is_inside_named(table, reference)
            return row if is_first or has_more else None
        if call.kind != "read":
            return None
    return None


def _is_inside_named(table: FileTable, reference: Reference) -> bool:
    """Whether a reference to a type is inside that type, where it may select one of several objects
    (``this@Sweep``)."""
    scope = reference.scope
    while scope != TOP and table.definitions[scope].name != reference.name:
        scope = table.definitions[scope].container
    return scope != TOP
