"""Names that are written for the values of members, in objects that are written out with them.

``{.draw = draw_frame}`` and ``{"seek", cmd_seek}`` say what is called where the member is. Locals
are left out, since nobody else can call by way of them what they hold.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from explorer_core.index.extraction.facts import Placement
from explorer_core.index.extraction.references import head_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from tree_sitter import Node

    from explorer_core.index.extraction.definitions import Definitions
    from explorer_core.index.extraction.source import Source

_NAMES = re.compile(r"[{,:=]\s*&?[^\W\d][\w.]*\s*[,}]")
"""A name that is all that is written for a value, in a list."""
_NAME = re.compile(r"&?((?:[^\W\d]\w*\.)*)([^\W\d]\w*)")
_MOST = 24
"""Members that are told by their places."""
_LONGEST = 80
"""Bytes of a name with all before it, and characters of a type."""


class Placements:
    """Gathers the lists in which members have values."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._found: dict[int, tuple[int, str, str]] = {}
        """Where names end, by where they begin, with the types and their members."""

    def note(self, listed: Node, owner: Node, named: list[Node]) -> None:
        """Note what stands in a list of the members of a type, or in each of a list of such, where
        what has that for its value is written as one of several (``x[]``)."""
        if not _NAMES.search(self._source.flat, listed.start_byte, listed.end_byte):
            return
        written = self._source.one_line(owner.start_byte, owner.end_byte, _LONGEST)
        is_several = any(self._source.flat[each.end_byte - 1] == "]" for each in named)
        inner = (value for _, value in self._values(listed, len(listed.named_children)))
        lists = (each for each in inner if each.type == listed.type) if is_several else (listed,)
        for each in lists:
            for member, value in self._values(each, _MOST):
                if value.end_byte - value.start_byte < _LONGEST:
                    self._found[value.start_byte] = (value.end_byte, written, member)

    def _values(self, listed: Node, most: int) -> Iterator[tuple[str, Node]]:
        """The members that have values in a list, each with that; by their places only before the
        first that has its name there."""
        in_order = True
        children = (each for each in listed.named_children if not each.is_extra)
        for place, child in enumerate(children):
            key = child.child_by_field_name("key") or child.child_by_field_name("designator")
            value = child.child_by_field_name("value") if key else child
            in_order = in_order and key is None and place < most
            if key and value:
                yield self._source.piece(key.start_byte, key.end_byte).lstrip("."), value
            elif in_order and value:
                yield str(place), value

    def settle(self, definitions: Definitions, references: Container[int]) -> tuple[Placement, ...]:
        """What was gathered, in the order of the text; of words those that are ``references``, told
        by where these end."""
        source, found = self._source, list[Placement]()
        for start, (end, written, member) in sorted(self._found.items()):
            name = _NAME.fullmatch(source.flat, start, end) if end in references else None
            frame = definitions.frames.at(start)
            if name is None or head_of(name[1] or name[2]) in frame.visible:
                continue
            at = end - len(name[2].encode())
            line = source.line(at)
            place = source.column(at, line)
            found.append(Placement(name[2], line, place, frame.ordinal, written, member))
        return tuple(found)
