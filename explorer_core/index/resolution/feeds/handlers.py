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
        ranks_by_event: dict[SymbolId, dict[int, int]] = {}
        for index in self._references_in(symbol_id) if may_raise else ():
            if event := self._raised_event(table, index):
                ranks_by_event.setdefault(event, {})[index] = self._raising_rank(table, index)
        for event, ranks in ranks_by_event.items():
            best = [index for index, rank in ranks.items() if rank == max(ranks.values())]
            for line in dict.fromkeys(table.facts.references[index].line for index in best):
                for handler in self._handlers_of(event):
                    if handler != symbol_id:
                        yield feed_edge(symbol_id, handler, line)

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a definition from those that raise the events it handles."""
        is_function = self._program.is_function(symbol_id)
        if not is_function or not self._program.table_of(symbol_id).spec.event_head:
            return
        handled = dict.fromkeys(self._handled_events(symbol_id))
        for event in dict.fromkeys(
            event for handled_event in handled for event in self._with_overriding(handled_event)
        ):
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
            for ordinal, definition in enumerate(table.definitions if head else ())
            if definition.kind == "field" and re.search(head, definition.signature)
        )

    def _raised_event(self, table: FileTable, index: int) -> SymbolId | None:
        """A reference's event of the enclosing type; None if it adds or removes handlers."""
        reference = table.facts.references[index]
        if reference.local or reference.receiver not in ("", *table.spec.self_names):
            return None
        if reference.kind not in (
            "read",
            "call",
            "argument",
        ) or reference.name not in self._event_names(table):
            return None
        for event in self._resolver.certain(table, index):
            if event in self._events_in(table) and not self._changes_handlers(table, index):
                return event
        return None

    def _event_names(self, table: FileTable) -> set[str]:
        return {table.definitions[event.ordinal].name for event in self._events_in(table)}

    def _changes_handlers(self, table: FileTable, index: int) -> bool:
        """Whether a function that is not called follows a reference to an event: it is added as a
        handler there, or removed."""
        references = table.facts.references
        following = references.next(index)
        if following is None or following.kind == "call" or references[index].kind != "read":
            return False
        return any(True for _ in self._functions(table, index + 1))

    def _raising_rank(self, table: FileTable, index: int) -> int:
        """How surely a reference raises an event: 2 if it is called, 1 if it is passed on, 0 if it
        is only copied or tested for handlers."""
        references = table.facts.references
        reference = references[index]
        following = references.next(index)
        if (
            following is not None
            and following.kind == "call"
            and following.receiver == reference.written
        ):
            return 2 if following.name == table.spec.call_member else 0
        return {"call": 2, "argument": 1}.get(reference.kind, 0)

    # which handlers there are

    @memoised
    def _handlers_of(self, event: SymbolId) -> tuple[SymbolId, ...]:
        """The functions that are added to an event, or to one that it overrides or implements."""
        functions = (
            function
            for overridden in self._with_overridden(event)
            for table, placement in self._additions_to(overridden)
            if overridden in self._events_at(table, placement)
            for function in self._handlers_at(table, placement)
        )
        return tuple(dict.fromkeys(functions))

    def _handled_events(self, function: SymbolId) -> Iterator[SymbolId]:
        """The events that a function is added to."""
        names = self._mentions.names_of(function)
        for table in self._mentions.tables(self._mentions.paths_of(function)):
            for placement in table.facts.placements:
                if placement.name in names and function in self._handlers_at(table, placement):
                    yield from self._events_at(table, placement)

    def _additions_to(self, event: SymbolId) -> Iterator[tuple[FileTable, Placement]]:
        name = self._program.definition(event).name
        for table in self._mentions.tables(self._mentions.paths_of(event)):
            for placement in table.facts.placements if table.spec.event_head else ():
                if placement.member == name:
                    yield table, placement

    def _events_at(self, table: FileTable, placement: Placement) -> tuple[SymbolId, ...]:
        return self._resolver.certain_at(
            table, placement.member, placement.line, placement.member_column
        )

    def _handlers_at(self, table: FileTable, placement: Placement) -> Iterator[SymbolId]:
        return self._functions_at(table, placement.name, placement.line, placement.column)

    def _with_overridden(self, event: SymbolId) -> tuple[SymbolId, ...]:
        """An event, and those of supertypes that it overrides or implements."""
        return (event, *self._overridden(event))

    def _with_overriding(self, event: SymbolId) -> Iterator[SymbolId]:
        """An event, and those of subtypes that override or implement it."""
        family = self._program.table_of(event).spec.family_name
        name = self._program.definition(event).name
        for table in self._program.defining(name, family):
            for other in self._events_in(table):
                if table.definitions[other.ordinal].name == name and event in self._with_overridden(
                    other
                ):
                    yield other
