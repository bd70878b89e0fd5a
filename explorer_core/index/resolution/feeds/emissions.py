"""Edges from what emits an event of a component to what is done on it in the markup of its users.

``emit("saved")`` in the file of `Editor` runs what ``<Editor @saved="reload" />`` says. The
component must be named like its file, as components are.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

from explorer_core.index import languages
from explorer_core.index.extraction.facts import TOP, Listener
from explorer_core.index.resolution.feeds.feed import Feed, feed_edge
from explorer_core.index.resolution.finders.modules import Module
from explorer_core.index.resolution.finders.paths import stem
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import Defined
from explorer_core.index.symbols import Edge, SymbolId


class Emissions(Feed):
    """Finds what components emit, and what is done on it."""

    def edges_from(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges from a definition to what is done on the events that it emits."""
        table = self._program.table_of(symbol_id)
        emitted = [e for e in table.facts.emissions if e.scope == symbol_id.ordinal != TOP]
        users = self._mentions.paths([stem(table.path)], table.path) if emitted else ()
        for other in self._listening(users):
            for listener in other.facts.listeners:
                events = [each for each in emitted if each.name == listener.name]
                if events and table.path in self._component(other, listener):
                    for done in self._done(other, listener):
                        yield from (feed_edge(symbol_id, done, each.line) for each in events)

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a definition from what emits the events on which it is run."""
        if not self._program.is_function(symbol_id):
            return
        for table in self._listening(self._mentions.paths_of(symbol_id)):
            for listener in table.facts.listeners:
                if symbol_id in self._done(table, listener):
                    paths = self._component(table, listener)
                    for other in self._mentions.tables(paths):
                        for each in other.facts.emissions:
                            if each.name == listener.name and each.scope != TOP:
                                yield feed_edge(other.id(each.scope), symbol_id, each.line)

    def _listening(self, paths: Iterable[str]) -> Iterator[FileTable]:
        """The tables of those files whose markup may listen to events."""
        return self._mentions.tables(path for path in paths if path.endswith(_suffixes()))

    def _component(self, table: FileTable, listener: Listener) -> list[str]:
        """The files of a component by its name in markup."""
        found: list[str] = []
        for value in self._model.scopes.lookup(table, TOP, listener.component):
            if isinstance(value, Defined):
                found.append(value.id.path)
            elif isinstance(value, Module):
                found += value.files
        return [path for path in dict.fromkeys(found) if stem(path) == listener.component]

    def _done(self, table: FileTable, listener: Listener) -> list[SymbolId]:
        """The functions that a listener certainly names."""
        found: dict[SymbolId, None] = {}
        references = table.facts.references
        for index in references.in_scope(listener.scope):
            used = references[index]
            if listener.start <= (used.line, used.column) < listener.end:
                found.update(dict.fromkeys(self._functions(table, index)))
        return list(found)


@functools.cache
def _suffixes() -> tuple[str, ...]:
    specs = map(languages.spec, languages.names())
    return tuple(suffix for spec in specs if spec.listener for suffix in spec.suffixes)
