"""Finds where something is sent into a channel or received from it, and where channels are passed
on.

``jobs <- job`` sends, ``job := <-jobs`` receives, and ``work(jobs)`` passes the channel on.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from explorer_core.index.extraction.expressions import LONG
from explorer_core.index.extraction.facts import ChannelArgument, ChannelOperation, TypeBinding
from explorer_core.index.extraction.references import head_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from tree_sitter import Node

    from explorer_core.index.extraction.definitions import Definitions
    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.specification import LanguageSpec

_LAST_WORD = re.compile(r"\w+$")


class Channels:
    """Gathers the uses of channels in one file."""

    def __init__(self, source: Source, spec: LanguageSpec) -> None:
        self._source = source
        self._spec = spec
        self._channel_spans: list[tuple[int, int, bool]] = []
        """The spans of channels, and whether something is sent there."""
        self._argument_variables: list[Node] = []
        """Variables that are arguments, and may hold channels."""

    def note(self, detail: str, node: Node) -> None:
        """Notes a channel that something is sent ``in`` or received ``out`` of, or a variable that
        may hold one and is passed ``on``."""
        if detail == "on":
            self._argument_variables.append(node)
        else:
            self._channel_spans.append((node.start_byte, node.end_byte, detail == "in"))

    def channel_operations(self, definitions: Definitions) -> tuple[ChannelOperation, ...]:
        """Returns the places where something is sent or received."""
        operations: list[ChannelOperation] = []
        frames, source = definitions.frames, self._source
        for start, end, sends in sorted(self._channel_spans):
            channel, frame = source.one_line(start, end, LONG), frames.at(start)
            is_local = head_of(channel) in frame.visible
            operations.append(
                ChannelOperation(channel, frame.ordinal, source.line(start), sends, is_local)
            )
        return tuple(operations)

    def channel_arguments(
        self,
        definitions: Definitions,
        types: Iterable[TypeBinding],
        references: Container[int],
    ) -> tuple[ChannelArgument, ...]:
        """Returns the arguments that are channels according to ``types``."""
        words = self._spec.collection_words
        channels = {
            (binding.scope, binding.name)
            for binding in types
            if binding.source == "annotation" and binding.type.partition("[*]")[0] in words
        }
        return tuple(self._passed_channels(definitions, channels, references)) if channels else ()

    def _passed_channels(
        self,
        definitions: Definitions,
        channels: Container[tuple[int, str]],
        references: Container[int],
    ) -> Iterator[ChannelArgument]:
        for node in self._argument_variables:
            scope, name = definitions.frames.at(node.start_byte).ordinal, self._source.text(node)
            if (scope, name) not in channels or (argument_list := node.parent) is None:
                continue
            end = argument_list.start_byte
            callee = _LAST_WORD.search(self._source.flat[max(end - LONG, 0) : end])
            if callee and end in references:
                callee_place = self._source.place(end - len(callee[0]))
                yield ChannelArgument(
                    name, scope, callee_place, argument_list.named_children.index(node)
                )
