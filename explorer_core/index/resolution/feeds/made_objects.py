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

_FILES, _MAKERS = 60, 20
"""If more files mention a type, or more places make one to pass it on, nothing is said of it."""
_NEAR = 8
"""How many references after a creation are searched for a member called on the new object."""
_MARKED = 2
"""If more methods of a type override something, it is called for more than one purpose."""


class MadeObjects(HandingOn):
    """Finds who makes such objects, and what these are made for; memoised by type."""

    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to the methods of the objects that it makes and passes on."""
        table = self._program.table_of(symbol_id)
        for index in self._references_in(symbol_id):
            line = self._handed_on(table, index)
            made = self._made_type(table, index) if line else None
            for edge in self._edges(made) if made else ():
                if (edge.source, edge.line) == (symbol_id, line):
                    yield edge

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a method from what makes objects of its type."""
        holder = self._holder(symbol_id) if self._program.is_function(symbol_id) else None
        if holder is not None:
            yield from (edge for edge in self._edges(holder) if edge.target == symbol_id)

    @memoised
    def _edges(self, type_id: SymbolId) -> tuple[Edge, ...]:
        methods = self._made_for(type_id)
        paths = self._mentions.paths_of(type_id) if methods else ()
        named = list(self._mentions.references(type_id, paths)) if len(paths) <= _FILES else []
        makers: dict[tuple[SymbolId, int], None] = {}
        for table, index in self._making(type_id, named):
            # The method itself may make such an object.
            makes = set(methods).isdisjoint(self._resolver.certain(table, index))
            is_asked = _is_asked(table.facts.references, index)
            if makes and not is_asked and (line := self._handed_on(table, index)):
                makers[table.id(table.facts.references[index].scope), line] = None
        # Objects that are stored or received elsewhere, too, are ordinary values.
        is_value = not self._are_marked(methods) and self._taking(type_id, named)
        if is_value or len(makers) > _MAKERS:
            return ()
        return tuple(feed_edge(who, each, line) for who, line in makers for each in methods)

    def _made_for(self, type_id: SymbolId) -> list[SymbolId]:
        """The methods of a type's objects that code which does not know the type may call."""
        table = self._program.table_of(type_id)
        is_open = self._program.kind(type_id) in CLASS_KINDS and (
            self._model.hierarchy.is_open(type_id)
        )
        inside = table.children.get(type_id.ordinal, ()) if is_open else ()
        own = [each for each in inside if table.definitions[each].kind == "method"]
        asked = [
            each
            for each in own
            if (one := table.definitions[each]).exported and not (one.static or one.bodiless)
        ]
        marked = [
            each
            for each in asked
            if table.definitions[each].overrides
            and not self._is_of_anything(table.definitions[each].name, table.spec.family_name)
        ]
        is_only = len(asked) == 1 and not table.spec.marks_overriding
        if len(marked) > _MARKED or not (marked or is_only):
            return []
        return [one for each in marked or asked if not self._overridden(one := table.id(each))]

    def _are_marked(self, methods: list[SymbolId]) -> bool:
        return all(self._program.definition(each).overrides for each in methods)

    @memoised
    def _is_of_anything(self, name: str, family: str) -> bool:
        """Whether objects of any type have a method of that name, so that it can be overridden
        without any supertype."""
        return any(
            table.definitions[each].overrides
            and table.is_member(each)
            and not table.supertypes.get(table.definitions[each].container)
            for table in self._program.defining(name, family)
            for each in table.by_name[name]
        )


def _is_asked(references: ReferenceTable, index: int) -> bool:
    """Whether a member is called on what a reference makes, so that its result is passed on instead
    of the object."""
    made = f"{references[index].written}("
    behind = (references[at].receiver for at in references.behind(index, _NEAR))
    return any(each.lstrip("(").removeprefix("new ").startswith(made) for each in behind)
