"""The text of one file that was really seen, as contiguous runs of lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from explorer_core.contracts import Segment


class ObservedText:
    """Lines seen so far, by number. Runs join only where no line is missing between them.

    A segment that contradicts lines seen before proves that the file changed in between. Text of
    two versions is never mixed: the older lines are forgotten.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.revision = 0
        self._lines: dict[int, str] = {}
        self._starts: list[int] = []
        self._runs: list[list[str]] = []
        self._dirty = False

    def add(self, start: int, lines: Sequence[str]) -> None:
        """See ``lines``, the first of which is line ``start``."""
        seen = dict(enumerate(lines, start))
        known = self._lines
        before = len(known)
        if any(known.get(number, line) != line for number, line in seen.items()):
            known.clear()
            before = -1
        known.update(seen)
        if len(known) != before:
            self.revision += 1
            self._dirty = True

    def covers(self, start: int, end: int) -> bool:
        """Whether every one of these lines was seen."""
        return all(number in self._lines for number in range(start, end + 1))

    def within(self, start: int, end: int) -> tuple[Segment, ...]:
        """The contiguous pieces seen between two lines, both included."""
        if self._dirty:
            self._join_lines()
        pieces: list[Segment] = []
        position = max(0, bisect_right(self._starts, start) - 1)
        while position < len(self._starts) and (first := self._starts[position]) <= end:
            lines = self._runs[position]
            piece = lines[max(0, start - first) : end - first + 1]
            if piece:
                pieces.append(Segment(path=self.path, start=max(first, start), lines=tuple(piece)))
            position += 1
        return tuple(pieces)

    def head(self) -> str:
        """The text from line 1 on, as far as it was seen without a gap."""
        runs = self.within(1, 1 << 62) if 1 in self._lines else ()
        return runs[0].text if runs else ""

    def lines_with(self, text: str) -> Iterator[str]:
        """The seen lines that hold ``text``."""
        return (line for line in self._lines.values() if text in line)

    def _join_lines(self) -> None:
        """Rebuild the contiguous runs, by their first lines."""
        self._starts, self._runs = [], []
        following = -1
        for number in sorted(self._lines):
            if number != following:
                self._starts.append(number)
                self._runs.append([])
            self._runs[-1].append(self._lines[number])
            following = number + 1
        self._dirty = False
