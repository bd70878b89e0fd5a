"""Names that are written for the values of members, in objects that are written out with them or
by assignment.

``{.draw = draw_frame}``, ``{"seek", cmd_seek}`` and ``vo->draw = draw_frame`` say what is called
where the member is. Locals are left out, since nobody else can call by way of them what they hold.
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
_LAST = re.compile(r"[^\W\d]\w*\Z")
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
        self._assigned: dict[int, tuple[int, int]] = {}
        """Where names end, by where they begin, and the members that they are assigned to."""

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

    def assign(self, member: Node, value: Node) -> None:
        """Note what is assigned to a member of an object."""
        if value.end_byte - value.start_byte < _LONGEST:
            self._assigned[value.start_byte] = value.end_byte, member.end_byte

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
                yield self._source.text(key).lstrip("."), value
            elif in_order and value:
                yield str(place), value

    def settle(self, definitions: Definitions, references: Container[int]) -> tuple[Placement, ...]:
        """What was gathered, in the order of the text; of words those that are ``references``, told
        by where these end."""
        source, found = self._source, list[Placement]()
        for start, (end, written, member) in sorted(self._found.items()):
            if named := self._named(definitions, references, start, end):
                found.append(Placement(*named, written, member))
        for start, (end, at) in sorted(self._assigned.items()):
            named = self._named(definitions, references, start, end)
            member = _LAST.search(source.flat, at - _LONGEST if at > _LONGEST else 0, at)
            if named and member and at in references and source.line(at) == named[1]:
                column = source.column(at - len(member[0].encode()), named[1])
                found.append(Placement(*named, "", member[0], column))
        return tuple(found)

    def _named(
        self, definitions: Definitions, references: Container[int], start: int, end: int
    ) -> tuple[str, int, int, int] | None:
        """The name that a value is, with its place and scope; None where it is none, or a local."""
        name = _NAME.fullmatch(self._source.flat, start, end) if end in references else None
        frame = definitions.frames.at(start)
        if name is None or (not name[1] and head_of(name[2]) in frame.visible):
            return None
        at = end - len(name[2].encode())
        return (name[2], *self._source.place(at), frame.ordinal)
