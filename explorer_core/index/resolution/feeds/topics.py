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

_MARKS = "\"'`"
_FILES, _TAKERS = 40, 8
"""If more files mention a name, or more functions are passed with it, it means several things."""


class _Taker(msgspec.Struct, frozen=True, gc=False):
    """A function that is passed with a name, and the name of what is called with both."""

    function: SymbolId
    called: str


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
        for name in self._names_with(symbol_id):
            for table, topic in self._named(name):
                if topic.scope != TOP:
                    edges = self._edges(table, topic)
                    yield from (edge for edge in edges if edge.target == symbol_id)

    def _edges(self, table: FileTable, topic: Topic) -> Iterator[Edge]:
        """The edges from a call with a name. A call that is passed a function as well has none: it
        registers that function, or removes it."""
        takers = self._takers_of(topic.name)
        if not takers or self._taker(table, topic) is not None:
            return
        called, behind = _called(table, topic), self._behind(table, topic)
        alike = {each.function for each in takers if each.called == called}
        functions = [
            each for each in dict.fromkeys(t.function for t in takers) if each not in alike
        ]
        source = table.id(topic.scope)
        for each in functions:
            is_given = behind is not None and behind.name == self._program.definition(each).name
            if each != source and not is_given:
                yield feed_edge(source, each, topic.line, "graph:name", len(functions))

    def _names_with(self, function: SymbolId) -> dict[str, None]:
        """The names that a function is passed with."""
        return {
            topic.name: None
            for table, topic in self._perhaps_with(function)
            if (taker := self._taker(table, topic)) and taker.function == function
        }

    def _perhaps_with(self, function: SymbolId) -> Iterator[tuple[FileTable, Topic]]:
        """The names that a function may be passed with: where it is written, or is an argument."""
        table = self._program.table_of(function)
        yield from ((table, topic) for topic in table.topics.get(function.ordinal, ()))
        names = self._mentions.names_of(function)
        for other in self._mentions.tables(self._mentions.paths_of(function)):
            references = other.facts.references
            for name in self._mentions.local_names(other, names) if other.topics else ():
                handed = (references[index] for index in references.named(name))
                for scope in {each.scope for each in handed if each.kind == "argument"}:
                    yield from ((other, topic) for topic in other.topics.get(scope, ()))

    @memoised
    def _takers_of(self, name: str) -> tuple[_Taker, ...]:
        """The functions that are passed with a name; none where there are many."""
        takers = (self._taker(table, topic) for table, topic in self._named(name))
        found = tuple(dict.fromkeys(each for each in takers if each is not None))
        return found if len(found) <= _TAKERS else ()

    def _named(self, name: str) -> Iterator[tuple[FileTable, Topic]]:
        """The topics by which calls are given a name; none where there are many."""
        paths = sorted(self._program.source.files_mentioning(name))
        for table in self._mentions.tables(paths if len(paths) <= _FILES else ()):
            topics = chain.from_iterable(table.topics.values())
            yield from ((table, topic) for topic in topics if topic.name == name)

    def _taker(self, table: FileTable, topic: Topic) -> _Taker | None:
        """The function that a call is passed right after a name: one that is written there, or that
        is meant for certain."""
        if topic.scope != TOP:
            around = table.definitions[topic.scope]
            head, found, tail = around.name.partition(topic.name)
            is_its_own = found and head[-1:] in _MARKS and tail[:1] in _MARKS
            if around.kind == CALLBACK and around.line == topic.line and is_its_own:
                called = last_part(head.partition("(")[0])
                return _Taker(table.id(topic.scope), called)
        behind = self._behind(table, topic)
        if behind is None:
            return None
        functions = self._functions_at(table, behind.name, behind.line, behind.column)
        function = next(functions, None)
        return _Taker(function, _called(table, topic)) if function else None

    @staticmethod
    def _behind(table: FileTable, topic: Topic) -> Reference | None:
        """The argument right after a name, if it is a name itself, even with a cast."""
        references, place = table.facts.references, (topic.line, topic.column)
        at = references.up_to(topic.scope, place)
        following = (references[row] for row in references.in_scope(topic.scope)[at : at + 2])
        behind = next((each for each in following if each.kind != "type"), None)
        if behind is None or behind.kind != "argument" or behind.line > topic.line + 1:
            return None
        return behind


def _called(table: FileTable, topic: Topic) -> str:
    """The name of what is called with a name."""
    call = last_reference_before(table, topic.scope, (topic.line, topic.column), CALLS)
    return call.name if call else ""
