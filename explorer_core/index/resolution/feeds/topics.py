"""Edges from a call with the name of an event to the functions passed with that name elsewhere.

``socket.on("user_updated", this.reload)`` and ``emit("user_updated", user)`` have nothing in common
but the text. So few calls are given it that it must name one thing; still, the name alone connects
them. Calls of the same member with it (``get("user_id")``) do the same with it, and are not
connected.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import msgspec

from explorer_core.index.extraction.facts import TOP, Topic
from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.extraction.reference_table import CALLS, Reference
from explorer_core.index.resolution.feeds.feed import Feed, feed_edge, last_reference_before
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.symbols import CALLBACK, Edge, SymbolId
from explorer_core.memoised import memoised

_QUOTES = "\"'`"
_MAX_FILES, _MAX_RECEIVERS = 40, 8
"""If more files mention a name, or more functions are passed with it, it means several things."""


class _Registration(msgspec.Struct, frozen=True, gc=False):
    """A function that is passed with a name, and the name of what is called with both."""

    function: SymbolId
    callee: str


class Topics(Feed):
    """Finds who names an event, and the functions that are registered for it; memoised."""

    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to the functions that are passed with the names it passes."""
        table = self._program.table_of(symbol_id)
        for topic in table.topics.get(symbol_id.ordinal, ()) if symbol_id.ordinal != TOP else ():
            yield from self._edges(table, topic)

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a function from those who pass the names that it is passed with."""
        if not self._program.is_function(symbol_id):
            return
        for name in self._topic_names(symbol_id):
            for table, topic in self._topics_named(name):
                if topic.scope != TOP:
                    edges = self._edges(table, topic)
                    yield from (edge for edge in edges if edge.target == symbol_id)

    def _edges(self, table: FileTable, topic: Topic) -> Iterator[Edge]:
        """The edges from a call with a name. A call that is passed a function as well has none: it
        registers that function, or removes it."""
        registrations = self._registrations(topic.name)
        if not registrations or self._registration(table, topic) is not None:
            return
        callee, argument = _callee_name(table, topic), self._next_argument(table, topic)
        same_callee = {
            registration.function for registration in registrations if registration.callee == callee
        }
        functions = [
            function
            for function in dict.fromkeys(t.function for t in registrations)
            if function not in same_callee
        ]
        source = table.id(topic.scope)
        for function in functions:
            is_argument = (
                argument is not None and argument.name == self._program.definition(function).name
            )
            if function != source and not is_argument:
                yield feed_edge(source, function, topic.line, "graph:name", len(functions))

    def _topic_names(self, function: SymbolId) -> dict[str, None]:
        """The names that a function is passed with."""
        return {
            topic.name: None
            for table, topic in self._possible_topics(function)
            if (registration := self._registration(table, topic))
            and registration.function == function
        }

    def _possible_topics(self, function: SymbolId) -> Iterator[tuple[FileTable, Topic]]:
        """The names that a function may be passed with: where it is written, or is an argument."""
        table = self._program.table_of(function)
        yield from ((table, topic) for topic in table.topics.get(function.ordinal, ()))
        names = self._mentions.names_of(function)
        for other in self._mentions.tables(self._mentions.paths_of(function)):
            references = other.facts.references
            for name in self._mentions.local_names(other, names) if other.topics else ():
                uses = (references[index] for index in references.named(name))
                for scope in {use.scope for use in uses if use.kind == "argument"}:
                    yield from ((other, topic) for topic in other.topics.get(scope, ()))

    @memoised
    def _registrations(self, name: str) -> tuple[_Registration, ...]:
        """The functions that are passed with a name; none where there are many."""
        registrations = (
            self._registration(table, topic) for table, topic in self._topics_named(name)
        )
        distinct = tuple(
            dict.fromkeys(
                registration for registration in registrations if registration is not None
            )
        )
        return distinct if len(distinct) <= _MAX_RECEIVERS else ()

    def _topics_named(self, name: str) -> Iterator[tuple[FileTable, Topic]]:
        """The topics by which calls are given a name; none where there are many."""
        paths = sorted(self._program.source.files_mentioning(name))
        for table in self._mentions.tables(paths if len(paths) <= _MAX_FILES else ()):
            topics = chain.from_iterable(table.topics.values())
            yield from ((table, topic) for topic in topics if topic.name == name)

    def _registration(self, table: FileTable, topic: Topic) -> _Registration | None:
        """The function that a call is passed right after a name: one that is written there, or that
        is meant for certain."""
        if topic.scope != TOP:
            callback = table.definitions[topic.scope]
            head, separator, tail = callback.name.partition(topic.name)
            is_own_callback = separator and head[-1:] in _QUOTES and tail[:1] in _QUOTES
            if callback.kind == CALLBACK and callback.line == topic.line and is_own_callback:
                callee = last_part(head.partition("(")[0])
                return _Registration(table.id(topic.scope), callee)
        argument = self._next_argument(table, topic)
        if argument is None:
            return None
        functions = self._functions_at(table, argument.name, argument.line, argument.column)
        function = next(functions, None)
        return _Registration(function, _callee_name(table, topic)) if function else None

    @staticmethod
    def _next_argument(table: FileTable, topic: Topic) -> Reference | None:
        """The argument right after a name, if it is a name itself, even with a cast."""
        references, place = table.facts.references, (topic.line, topic.column)
        row = references.up_to(topic.scope, place)
        following = (references[row] for row in references.in_scope(topic.scope)[row : row + 2])
        argument = next((reference for reference in following if reference.kind != "type"), None)
        if argument is None or argument.kind != "argument" or argument.line > topic.line + 1:
            return None
        return argument


def _callee_name(table: FileTable, topic: Topic) -> str:
    """The name of what is called with a name."""
    call = last_reference_before(table, topic.scope, (topic.line, topic.column), CALLS)
    return call.name if call else ""
