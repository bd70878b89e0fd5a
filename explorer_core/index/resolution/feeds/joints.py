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
            reference = table.facts.references[index]
            for target in self._functions(table, index) if reference.kind == "call" else ():
                for member in self._reached_members(target):
                    if member != symbol_id:
                        yield feed_edge(symbol_id, member, reference.line)

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a definition from what calls the members connected with it."""
        table = self._program.table_of(symbol_id)
        if not table.spec.member_pointers or not self._program.is_function(symbol_id):
            return
        for first in self._leading_members(symbol_id):
            for use in self._users.uses(first, self._mentions.paths_of(first), None, calls=True):
                references = self._program.table_of(use.source).facts.references
                rows = self._references_in(use.source)
                on_line = (row for row in rows if references[row].line == use.line)
                edges = self._edges(use.source, on_line)
                yield from (edge for edge in edges if edge.target == symbol_id)

    def _reached_members(self, first: SymbolId) -> list[SymbolId]:
        """The members with bodies that a call of one without reaches, through others without."""
        reached = [first]
        for current in reached:
            if self._has_no_body(current):
                reached += (
                    other for other in self._connected_with(current, 0) if other not in reached
                )
        return [member for member in reached[1:] if not self._has_no_body(member)]

    def _leading_members(self, second: SymbolId) -> list[SymbolId]:
        """The members without bodies whose call leads to another member."""
        leading = [second]
        for current in leading:
            others = (other for other in self._connected_with(current, 1) if other not in leading)
            leading += filter(self._has_no_body, others)
        return leading[1:]

    @memoised
    def _connected_with(self, member: SymbolId, position: int) -> tuple[SymbolId, ...]:
        """The members that calls connect with one at ``position`` 0 (first) or 1 (second)."""
        name = self._program.definition(member).name
        connected = (
            other
            for table in self._mentions.tables(self._mentions.paths_of(member))
            for joint in table.facts.pointer_pairs
            if joint[position].name == name and member in self._members_at(table, joint[position])
            for other in self._members_at(table, joint[1 - position])
        )
        return tuple(dict.fromkeys(connected))

    def _members_at(self, table: FileTable, pointer: Pointer) -> tuple[SymbolId, ...]:
        """The members that a pointer means: those with bodies, if there are any."""
        members = tuple(self._functions_at(table, pointer.name, pointer.line, pointer.column))
        return tuple(m for m in members if not self._is_bodiless(m)) or members

    def _is_bodiless(self, member: SymbolId) -> bool:
        return self._program.definition(member).bodiless

    @memoised
    def _has_no_body(self, member: SymbolId) -> bool:
        """Whether a member of a type has no body in any file, nor in a subtype."""
        return self._is_bodiless(member) and not self._has_body(member)

    def _has_body(self, member: SymbolId) -> bool:
        table = self._program.table_of(member)
        if self._declaring_type(member) is None or self._resolver.declarations.bodies(member):
            return True
        name = table.definitions[member.ordinal].name
        return any(
            member in self._overridden(other.id(ordinal))
            for other in self._program.defining(name, table.spec.family_name)
            for ordinal in other.by_name[name]
            if other.is_callable(ordinal)
        )
