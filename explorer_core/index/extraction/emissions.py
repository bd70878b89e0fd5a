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
        self._listener_pattern = compiled(spec.listener) if spec.listener else None
        self._emitted: dict[int, str] = {}
        """The names of events, by where they are written."""
        self._listeners: list[tuple[str, str, int, int]] = []
        """Components, their events, and the spans of the handlers."""

    def emit(self, name: Node) -> None:
        """Notes the string that names an event."""
        if self._listener_pattern:
            self._emitted[name.start_byte] = _capitalised(self._source.text(name))

    def listen(self, component: Node, attribute: Node, handler: Node) -> None:
        """Notes the handler in a component's attribute, if the attribute is for an event."""
        source = self._source
        attribute_text = source.piece(attribute.start_byte, handler.start_byte)
        match = self._listener_pattern.match(attribute_text) if self._listener_pattern else None
        if match:
            name = source.text(component)
            component_name = _capitalised(name[:1].upper() + name[1:])
            event = _capitalised(match[1])
            self._listeners.append((component_name, event, handler.start_byte, handler.end_byte))

    def emissions(self, definitions: Definitions) -> tuple[Emission, ...]:
        """Returns the places where events are emitted, in text order."""
        frame_at, line = definitions.frames.at, self._source.line
        emitted = sorted(self._emitted.items())
        return tuple(
            Emission(name, frame_at(start).ordinal, line(start)) for start, name in emitted
        )

    def listeners(self, definitions: Definitions) -> tuple[Listener, ...]:
        """Returns the handlers of events, in text order."""
        frame_at, place = definitions.frames.at, self._source.place
        return tuple(
            Listener(component, name, frame_at(start).ordinal, place(start), place(end))
            for component, name, start, end in sorted(
                self._listeners, key=lambda listener: listener[2]
            )
        )


def _capitalised(name: str) -> str:
    return _DASH.sub(lambda dash: dash[1].upper(), name)
