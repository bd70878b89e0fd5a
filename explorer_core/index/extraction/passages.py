"""Finds where something is sent into a channel or received from it, and where channels are passed
on.

``jobs <- job`` sends, ``job := <-jobs`` receives, and ``work(jobs)`` passes the channel on.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from explorer_core.index.extraction.expressions import LONG
from explorer_core.index.extraction.facts import Passage, Passing, TypeBinding
from explorer_core.index.extraction.references import head_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from tree_sitter import Node

    from explorer_core.index.extraction.definitions import Definitions
    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.specification import LanguageSpec

_LAST = re.compile(r"\w+$")


class Passages:
    """Gathers the uses of channels in one file."""

    def __init__(self, source: Source, spec: LanguageSpec) -> None:
        self._source = source
        self._spec = spec
        self._ends: list[tuple[int, int, bool]] = []
        """The spans of channels, and whether something is sent there."""
        self._given: list[Node] = []
        """Variables that are arguments, and may hold channels."""

    def note(self, how: str, node: Node) -> None:
        """Notes a channel that something is sent ``in`` or received ``out`` of, or a variable that
        may hold one and is passed ``on``."""
        if how == "on":
            self._given.append(node)
        else:
            self._ends.append((node.start_byte, node.end_byte, how == "in"))

    def passages(self, definitions: Definitions) -> tuple[Passage, ...]:
        """Returns the places where something is sent or received."""
        found: list[Passage] = []
        frames, source = definitions.frames, self._source
        for start, end, sends in sorted(self._ends):
            channel, frame = source.one_line(start, end, LONG), frames.at(start)
            local = head_of(channel) in frame.visible
            found.append(Passage(channel, frame.ordinal, source.line(start), sends, local))
        return tuple(found)

    def passings(
        self,
        definitions: Definitions,
        types: Iterable[TypeBinding],
        references: Container[int],
    ) -> tuple[Passing, ...]:
        """Returns the arguments that are channels according to ``types``."""
        words = self._spec.collection_words
        channels = {
            (each.scope, each.name)
            for each in types
            if each.source == "annotation" and each.type.partition("[*]")[0] in words
        }
        return tuple(self._passings(definitions, channels, references)) if channels else ()

    def _passings(
        self,
        definitions: Definitions,
        channels: Container[tuple[int, str]],
        references: Container[int],
    ) -> Iterator[Passing]:
        for node in self._given:
            scope, name = definitions.frames.at(node.start_byte).ordinal, self._source.text(node)
            if (scope, name) not in channels or (listed := node.parent) is None:
                continue
            end = listed.start_byte
            called = _LAST.search(self._source.flat[max(end - LONG, 0) : end])
            if called and end in references:
                at = self._source.place(end - len(called[0]))
                yield Passing(name, scope, at, listed.named_children.index(node))
