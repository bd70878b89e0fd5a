"""The text of one file that was really seen, as contiguous runs of lines."""

from __future__ import annotations

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
        self._runs: list[tuple[int, list[str]]] | None = None

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
            self._runs = None

    def covers(self, start: int, end: int) -> bool:
        """Whether every one of these lines was seen."""
        return all(number in self._lines for number in range(start, end + 1))

    def within(self, start: int, end: int) -> tuple[Segment, ...]:
        """The contiguous pieces seen between two lines, both included."""
        if self._runs is None:
            self._runs = self._contiguous_runs()
        pieces: list[Segment] = []
        for first, lines in self._runs:
            low, high = max(first, start), min(first + len(lines) - 1, end)
            if low <= high:
                piece = tuple(lines[low - first : high - first + 1])
                pieces.append(Segment.model_construct(path=self.path, start=low, lines=piece))
        return tuple(pieces)

    def head(self) -> str:
        """The text from line 1 on, as far as it was seen without a gap."""
        runs = self.within(1, 1 << 62) if 1 in self._lines else ()
        return runs[0].text if runs else ""

    def lines_with(self, text: str) -> Iterator[str]:
        """The seen lines that hold ``text``."""
        return (line for line in self._lines.values() if text in line)

    def _contiguous_runs(self) -> list[tuple[int, list[str]]]:
        runs: list[tuple[int, list[str]]] = []
        for number in sorted(self._lines):
            if not runs or number != runs[-1][0] + len(runs[-1][1]):
                runs.append((number, []))
            runs[-1][1].append(self._lines[number])
        return runs
