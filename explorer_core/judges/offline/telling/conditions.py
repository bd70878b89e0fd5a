"""What the lines of a definition hang on, and quotes that show it."""

from __future__ import annotations

import re

from explorer_core.contracts import QUOTE_LIMIT, LineRange
from explorer_core.credentials import credentials
from explorer_core.index.languages import language_of
from explorer_core.index.symbols import Symbol
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.guards import (
    catches_of,
    caught_around,
    exit_below,
    exits_above,
    exits_of,
    guard_of,
    heads_around,
    is_head,
)

_QUOTED = 2
"""Most lines of a quote."""
_WORD = re.compile(r"\w")


class Conditions(Finder):
    """The conditions of one case's lines, which are numbered as in their file."""

    def around(self, symbol: Symbol, line: int) -> list[LineRange]:
        """The heads of the blocks of a symbol that a line of it stands in, the innermost first."""
        code, first = self.exhibits.code_of(symbol), symbol.range.start
        end = self.exhibits.end_of_head(symbol)
        if line - first not in range(len(code)):
            return []
        return [
            LineRange(start=first + start, end=first + last)
            for start, last in heads_around(code, line - first)
            if first + start > end
        ]

    def caught(self, symbol: Symbol, line: int) -> tuple[int, LineRange] | None:
        """Where a line of a symbol handles errors: the line that begins the handling, and the lines
        whose errors it handles. None where it handles none."""
        code, first = self.exhibits.code_of(symbol), symbol.range.start
        if line - first not in range(len(code)):
            return None
        catches = catches_of(language_of(symbol.path))
        found = caught_around(code, line - first, catches)
        if found is None or not found[1]:
            return None
        block = LineRange(start=first + found[1].start, end=first + found[1].stop - 1)
        return first + found[0], block

    def leaves_on(self, symbol: Symbol, line: int) -> bool:
        """Whether a line of a symbol leaves it."""
        code, at = self.exhibits.code_of(symbol), line - symbol.range.start
        return at in range(len(code)) and _exits(symbol).search(code[at]) is not None

    def quote_of(self, symbol: Symbol, head: LineRange) -> str:
        """The head of a block of a symbol as a quote; only its first line, if all of it is too
        long."""
        code, first = self.exhibits.code_of(symbol), symbol.range.start
        written = [at for at in range(head.start, head.end + 1) if _WORD.search(code[at - first])]
        whole = len(written) <= _QUOTED and self._together(
            symbol, written[0] - first, written[-1] - first
        )
        return whole or self.exhibits.quote(symbol.path, head.start)

    def has_own(self, symbol: Symbol, line: int) -> bool:
        """Whether a line of a symbol says itself what it hangs on: it is the head of a block, or
        leaves the function behind a condition of its own."""
        at, code = line - symbol.range.start, self.exhibits.code_of(symbol)
        if at not in range(len(code)):
            return True
        leaves = _exits(symbol).search(code[at].lstrip())
        return is_head(code, at) or (leaves is not None and leaves.start() > 0)

    def guarded_quote(self, symbol: Symbol, line: int) -> str:
        """A line of a symbol as a quote, with one more if both fit as they stand: the condition
        right above that the line hangs on, or else the exit right below that hangs on it."""
        first, code = symbol.range.start, self.exhibits.code_of(symbol)
        at = line - first
        if at not in range(len(code)):
            return self.exhibits.quote(symbol.path, line)
        condition = self.condition_of(symbol, line)
        is_head = line <= self.exhibits.end_of_head(symbol)
        below = None if is_head else exit_below(code, at, _exits(symbol))
        above = None if condition is None else self._together(symbol, condition - first, at)
        with_exit = None if below is None else self._together(symbol, at, below)
        return above or with_exit or self.exhibits.quote(symbol.path, line)

    def condition_of(self, symbol: Symbol, line: int) -> int | None:
        """The condition right above a line of a symbol that the line hangs on; none in the symbol's
        head."""
        at = line - symbol.range.start
        code = self.exhibits.code_of(symbol)
        guard = guard_of(code, at) if 0 <= at < len(code) else None
        found = symbol.range.start + guard if guard is not None else 0
        return found if found > self.exhibits.end_of_head(symbol) else None

    def _together(self, symbol: Symbol, start: int, end: int) -> str:
        """Some lines of a symbol, from 0 on, as one quote; empty where they can be none."""
        span, path = symbol.range, symbol.path
        whole = self.exhibits.source(path).lines[span.start + start - 1 : span.start + end]
        shown = "\n".join(whole).strip()
        if any(credentials(each, path) for each in whole) or len(shown) > QUOTE_LIMIT:
            return ""
        return shown

    def exits_before(self, symbol: Symbol, line: int) -> list[tuple[int, int]]:
        """The early exits that come before a line of a symbol, the nearest first: each with the
        line that it hangs on, and then its own."""
        first, end = symbol.range.start, self.exhibits.end_of_head(symbol)
        code = self.exhibits.code_of(symbol)
        if line - first not in range(len(code)):
            return []
        found = exits_above(code, line - first, _exits(symbol))
        return [(first + at, first + leaves) for at, leaves in found if first + at > end]

    def quote_of_exit(self, symbol: Symbol, head: int, leaves: int) -> str:
        """The line that an exit hangs on, with the exit where it stands right below."""
        first = symbol.range.start
        below = exit_below(self.exhibits.code_of(symbol), head - first, _exits(symbol))
        near = leaves - head <= 1 or below == leaves - first
        both = near and self._together(symbol, head - first, leaves - first)
        return both or self.exhibits.quote(symbol.path, head)


def _exits(symbol: Symbol) -> re.Pattern[str]:
    return exits_of(language_of(symbol.path))
