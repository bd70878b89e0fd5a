"""Finds names that are written as the values of members, in objects that are written out or by
assignment.

``{.draw = draw_frame}``, ``{"seek", cmd_seek}`` and ``vo->draw = draw_frame`` say what a call of
the member runs. Locals are left out, since nobody else can call what they hold through them.
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

_NAME_ENTRY = re.compile(r"[{,:=]\s*&?[^\W\d][\w.]*\s*[,}]")
"""A list with an entry that is nothing but a name."""
_NAME = re.compile(r"&?((?:[^\W\d]\w*\.)*)([^\W\d]\w*)")
_LAST_WORD = re.compile(r"[^\W\d]\w*\Z")
_MAX_POSITIONAL = 24
"""How many members are identified by their index."""
_LONGEST = 80
"""How many bytes of a qualified name, and characters of a type, are kept."""


class Placements:
    """Gathers the lists in which members have values."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._initializers: dict[int, tuple[int, str, str]] = {}
        """By the start of a name: its end, the type and the member."""
        self._assignments: dict[int, tuple[int, int]] = {}
        """By the start of a name: its end, and the end of the member that it is assigned to."""

    def note(self, entries: Node, owner: Node, declarators: list[Node]) -> None:
        """Notes the entries of a list of a type's members. If its variable is declared as an array
        (``x[]``), notes those of each list in it."""
        if not _NAME_ENTRY.search(self._source.flat, entries.start_byte, entries.end_byte):
            return
        type_text = self._source.one_line(owner.start_byte, owner.end_byte, _LONGEST)
        is_array = any(self._source.flat[node.end_byte - 1] == "]" for node in declarators)
        inner = (value for _, value in self._member_values(entries, len(entries.named_children)))
        lists = (node for node in inner if node.type == entries.type) if is_array else (entries,)
        for node in lists:
            for member, value in self._member_values(node, _MAX_POSITIONAL):
                if value.end_byte - value.start_byte < _LONGEST:
                    self._initializers[value.start_byte] = (value.end_byte, type_text, member)

    def note_assignment(self, member: Node, value: Node) -> None:
        """Notes what is assigned to a member of an object."""
        if value.end_byte - value.start_byte < _LONGEST:
            self._assignments[value.start_byte] = value.end_byte, member.end_byte

    def _member_values(self, entries: Node, max_positional: int) -> Iterator[tuple[str, Node]]:
        """Yields the members that have values in a list, each with its value. Members go by their
        index only before the first one that is named."""
        in_order = True
        children = (node for node in entries.named_children if not node.is_extra)
        for index, child in enumerate(children):
            key = child.child_by_field_name("key") or child.child_by_field_name("designator")
            value = child.child_by_field_name("value") if key else child
            in_order = in_order and key is None and index < max_positional
            if key and value:
                yield self._source.text(key).lstrip("."), value
            elif in_order and value:
                yield str(index), value

    def settle(self, definitions: Definitions, references: Container[int]) -> tuple[Placement, ...]:
        """Returns the placements in text order. Only names that are ``references`` count, given by
        their ends."""
        source, placements = self._source, list[Placement]()
        for start, (end, type_text, member) in sorted(self._initializers.items()):
            if named_value := self._named_value(definitions, references, start, end):
                placements.append(Placement(*named_value, type_text, member))
        for start, (end, member_end) in sorted(self._assignments.items()):
            named_value = self._named_value(definitions, references, start, end)
            member = _LAST_WORD.search(
                source.flat, member_end - _LONGEST if member_end > _LONGEST else 0, member_end
            )
            if (
                named_value
                and member
                and member_end in references
                and source.line(member_end) == named_value[1]
            ):
                column = source.column(member_end - len(member[0].encode()), named_value[1])
                placements.append(Placement(*named_value, "", member[0], column))
        return tuple(placements)

    def _named_value(
        self, definitions: Definitions, references: Container[int], start: int, end: int
    ) -> tuple[str, int, int, int] | None:
        """Returns the name that a value consists of, with its place and scope. None for other
        values and for locals."""
        name = _NAME.fullmatch(self._source.flat, start, end) if end in references else None
        frame = definitions.frames.at(start)
        if name is None or (not name[1] and head_of(name[2]) in frame.visible):
            return None
        name_start = end - len(name[2].encode())
        return (name[2], *self._source.place(name_start), frame.ordinal)
