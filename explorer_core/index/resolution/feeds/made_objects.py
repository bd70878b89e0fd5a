"""Edges from what makes an object and passes it on to the method that the object is made for.

``pool.run(new Load(url))`` passes a `Load` to something that does not know its type, and can only
call what `Load` has from a supertype outside the repository. If methods of `Load` are marked as
overriding something, those are meant; otherwise its only method, unless the language requires such
marks.
"""

from __future__ import annotations

from collections.abc import Iterator

from explorer_core.index.extraction.kinds import CLASS_KINDS
from explorer_core.index.extraction.reference_table import ReferenceTable
from explorer_core.index.resolution.feeds.feed import feed_edge
from explorer_core.index.resolution.feeds.handing_on import HandingOn
from explorer_core.index.symbols import Edge, SymbolId
from explorer_core.memoised import memoised

_MAX_FILES, _MAX_MAKERS = 60, 20
"""If more files mention a type, or more places make one to pass it on, nothing is said of it."""
_CALL_DISTANCE = 8
"""How many references after a creation are searched for a member called on the new object."""
_MAX_OVERRIDES = 2
"""If more methods of a type override something, it is called for more than one purpose."""


class MadeObjects(HandingOn):
    """Finds who makes such objects, and what these are made for; memoised by type."""

    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to the methods of the objects that it makes and passes on."""
        table = self._program.table_of(symbol_id)
        for index in self._references_in(symbol_id):
            line = self._passing_line(table, index)
            type_id = self._made_type(table, index) if line else None
            for edge in self._edges(type_id) if type_id else ():
                if (edge.source, edge.line) == (symbol_id, line):
                    yield edge

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a method from what makes objects of its type."""
        type_id = self._declaring_type(symbol_id) if self._program.is_function(symbol_id) else None
        if type_id is not None:
            yield from (edge for edge in self._edges(type_id) if edge.target == symbol_id)

    @memoised
    def _edges(self, type_id: SymbolId) -> tuple[Edge, ...]:
        methods = self._purpose_methods(type_id)
        paths = self._mentions.paths_of(type_id) if methods else ()
        references = (
            list(self._mentions.references(type_id, paths)) if len(paths) <= _MAX_FILES else []
        )
        makers: dict[tuple[SymbolId, int], None] = {}
        for table, index in self._creations(type_id, references):
            # The method itself may make such an object.
            is_elsewhere = set(methods).isdisjoint(self._resolver.certain(table, index))
            has_member_call = _has_member_call(table.facts.references, index)
            if is_elsewhere and not has_member_call and (line := self._passing_line(table, index)):
                makers[table.id(table.facts.references[index].scope), line] = None
        # Objects that are stored or received elsewhere, too, are ordinary values.
        is_value = not self._are_overrides(methods) and self._receivers(type_id, references)
        if is_value or len(makers) > _MAX_MAKERS:
            return ()
        return tuple(feed_edge(maker, method, line) for maker, line in makers for method in methods)

    def _purpose_methods(self, type_id: SymbolId) -> list[SymbolId]:
        """The methods of a type's objects that code which does not know the type may call."""
        table = self._program.table_of(type_id)
        is_open = self._program.kind(type_id) in CLASS_KINDS and (
            self._model.hierarchy.is_open(type_id)
        )
        children = table.children.get(type_id.ordinal, ()) if is_open else ()
        methods = [ordinal for ordinal in children if table.definitions[ordinal].kind == "method"]
        callable_methods = [
            ordinal
            for ordinal in methods
            if (one := table.definitions[ordinal]).exported and not (one.static or one.bodiless)
        ]
        overrides = [
            ordinal
            for ordinal in callable_methods
            if table.definitions[ordinal].overrides
            and not self._is_universal_method(
                table.definitions[ordinal].name, table.spec.family_name
            )
        ]
        is_only = len(callable_methods) == 1 and not table.spec.marks_overriding
        if len(overrides) > _MAX_OVERRIDES or not (overrides or is_only):
            return []
        return [
            one
            for ordinal in overrides or callable_methods
            if not self._overridden(one := table.id(ordinal))
        ]

    def _are_overrides(self, methods: list[SymbolId]) -> bool:
        return all(self._program.definition(method).overrides for method in methods)

    @memoised
    def _is_universal_method(self, name: str, family: str) -> bool:
        """Whether objects of any type have a method of that name, so that it can be overridden
        without any supertype."""
        return any(
            table.definitions[ordinal].overrides
            and table.is_member(ordinal)
            and not table.supertypes.get(table.definitions[ordinal].container)
            for table in self._program.defining(name, family)
            for ordinal in table.by_name[name]
        )


def _has_member_call(references: ReferenceTable, index: int) -> bool:
    """Whether a member is called on what a reference makes, so that its result is passed on instead
    of the object."""
    creation = f"{references[index].written}("
    receivers = (references[row].receiver for row in references.after(index, _CALL_DISTANCE))
    return any(
        receiver.lstrip("(").removeprefix("new ").startswith(creation) for receiver in receivers
    )
