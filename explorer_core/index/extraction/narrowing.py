"""Type narrowing: a test says that a variable has a type in a part of the text.

``if isinstance(pet, Dog):`` says that ``pet`` is a ``Dog`` in the block that follows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from explorer_core.index.extraction.facts import TypeBinding

if TYPE_CHECKING:
    from tree_sitter import Node

    from explorer_core.index.extraction.definitions import Definitions
    from explorer_core.index.extraction.facts import TypeSource
    from explorer_core.index.extraction.source import Source


class NarrowedLines(msgspec.Struct, frozen=True, gc=False):
    """The lines of the part of the text in which a test of a type holds, and the part's start."""

    first: int
    last: int
    part_start: int


class Narrowing:
    """The tests of variables' types in one file."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.lines: dict[tuple[int, str], NarrowedLines] = {}
        """Where a tested type of a variable holds, by the test's offset and the variable's name.
        The last one wins."""

    def note(self, test: Node, name: str, part: Node, captures: dict[str, list[Node]]) -> None:
        """Notes that a test of a variable holds in ``part``: from there on, or after
        ``@behind``."""
        line = self._source.line
        statement = captures.get("behind")
        first = line(statement[0].end_byte - 1) + 1 if statement else line(test.start_byte)
        last = line(max(part.start_byte, part.end_byte - 1))
        self.lines[test.start_byte, name] = NarrowedLines(first, last, part.start_byte)

    def binding(
        self, offset: int, name: str, text: str, source: TypeSource, definitions: Definitions
    ) -> TypeBinding | None:
        """Returns the binding that the test at an offset makes, for the lines on which it holds.
        None if there are none, or if an inner variable of the same name hides it there."""
        lines, frames = self.lines[offset, name], definitions.frames
        frame, part_frame = frames.at(offset), frames.at(lines.part_start)
        owner = frame.owning_frame(name) if definitions.locals else frame.beyond_blocks()
        is_hidden = part_frame.start > offset and name in part_frame.own_variables
        if owner is None or lines.first > lines.last or is_hidden:
            return None
        return TypeBinding(name, text, owner.ordinal, lines.first, source, until=lines.last)


def narrowed_part(captures: dict[str, list[Node]]) -> Node | None:
    """Returns the part of the text in which a tested type holds: ``@within``, or what is around the
    statement ``@behind``. A query that captured the latter itself would have to try every block."""
    if nodes := captures.get("within"):
        return nodes[0]
    statement = captures.get("behind")
    return statement[0].parent if statement else None
