"""The reports that agents were given, which they may follow up, and whose ranges they may read."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from explorer_core.contracts import LineRange, Report
from explorer_core.workspace.source import present_position, quote_occurs_at

_MAX_REPORTS = 100
MOST_AROUND = 20
"""Lines before and after a listed range that may be read with it."""

Lines = Sequence[str]


def listed_places(report: Report) -> Iterator[tuple[str, LineRange | None]]:
    """Every place that a report names; a file without a range may be read whole."""
    for each in (*report.links, *report.read_targets):
        yield each.path, each.range
    for each in report.primary:
        yield each.path, each.range
    for link in report.links:
        if link.hop is not None and link.hop.site is not None:
            site = link.hop.site
            yield site.path, LineRange(start=site.line, end=site.line)


@dataclass(frozen=True, slots=True)
class LineChange:
    """What happened to lines after the report: they moved by ``moved_by`` lines, and their text
    may have changed."""

    moved_by: int = 0
    is_changed: bool = False


@dataclass(frozen=True, slots=True)
class KeptReport:
    """A report and the folders it is about. ``original_texts`` has the text of its places at
    the time of the report, as far as it is known."""

    report: Report
    workspace: str
    original_texts: Mapping[tuple[str, LineRange], tuple[str, ...]]

    @classmethod
    def of(cls, report: Report, workspace: str, texts: Mapping[str, Lines]) -> KeptReport:
        """A report that was just made; ``texts`` are the lines of its files, by path."""
        original_texts = {
            (path, lines): tuple(texts[path][lines.start - 1 : lines.end])
            for path, lines in listed_places(report)
            if lines is not None and lines.start <= len(texts.get(path, ()))
        }
        return cls(report, workspace, original_texts)

    def change_of(self, path: str, start: int, end: int, lines: Lines) -> LineChange:
        """What happened to these lines, judging by the nearest listed place; ``lines`` is the file
        as it is now."""
        wanted = LineRange(start=start, end=end)
        candidates = [
            (listed_range, text)
            for (other, listed_range), text in self.original_texts.items()
            if other == path and _widened(listed_range).covers(wanted)
        ]
        if not candidates:
            return LineChange()
        # The nearest place is the one that has most of the lines, and among those the smallest.
        candidates.sort(key=lambda each: (-_shared_lines(each[0], wanted), len(each[0])))
        nearest, text = candidates[0]
        moved_by = _line_offset(nearest.start, len(lines), partial(_is_at, text, lines))
        if moved_by is not None:
            return LineChange(moved_by)
        for at, is_at in self._landmarks(path, nearest, lines):
            moved_by = _line_offset(at, len(lines), is_at)
            if moved_by is not None:
                return LineChange(moved_by, is_changed=True)
        return LineChange(is_changed=True)

    def _landmarks(
        self, path: str, changed: LineRange, lines: Lines
    ) -> Iterator[tuple[int, Callable[[int], bool]]]:
        """Texts that show where a changed place is now: quotes from it, and listed places close
        above it. Each is given as its line at the time of the report, and a test whether it is at a
        given line now."""
        for link in self.report.links:
            if link.path == path and changed.covers(link.quote_range):
                yield link.quote_range.start, partial(quote_occurs_at, link.quote, lines=lines)
        for (other, listed_range), text in self.original_texts.items():
            if (
                other == path
                and listed_range.end < changed.start
                and _widened(changed).overlaps(listed_range)
            ):
                yield listed_range.start, partial(_is_at, text, lines)

    def readable(self, path: str, start: int, end: int) -> tuple[int, int] | None:
        """The lines (first, last) that may be read along with these: the listed places around or
        near them, with `MOST_AROUND` lines on either side. None if no place is near."""
        readable_ranges = [
            (lines.start - MOST_AROUND, lines.end + MOST_AROUND) if lines else (1, sys.maxsize)
            for other, lines in listed_places(self.report)
            if path == other
        ]
        enclosing = [
            (first, last) for first, last in readable_ranges if first <= start and end <= last
        ]
        if not enclosing:
            return None
        return min(first for first, _ in enclosing), max(last for _, last in enclosing)


class KeptReports:
    """The reports of one process by id; the oldest are dropped first."""

    def __init__(self) -> None:
        self._all: OrderedDict[str, KeptReport] = OrderedDict()

    def add(self, report: Report, workspace: str, texts: Mapping[str, Lines]) -> None:
        self._all[report.id] = KeptReport.of(report, workspace, texts)
        while len(self._all) > _MAX_REPORTS:
            self._all.popitem(last=False)

    def get(self, report_id: str) -> KeptReport | None:
        return self._all.get(report_id)

    def __iter__(self) -> Iterator[KeptReport]:
        return reversed(self._all.values())


def _widened(lines: LineRange) -> LineRange:
    """A range extended by the lines that may be read beside it."""
    return LineRange(start=max(1, lines.start - MOST_AROUND), end=lines.end + MOST_AROUND)


def _is_at(text: tuple[str, ...], lines: Lines, at: int) -> bool:
    # Called for every line of a file; most differ in the first line already.
    if at > len(lines) or lines[at - 1] != text[0]:
        return False
    return tuple(lines[at - 1 : at - 1 + len(text)]) == text


def _shared_lines(lines: LineRange, other: LineRange) -> int:
    """The number of lines that two ranges share."""
    return max(0, min(lines.end, other.end) - max(lines.start, other.start) + 1)


def _line_offset(start: int, count: int, is_at: Callable[[int], bool]) -> int | None:
    """How many lines something has moved that was at line ``start``, in a file that now has
    ``count`` lines; None if it is gone, or is at several other places."""
    new_start = present_position(is_at, start, range(1, count + 1))
    return None if new_start is None else new_start - start
