"""Events of components: where these let somebody know of one, and what is done on them by those who
use the components in their markup.

A name is written with dashes in markup as well as with capitals, and means the same.
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
    """Gathers what is said of events, where the language of the file has components."""

    def __init__(self, source: Source, spec: LanguageSpec) -> None:
        self._source = source
        self._listens = compiled(spec.listener) if spec.listener else None
        self._emitted: dict[int, str] = {}
        """The names of events, by where they are written."""
        self._listening: list[tuple[str, str, int, int]] = []
        """Components, their events, and from where to where it is written what is done."""

    def emit(self, name: Node) -> None:
        """Note the text that names an event."""
        if self._listens:
            self._emitted[name.start_byte] = _capitalised(self._source.text(name))

    def listen(self, component: Node, attribute: Node, done: Node) -> None:
        """Note what an attribute of a component has done, if it is one for an event."""
        source = self._source
        written = source.piece(attribute.start_byte, done.start_byte)
        found = self._listens.match(written) if self._listens else None
        if found:
            name = source.text(component)
            called = _capitalised(name[:1].upper() + name[1:])
            event = _capitalised(found[1])
            self._listening.append((called, event, done.start_byte, done.end_byte))

    def emissions(self, definitions: Definitions) -> tuple[Emission, ...]:
        """Where somebody is let know of events, in the order of the text."""
        at, line = definitions.frames.at, self._source.line
        emitted = sorted(self._emitted.items())
        return tuple(Emission(name, at(start).ordinal, line(start)) for start, name in emitted)

    def listeners(self, definitions: Definitions) -> tuple[Listener, ...]:
        """What is done on events, in the order of the text."""
        at, place = definitions.frames.at, self._source.place
        return tuple(
            Listener(component, name, at(start).ordinal, place(start), place(end))
            for component, name, start, end in sorted(self._listening, key=lambda each: each[2])
        )


def _capitalised(name: str) -> str:
    return _DASH.sub(lambda dash: dash[1].upper(), name)
