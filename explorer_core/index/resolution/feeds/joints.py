"""Edges from a call of a member without a body to the member connected with it (C++).

``connect(worker, &Worker::found, this, &Watcher::onFound)`` names two members and calls neither. If
nobody wrote a body for the first, but something calls it (``emit found(3)``), that runs the second.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from explorer_core.index.extraction.facts import Pointer
from explorer_core.index.resolution.feeds.feed import Feed, feed_edge
from explorer_core.index.resolution.resolve import Resolver
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.users import Users
from explorer_core.index.symbols import Edge, SymbolId
from explorer_core.memoised import memoised


class Joints(Feed):
    """Finds what is connected with members without bodies, and who calls these; memoised."""

    def __init__(self, resolver: Resolver, users: Users) -> None:
        super().__init__(resolver)
        self._users = users

    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to what is connected with the members it calls."""
        return self._edges(symbol_id, self._references_in(symbol_id))

    def _edges(self, symbol_id: SymbolId, references: Iterable[int]) -> Iterator[Edge]:
        """The edges that some of the references in a definition make."""
        table = self._program.table_of(symbol_id)
        for index in references if table.spec.member_pointers else ():
            used = table.facts.references[index]
            for target in self._functions(table, index) if used.kind == "call" else ():
                for taking in self._behind(target):
                    if taking != symbol_id:
                        yield feed_edge(symbol_id, taking, used.line)

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a definition from what calls the members connected with it."""
        table = self._program.table_of(symbol_id)
        if not table.spec.member_pointers or not self._program.is_function(symbol_id):
            return
        for first in self._before(symbol_id):
            for use in self._users.uses(first, self._mentions.paths_of(first), None, calls=True):
                references = self._program.table_of(use.source).facts.references
                inside = self._references_in(use.source)
                on_line = (each for each in inside if references[each].line == use.line)
                edges = self._edges(use.source, on_line)
                yield from (edge for edge in edges if edge.target == symbol_id)

    def _behind(self, first: SymbolId) -> list[SymbolId]:
        """The members with bodies that a call of one without reaches, through others without."""
        found = [first]
        for each in found:
            if self._is_empty(each):
                found += (other for other in self._joined_with(each, 0) if other not in found)
        return [each for each in found[1:] if not self._is_empty(each)]

    def _before(self, second: SymbolId) -> list[SymbolId]:
        """The members without bodies whose call leads to another member."""
        found = [second]
        for each in found:
            others = (other for other in self._joined_with(each, 1) if other not in found)
            found += filter(self._is_empty, others)
        return found[1:]

    @memoised
    def _joined_with(self, member: SymbolId, place: int) -> tuple[SymbolId, ...]:
        """The members that calls connect with one that comes first (``place`` 0) or second (1)."""
        name = self._program.definition(member).name
        found = (
            other
            for table in self._mentions.tables(self._mentions.paths_of(member))
            for pair in table.facts.joints
            if pair[place].name == name and member in self._at(table, pair[place])
            for other in self._at(table, pair[1 - place])
        )
        return tuple(dict.fromkeys(found))

    def _at(self, table: FileTable, pointer: Pointer) -> tuple[SymbolId, ...]:
        """The members that a pointer means: those with bodies, if there are any."""
        meant = tuple(self._functions_at(table, pointer.name, pointer.line, pointer.column))
        return tuple(m for m in meant if not self._is_declared(m)) or meant

    def _is_declared(self, member: SymbolId) -> bool:
        return self._program.definition(member).bodiless

    @memoised
    def _is_empty(self, member: SymbolId) -> bool:
        """Whether a member of a type has no body in any file, nor in a subtype."""
        return self._is_declared(member) and not self._is_written(member)

    def _is_written(self, member: SymbolId) -> bool:
        table = self._program.table_of(member)
        if self._holder(member) is None or self._resolver.declarations.bodies(member):
            return True
        name = table.definitions[member.ordinal].name
        return any(
            member in self._overridden(other.id(ordinal))
            for other in self._program.defining(name, table.spec.family_name)
            for ordinal in other.by_name[name]
            if other.is_callable(ordinal)
        )
