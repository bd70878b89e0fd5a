"""Values that do not see the variable they are for: ``let layout = layout(name)`` calls the
function, where a variable is there only behind its declaration, and no other has its name."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from explorer_core.index.extraction.frames import Frame
    from explorer_core.index.extraction.source import Source

_WORD = re.compile(r"[^\W\d]\w*")
_LONGEST = 200
"""Characters of what is declared that are looked at."""


class InitialValues:
    """Gathers those of one file, by the names of their variables."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._values: dict[str, list[tuple[int, int, int]]] = {}
        """By name where a value begins and ends, and where what is declared with it begins."""
        self._declared: dict[str, list[tuple[int, Frame]]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def note(self, declared: Node, value: Node) -> None:
        """Note a value by the names in what is declared with it."""
        start, end = declared.start_byte, declared.end_byte
        if end - start < _LONGEST:
            for word in _WORD.findall(self._source.piece(start, end)):
                self._values.setdefault(word, []).append((value.start_byte, value.end_byte, start))

    def declare(self, name: str, start: int, frame: Frame) -> None:
        """Note where a variable of such a name is declared, and what it is visible in."""
        self._declared.setdefault(name, []).append((start, frame))

    def settle(self) -> None:
        """Once all is noted, put it in order."""
        for values in self._values.values():
            values.sort()

    def hides(self, name: str, start: int, frame: Frame) -> bool:
        """Whether a name at an offset in a frame is not that of the variable, since it stands in
        the value for it and no other of that name is declared before."""
        values = self._values.get(name, ())
        at = bisect_right(values, start, key=lambda each: each[0]) - 1
        if at < 0 or start >= values[at][1]:
            return False
        before = values[at][2]
        others = (one for place, one in self._declared.get(name, ()) if place < before)
        return not any(_is_in(frame, each) for each in others)


def _is_in(frame: Frame | None, other: Frame) -> bool:
    while frame is not None and frame is not other:
        frame = frame.parent
    return frame is not None
