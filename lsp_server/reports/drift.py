"""Tracks quoted lines through edits. Pure functions of lines, all counted from 1.

A quote moves with the edits above it. It becomes stale when its own text is edited away. It comes
back only in text that a later edit inserts (an undo, a paste), and only if the text then occurs
more often than its look-alikes did before: a look-alike that was there all along is not the quote.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from explorer_core.contracts import LineRange
from explorer_core.workspace.source import quote_occurs_at


@dataclass(frozen=True, slots=True)
class LineEdit:
    """Replaces ``removed`` lines, beginning with line ``first``, by ``added`` lines."""

    first: int
    removed: int
    added: int

    @classmethod
    def between(cls, before: Sequence[str], after: Sequence[str]) -> LineEdit:
        """The smallest single edit that turns one text into the other."""
        shorter = min(len(before), len(after))
        prefix = 0
        while prefix < shorter and before[prefix] == after[prefix]:
            prefix += 1
        suffix = 0
        while suffix < shorter - prefix and before[-1 - suffix] == after[-1 - suffix]:
            suffix += 1
        return cls(prefix + 1, len(before) - prefix - suffix, len(after) - prefix - suffix)

    @property
    def is_empty(self) -> bool:
        return not self.removed and not self.added

    def start(self, line: int) -> int:
        """The first line, now, of a range that began at ``line``."""
        return self._new_line(line, min(line, self.first + max(self.added - 1, 0)))

    def end(self, line: int) -> int:
        """The last line, now, of a range that ended at ``line``; the range may be larger."""
        return self._new_line(line, max(self.first, self.first + self.added - 1))

    def _new_line(self, line: int, edited: int) -> int:
        """Where a line is now; ``edited`` if it is one of the edited lines."""
        if line < self.first:
            return line
        return line + self.added - self.removed if line >= self.first + self.removed else edited

    def lines(self, lines: LineRange) -> LineRange:
        """Where a range is now. A deleted range collapses to the line where it was."""
        start = max(1, self.start(lines.start))
        return LineRange(start=start, end=max(start, self.end(lines.end)))


@dataclass(slots=True)
class Anchor:
    """A quote within a range of lines, tracked through edits.

    ``at`` is the quote's first line; while ``stale``, the line where it was lost. ``before`` and
    ``after`` are the numbers of lines of the range on either side of the quote. ``look_alikes`` is
    the number of other occurrences of its text when it was lost. A quote that ``is_whole`` must
    have its lines to itself: put into a comment, it no longer says what it did.
    """

    quote: str
    at: int
    before: int
    after: int
    stale: bool = False
    look_alikes: int = 0
    is_whole: bool = False

    @classmethod
    def of(
        cls, quote: str, quote_range: LineRange, lines: LineRange, text: Sequence[str] = ()
    ) -> Anchor:
        """The anchor of a quote; ``text`` is the file that it was checked against."""
        start, end = quote_range.start, quote_range.end
        is_whole = quote_occurs_at(quote, start, text, is_whole=True)
        return cls(quote, start, start - lines.start, lines.end - end, is_whole=is_whole)

    @property
    def height(self) -> int:
        return self.quote.count("\n") + 1

    def quote_range(self, line_count: int) -> LineRange:
        """The quoted lines; for a stale quote, the line where it was lost."""
        last = max(1, line_count)
        if self.stale:
            at = min(self.at, last)
            return LineRange(start=at, end=at)
        return LineRange(start=self.at, end=self.at + self.height - 1)

    def range(self, line_count: int) -> LineRange:
        """The range around the quote, limited to a file of ``line_count`` lines."""
        quote = self.quote_range(line_count)
        start = max(1, quote.start - self.before)
        return LineRange(
            start=start, end=max(quote.end, min(max(1, line_count), quote.end + self.after))
        )

    def follow(self, edit: LineEdit, lines: Sequence[str]) -> None:
        """Apply one edit; ``lines`` is the text after it."""
        expected = edit.start(self.at)
        if self.stale:
            found = self._find_inserted(edit, lines)
            if found is not None and self._count_occurrences(lines) <= self.look_alikes:
                found = None
        elif self._stands_at(expected, lines):
            found = expected
        else:
            found = self._find_inserted(edit, lines)
        if found is None:
            inside = edit.first <= self.at < edit.first + max(edit.removed, 1)
            self.at = self.at if inside else expected
            if not self.stale:
                self.stale, self.look_alikes = True, self._count_occurrences(lines, edit)
            return
        if not self.stale:
            self._adjust_context(edit, found)
        self.at, self.stale = found, False

    def _adjust_context(self, edit: LineEdit, found: int) -> None:
        start = edit.start(self.at - self.before)
        end = edit.end(self.at + self.height - 1 + self.after)
        if start <= found and found + self.height - 1 <= end:
            self.before = found - start
            self.after = end - found - self.height + 1

    def _find_inserted(self, edit: LineEdit, lines: Sequence[str]) -> int | None:
        """The line at which the quote occurs in the text that the edit inserted; None if there is
        none, or if there are several and none is where the quote was."""
        first = max(1, edit.first - self.height + 1)
        last = min(len(lines), edit.first + edit.added - 1)
        found = [line for line in range(first, last + 1) if self._stands_at(line, lines)]
        if self.at in found:
            return self.at
        return found[0] if len(found) == 1 else None

    def _count_occurrences(self, lines: Sequence[str], edit: LineEdit | None = None) -> int:
        """How often the quote occurs in a text, except where it begins in lines that ``edit``
        inserted."""
        inserted = range(edit.first, edit.first + edit.added) if edit else range(0)
        places = range(1, len(lines) + 1)
        return sum(self._stands_at(at, lines) for at in places if at not in inserted)

    def _stands_at(self, line: int, lines: Sequence[str]) -> bool:
        return quote_occurs_at(self.quote, line, lines, is_whole=self.is_whole)
