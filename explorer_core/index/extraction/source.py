"""A file's text as the parser sees it: byte offsets, lines and columns."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from explorer_core.index.extraction.patterns import compiled

if TYPE_CHECKING:
    from tree_sitter import Node

_LINE_BYTES = 400
"""How many bytes of a line are read; more than a comment or marking needs."""


class Source:
    """Text addressed by byte offset.

    ``flat`` has one character for each byte, so that byte offsets index it and regular expressions
    run over it. `piece` returns the real text, without marks that only escape a name (``r#type``).
    ``starts[i]`` is where line ``i + 1`` begins.
    """

    __slots__ = ("_mark", "flat", "raw", "starts")

    def __init__(self, text: str, mark: str = "") -> None:
        """``mark`` is a regex for the mark that escapes a name."""
        self.raw = text.encode("utf-8", "replace")
        self.flat = self.raw.decode("latin-1")
        self.starts = list(accumulate([len(line) + 1 for line in self.raw.split(b"\n")], initial=0))
        self.starts.pop()
        is_marked = bool(mark) and compiled(mark).search(self.flat) is not None
        self._mark = mark if is_marked else ""

    @property
    def has_marks(self) -> bool:
        """Whether some name in the text is escaped by the mark."""
        return bool(self._mark)

    def unmarked(self, text: str) -> str:
        """Removes the marks that escape names."""
        return compiled(self._mark).sub("", text) if self._mark else text

    def piece(self, start: int, end: int) -> str:
        """Returns the text of bytes ``start`` to ``end``."""
        flat = self.flat[start:end]
        text = flat if flat.isascii() else self.raw[start:end].decode("utf-8", "replace")
        return self.unmarked(text) if self._mark else text

    def one_line(self, start: int, end: int, limit: int) -> str:
        """Returns the text with every run of white space as one space, at most ``limit``
        characters."""
        text = self.flat[start : min(end, start + limit * 8)]
        if text.isascii():
            if text.isidentifier():
                return text[:limit]
            text = self.unmarked(text)
        else:
            text = self.piece(start, start + len(text))
        if "\n" in text or "  " in text or "\t" in text:
            text = " ".join(text.split())
        return text.strip()[:limit].rstrip()

    def text(self, node: Node) -> str:
        """Returns the text of a node of the syntax tree."""
        return self.piece(node.start_byte, node.end_byte)

    def line(self, offset: int) -> int:
        """Returns the 1-based line of a byte offset."""
        return bisect_right(self.starts, offset)

    def column(self, offset: int, line: int) -> int:
        """Returns the 0-based column of a byte offset on ``line``, in code points."""
        start = self.starts[line - 1]
        before = self.flat[start:offset]
        if before.isascii():
            return offset - start
        return len(self.raw[start:offset].decode("utf-8", "replace"))

    def place(self, offset: int) -> tuple[int, int]:
        """Returns the line and column of a byte offset."""
        line = self.line(offset)
        return line, self.column(offset, line)

    def line_text(self, line: int) -> str:
        """Returns the text of a 1-based line without its end; of a long line, only the
        beginning."""
        start = self.starts[line - 1]
        end = self.starts[line] - 1 if line < len(self.starts) else len(self.raw)
        return self.piece(start, min(end, start + _LINE_BYTES))

    @property
    def line_count(self) -> int:
        """The number of lines. A line end at the end of the text begins no further line."""
        return len(self.starts) - (self.raw.endswith(b"\n") or not self.raw)


class PlacesInOrder:
    """`Source.place` for offsets nearly in text order, without a search."""

    __slots__ = ("_end", "_ends", "_is_plain", "_line", "_source", "_start")

    def __init__(self, source: Source) -> None:
        self._source = source
        self._ends = iter([*source.starts[1:], len(source.raw) + 1])
        self._line = self._start = self._end = 0
        self._is_plain = True

    def at(self, offset: int) -> tuple[int, int]:
        """Returns the line and column of a byte offset."""
        if offset >= self._end:
            self._go_to(offset)
        if self._is_plain and offset >= self._start:
            return self._line, offset - self._start
        return self._source.place(offset)

    def _go_to(self, offset: int) -> None:
        while offset >= self._end:
            self._line, self._start, self._end = self._line + 1, self._end, next(self._ends)
        self._is_plain = self._source.flat[self._start : self._end].isascii()


def span(node: Node) -> tuple[int, int]:
    """Returns the start and end of a node."""
    return node.start_byte, node.end_byte
