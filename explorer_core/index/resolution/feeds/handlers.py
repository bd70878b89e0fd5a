"""Edges from what raises an event of its own type to the functions added to that event (C#).

``library.Added += OnAdded`` adds a handler, and only the type that declares the event can raise it:
``Added?.Invoke(this, item)``, ``Added(this, item)`` or ``Tell(Added, item)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from explorer_core.index.extraction.facts import Placement
from explorer_core.index.resolution.feeds.feed import Feed, feed_edge
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.symbols import Edge, SymbolId
from explorer_core.memoised import memoised


class Handlers(Feed):
    """Finds the handlers of events, and who raises these; memoised."""

    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to the handlers of the events that it raises."""
        table = self._program.table_of(symbol_id)
        may_raise = not symbol_id.is_file and self._events_in(table)
        raised: dict[SymbolId, dict[int, int]] = {}
        for index in self._references_in(symbol_id) if may_raise else ():
            if event := self._event(table, index):
                raised.setdefault(event, {})[index] = self._rank(table, index)
        for event, ranks in raised.items():
            best = [index for index, rank in ranks.items() if rank == max(ranks.values())]
            for line in dict.fromkeys(table.facts.references[index].line for index in best):
                for each in self._handlers_of(event):
                    if each != symbol_id:
                        yield feed_edge(symbol_id, each, line)

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a definition from those that raise the events it handles."""
        is_function = self._program.is_function(symbol_id)
        if not is_function or not self._program.table_of(symbol_id).spec.event_head:
            return
        handled = dict.fromkeys(self._handled(symbol_id))
        for event in dict.fromkeys(own for each in handled for own in self._below(each)):
            table = self._program.table_of(event)
            name = table.definitions[event.ordinal].name
            references = table.facts.references
            scopes = dict.fromkeys(references[index].scope for index in references.named(name))
            for source in map(table.id, scopes):
                yield from (edge for edge in self.edges_from(source) if edge.target == symbol_id)

    @memoised
    def _events_in(self, table: FileTable) -> frozenset[SymbolId]:
        """The events that the types of a file declare."""
        head = table.spec.event_head
        return frozenset(
            table.id(ordinal)
            for ordinal, one in enumerate(table.definitions if head else ())
            if one.kind == "field" and re.search(head, one.signature)
        )

    def _event(self, table: FileTable, index: int) -> SymbolId | None:
        """A reference's event of the enclosing type; None if it adds or removes handlers."""
        used = table.facts.references[index]
        if used.local or used.receiver not in ("", *table.spec.self_names):
            return None
        if used.kind not in ("read", "call", "argument") or used.name not in self._names(table):
            return None
        for event in self._resolver.certain(table, index):
            if event in self._events_in(table) and not self._is_given(table, index):
                return event
        return None

    def _names(self, table: FileTable) -> set[str]:
        return {table.definitions[each.ordinal].name for each in self._events_in(table)}

    def _is_given(self, table: FileTable, index: int) -> bool:
        """Whether a function that is not called follows a reference to an event: it is added as a
        handler there, or removed."""
        references = table.facts.references
        behind = references.next(index)
        if behind is None or behind.kind == "call" or references[index].kind != "read":
            return False
        return any(True for _ in self._functions(table, index + 1))

    def _rank(self, table: FileTable, index: int) -> int:
        """How surely a reference raises an event: 2 if it is called, 1 if it is passed on, 0 if it
        is only copied or tested for handlers."""
        references = table.facts.references
        used = references[index]
        behind = references.next(index)
        if behind is not None and behind.kind == "call" and behind.receiver == used.written:
            return 2 if behind.name == table.spec.call_member else 0
        return {"call": 2, "argument": 1}.get(used.kind, 0)

    # which handlers there are

    @memoised
    def _handlers_of(self, event: SymbolId) -> tuple[SymbolId, ...]:
        """The functions that are added to an event, or to one that it overrides or implements."""
        found = (
            function
            for each in self._above(event)
            for table, placed in self._added(each)
            if each in self._at_member(table, placed)
            for function in self._added_at(table, placed)
        )
        return tuple(dict.fromkeys(found))

    def _handled(self, function: SymbolId) -> Iterator[SymbolId]:
        """The events that a function is added to."""
        names = self._mentions.names_of(function)
        for table in self._mentions.tables(self._mentions.paths_of(function)):
            for placed in table.facts.placements:
                if placed.name in names and function in self._added_at(table, placed):
                    yield from self._at_member(table, placed)

    def _added(self, event: SymbolId) -> Iterator[tuple[FileTable, Placement]]:
        name = self._program.definition(event).name
        for table in self._mentions.tables(self._mentions.paths_of(event)):
            for placed in table.facts.placements if table.spec.event_head else ():
                if placed.member == name:
                    yield table, placed

    def _at_member(self, table: FileTable, placed: Placement) -> tuple[SymbolId, ...]:
        return self._resolver.certain_at(table, placed.member, placed.line, placed.assigned)

    def _added_at(self, table: FileTable, placed: Placement) -> Iterator[SymbolId]:
        return self._functions_at(table, placed.name, placed.line, placed.column)

    def _above(self, event: SymbolId) -> tuple[SymbolId, ...]:
        """An event, and those of supertypes that it overrides or implements."""
        return (event, *self._overridden(event))

    def _below(self, event: SymbolId) -> Iterator[SymbolId]:
        """An event, and those of subtypes that override or implement it."""
        family = self._program.table_of(event).spec.family_name
        name = self._program.definition(event).name
        for table in self._program.defining(name, family):
            for each in self._events_in(table):
                if table.definitions[each.ordinal].name == name and event in self._above(each):
                    yield each
