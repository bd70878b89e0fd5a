"""Collects events of components: where a component emits one, and what the markup that uses the
component does on it.

A name may be written with dashes in markup (``item-added``) and with capitals in code
(``itemAdded``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from explorer_core.index.extraction.facts import Emission, Listener
from explorer_core.index.extraction.patterns import compiled

if TYPE_CHECKING:
    from tree_sitter import Node

    from explorer_core.index.extraction.definitions import Definitions
    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.specification import LanguageSpec

_DASH = re.compile(r"-(\w)")


class Emissions:
    """Gathers events, if the language of the file has components."""

    def __init__(self, source: Source, spec: LanguageSpec) -> None:
        self._source = source
        self._listens = compiled(spec.listener) if spec.listener else None
        self._emitted: dict[int, str] = {}
        """The names of events, by where they are written."""
        self._listening: list[tuple[str, str, int, int]] = []
        """Components, their events, and the spans of the handlers."""

    def emit(self, name: Node) -> None:
        """Notes the string that names an event."""
        if self._listens:
            self._emitted[name.start_byte] = _capitalised(self._source.text(name))

    def listen(self, component: Node, attribute: Node, done: Node) -> None:
        """Notes the handler in a component's attribute, if the attribute is for an event."""
        source = self._source
        written = source.piece(attribute.start_byte, done.start_byte)
        found = self._listens.match(written) if self._listens else None
        if found:
            name = source.text(component)
            called = _capitalised(name[:1].upper() + name[1:])
            event = _capitalised(found[1])
            self._listening.append((called, event, done.start_byte, done.end_byte))

    def emissions(self, definitions: Definitions) -> tuple[Emission, ...]:
        """Returns the places where events are emitted, in text order."""
        at, line = definitions.frames.at, self._source.line
        emitted = sorted(self._emitted.items())
        return tuple(Emission(name, at(start).ordinal, line(start)) for start, name in emitted)

    def listeners(self, definitions: Definitions) -> tuple[Listener, ...]:
        """Returns the handlers of events, in text order."""
        at, place = definitions.frames.at, self._source.place
        return tuple(
            Listener(component, name, at(start).ordinal, place(start), place(end))
            for component, name, start, end in sorted(self._listening, key=lambda each: each[2])
        )


def _capitalised(name: str) -> str:
    return _DASH.sub(lambda dash: dash[1].upper(), name)
