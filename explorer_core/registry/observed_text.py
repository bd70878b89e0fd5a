"""The text of one file that was actually seen, as contiguous runs of lines."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain

from explorer_core.contracts import Segment


class ObservedText:
    """Lines seen so far, by number. Runs join only where no line is missing between them.

    A segment that contradicts lines seen before proves that the file changed in between. Two
    versions are never mixed: the older lines are forgotten.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.revision = 0
        self._starts: list[int] = []
        self._runs: list[tuple[str, ...]] = []
        """Parallel to ``_starts``, in order; at least one unseen line between any two runs."""

    def add(self, start: int, lines: Sequence[str]) -> None:
        """Record ``lines``, the first of which is line ``start``."""
        seen = tuple(lines)
        if not seen:
            return
        begin, end = self._touched(start, start + len(seen))
        runs = self._runs[begin:end]
        if any(
            self._contradicts(at, run, start, seen)
            for at, run in zip(self._starts[begin:end], runs, strict=True)
        ):
            self._starts, self._runs = [start], [seen]
            self.revision += 1
            return
        joined = seen
        if runs:
            first, last = self._starts[begin], self._starts[end - 1]
            joined = runs[0][: max(0, start - first)] + seen + runs[-1][start + len(seen) - last :]
            start = min(start, first)
        if len(runs) != 1 or len(joined) != len(runs[0]):
            self._starts[begin:end], self._runs[begin:end] = [start], [joined]
            self.revision += 1

    def covers(self, start: int, end: int) -> bool:
        """Whether every one of these lines was seen."""
        at = bisect_right(self._starts, start) - 1
        return end < start or (at >= 0 and end < self._starts[at] + len(self._runs[at]))

    def within(self, start: int, end: int) -> tuple[Segment, ...]:
        """The contiguous segments seen between two lines, both inclusive."""
        pieces: list[Segment] = []
        position = max(0, bisect_right(self._starts, start) - 1)
        while position < len(self._starts) and (first := self._starts[position]) <= end:
            piece = self._runs[position][max(0, start - first) : end - first + 1]
            if piece:
                pieces.append(
                    Segment.of_valid(path=self.path, start=max(first, start), lines=piece)
                )
            position += 1
        return tuple(pieces)

    def head(self) -> str:
        """The text from line 1 on, as far as it was seen without a gap."""
        return "\n".join(self._runs[0]) if self._starts[:1] == [1] else ""

    def lines_with(self, text: str) -> Iterator[str]:
        """The seen lines that contain ``text``."""
        return (line for line in chain.from_iterable(self._runs) if text in line)

    def _touched(self, start: int, end: int) -> tuple[int, int]:
        """The slice of runs that overlap or adjoin the lines from ``start`` to before ``end``."""
        begin = bisect_left(self._starts, start)
        if begin and self._starts[begin - 1] + len(self._runs[begin - 1]) >= start:
            begin -= 1
        return begin, bisect_right(self._starts, end)

    @staticmethod
    def _contradicts(at: int, run: tuple[str, ...], start: int, seen: tuple[str, ...]) -> bool:
        """Whether two runs, which begin at ``at`` and ``start``, differ where they overlap."""
        low, high = max(at, start), min(at + len(run), start + len(seen))
        return run[low - at : max(low, high) - at] != seen[low - start : max(low, high) - start]
