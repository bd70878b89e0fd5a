"""Finds initial values in which the declared variable is not visible yet.

``let layout = layout(name)`` calls the function, in a language where a variable is visible only
after its declaration, and if no other variable has that name.
"""

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
"""How many characters of what is declared are considered."""
_FAR = float("inf")


class InitialValues:
    """Gathers such values in one file, by the names of their variables."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.values: dict[str, list[tuple[int, int, int]]] = {}
        """By a name that occurs in them: the starts and ends of values, and the start of what is
        declared."""
        self._declared: dict[str, list[tuple[int, Frame]]] = {}

    def note(self, declared: Node, value: Node) -> None:
        """Notes a value that contains a name which is declared with it."""
        start, end = declared.start_byte, declared.end_byte
        value_start, value_end = value.start_byte, value.end_byte
        flat = self._source.flat
        text = flat[start : min(end, start + _LONGEST)]
        for word in (text,) if text.isidentifier() else _WORD.findall(text):
            if flat.find(word, value_start, value_end) >= 0:
                self.values.setdefault(word, []).append((value_start, value_end, start))

    def declare(self, name: str, start: int, frame: Frame) -> None:
        """Notes where a variable of such a name is declared, and in which frame it is visible."""
        self._declared.setdefault(name, []).append((start, frame))

    def settle(self) -> None:
        """Sorts the values, once all are noted."""
        for values in self.values.values():
            values.sort()

    def hides(self, name: str, start: int, frame: Frame) -> bool:
        """Whether a name at an offset in a frame is not the variable, since it stands in the
        variable's own initial value, and no other variable of that name is declared before it or in
        it."""
        values = self.values[name]
        index = bisect_right(values, (start, _FAR)) - 1
        if index < 0 or start >= values[index][1]:
            return False
        value_start, value_end, declared_start = values[index]
        declarations = self._declared.get(name, ())
        other_frames = (
            other
            for declared_at, other in declarations
            if declared_at < declared_start or value_start <= declared_at < value_end
        )
        return not any(_is_within(frame, other) for other in other_frames)


def _is_within(frame: Frame | None, other: Frame) -> bool:
    while frame is not None and frame is not other:
        frame = frame.parent
    return frame is not None
