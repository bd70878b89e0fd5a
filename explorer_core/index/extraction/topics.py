"""Collects strings passed to calls that may say what a call is about: the name of an event, a
message or a task, like ``bus.on("cart:changed", f)``. Strings of one word are too common to count.
Of those with spaces only two or three plain words count; the others are prose."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from explorer_core.index.extraction.facts import Topic

if TYPE_CHECKING:
    from tree_sitter import Node

    from explorer_core.index.extraction.definitions import Definitions
    from explorer_core.index.extraction.source import Source

_NAME = re.compile(r"[A-Za-z][\w.:/-]*|[a-z][a-z0-9_]*(?: [a-z0-9_]+){1,2}")
_NEXT_WORD = re.compile(r"[A-Za-z0-9][ ._:/-]+[A-Za-z0-9]|[a-z][A-Z]")
"""Where a word of a name ends and another begins."""
_MAX_LENGTH = 60


class Topics:
    """Gathers the topics of one file."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._topics: dict[int, str] = {}

    def note(self, node: Node) -> None:
        """Notes a string that is passed to a call, without its quotation marks."""
        start, end = node.start_byte, node.end_byte
        if end - start <= _MAX_LENGTH:
            text = self._source.piece(start, end)
            if _NAME.fullmatch(text) and _NEXT_WORD.search(text):
                self._topics[start] = text

    def settle(self, definitions: Definitions) -> tuple[Topic, ...]:
        """Returns the topics in text order."""
        topics: list[Topic] = []
        for start, name in sorted(self._topics.items()):
            scope = definitions.frames.at(start).ordinal
            topics.append(Topic(name, scope, *self._source.place(start)))
        return tuple(topics)
