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
        paths = self._mentions.paths([stem(table.path)], table.path) if emitted else ()
        for other in self._files_with_listeners(paths):
            for listener in other.facts.listeners:
                events = [emission for emission in emitted if emission.name == listener.name]
                if events and table.path in self._component_paths(other, listener):
                    for function in self._functions_run(other, listener):
                        yield from (
                            feed_edge(symbol_id, function, emission.line) for emission in events
                        )

    def edges_to(self, symbol_id: SymbolId) -> Iterator[Edge]:
        """The edges to a definition from what emits the events on which it is run."""
        if not self._program.is_function(symbol_id):
            return
        for table in self._files_with_listeners(self._mentions.paths_of(symbol_id)):
            for listener in table.facts.listeners:
                if symbol_id in self._functions_run(table, listener):
                    paths = self._component_paths(table, listener)
                    for other in self._mentions.tables(paths):
                        for emission in other.facts.emissions:
                            if emission.name == listener.name and emission.scope != TOP:
                                yield feed_edge(other.id(emission.scope), symbol_id, emission.line)

    def _files_with_listeners(self, paths: Iterable[str]) -> Iterator[FileTable]:
        """The tables of those files whose markup may listen to events."""
        return self._mentions.tables(path for path in paths if path.endswith(_suffixes()))

    def _component_paths(self, table: FileTable, listener: Listener) -> list[str]:
        """The files of a component by its name in markup."""
        paths: list[str] = []
        for value in self._model.scopes.lookup(table, TOP, listener.component):
            if isinstance(value, Defined):
                paths.append(value.id.path)
            elif isinstance(value, Module):
                paths += value.files
        return [path for path in dict.fromkeys(paths) if stem(path) == listener.component]

    def _functions_run(self, table: FileTable, listener: Listener) -> list[SymbolId]:
        """The functions that a listener certainly names."""
        functions: dict[SymbolId, None] = {}
        references = table.facts.references
        for index in references.in_scope(listener.scope):
            reference = references[index]
            if listener.start <= (reference.line, reference.column) < listener.end:
                functions.update(dict.fromkeys(self._functions(table, index)))
        return list(functions)


@functools.cache
def _suffixes() -> tuple[str, ...]:
    specs = map(languages.spec, languages.names())
    return tuple(suffix for spec in specs if spec.listener for suffix in spec.suffixes)
