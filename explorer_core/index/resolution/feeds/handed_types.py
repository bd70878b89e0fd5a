"""From what hands a type on to something of elsewhere to the methods that elsewhere asks of it.

``OneTimeWorkRequestBuilder<Sweep>()`` and ``new Request.Builder(Sweep.class)`` make nothing of the
type `Sweep`: whoever is given it will, and may ask nothing of that but what `Sweep` overrides of a
type of elsewhere. So it is if nobody here keeps or makes one, and a `Sweep` has nothing else to be
asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from explorer_core.index.extraction.facts import TOP
from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.extraction.reference_table import Reference
from explorer_core.index.resolution.feeds.feed import feeding
from explorer_core.index.resolution.feeds.made_objects import MadeObjects
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.symbols import Edge, SymbolId
from explorer_core.memoised import memoised

_FILES, _USERS = 60, 20
"""Files that mention a type, and places that hand it on: of what more do nothing is said."""
_NEAR = 3
"""References before that to a type, among which is the call that is given it."""
_KEEPING = ("type", "construct", "call")
"""Kinds of references by which something of a type is made or kept."""
_ASKED = ("method", "function", "field", "property", "variable")
"""Kinds of members that an object may be asked for."""


class HandedTypes(MadeObjects):
    """Finds who hands such types on, and what is asked of them then; memoised by type."""

    def out_of(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to the methods of the types that it hands on."""
        table = self._program.holder(symbol_id)
        for index in self._references_in(symbol_id):
            named = self._one(table, index) if self._may_be_handed(table, index) else None
            for edge in self._edges(named) if named else ():
                line = table.facts.references[index].line
                if (edge.source, edge.line) == (symbol_id, line):
                    yield edge

    @memoised
    def _edges(self, type_id: SymbolId) -> tuple[Edge, ...]:
        methods = self._made_for(type_id)
        if not methods or not self._are_marked(methods) or self._has_more(type_id, methods):
            return ()
        paths = self._mentions.of(type_id)
        named = list(self._mentions.references(type_id, paths)) if len(paths) <= _FILES else []
        handing: dict[tuple[SymbolId, int], None] = {}
        for table, index in named:
            one = table.facts.references[index]
            if self._may_be_handed(table, index) and self._is_of_elsewhere(table, index):
                handing[table.id(one.scope), one.line] = None
            elif one.kind in _KEEPING and not self._is_within(table, one.scope, type_id):
                return ()
        if len(handing) > _USERS:
            return ()
        return tuple(
            feeding(who, each, line) for who, line in handing for each in methods if each != who
        )

    def _has_more(self, type_id: SymbolId, methods: list[SymbolId]) -> bool:
        """Whether an object of a type is asked for something else than some methods."""
        table = self._program.holder(type_id)
        own = (
            table.id(each)
            for each in table.children.get(type_id.ordinal, ())
            if table.definitions[each].exported and table.definitions[each].kind in _ASKED
        )
        return any(self._is_asked_for(each, type_id) for each in own if each not in methods)

    def _is_asked_for(self, member: SymbolId, type_id: SymbolId) -> bool:
        """Whether a member is asked of an object of its type, outside of that."""
        name = self._program.definition(type_id).name
        used = self._mentions.references(member, self._mentions.of(member))
        return any(
            last_part(table.facts.references[index].receiver) != name
            and not self._is_within(table, table.facts.references[index].scope, type_id)
            and member in self._resolver.certain(table, index)
            for table, index in used
        )

    @staticmethod
    def _may_be_handed(table: FileTable, index: int) -> bool:
        """Whether a reference to a type stands among the arguments of a call, or is the first of
        its type arguments."""
        return _call_of(table, index) is not None

    def _is_of_elsewhere(self, table: FileTable, index: int) -> bool:
        """Whether the call that is given a type means nothing of the repository."""
        call = _call_of(table, index)
        return call is not None and self._resolver.resolve(table, call) is None


def _call_of(table: FileTable, index: int) -> int | None:
    """The call that is given the type which a reference names; None where it is given none."""
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
    """Whether a type is one in which its name stands, as where that tells objects apart
    (``this@Sweep``)."""
    scope = named.scope
    while scope != TOP and table.definitions[scope].name != named.name:
        scope = table.definitions[scope].container
    return scope != TOP
