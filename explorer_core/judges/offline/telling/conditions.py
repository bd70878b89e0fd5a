"""What the lines of a definition depend on, and quotes that show it. The rules are in `guards`."""

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
"""How many lines a quote may have."""
_WORD = re.compile(r"\w")


class Conditions(Finder):
    """The conditions of one case's lines. Lines are numbered as in their file."""

    def around(self, symbol: Symbol, line: int) -> list[LineRange]:
        """Returns the heads of the blocks around a line of a symbol, the innermost first, without
        the symbol's own head."""
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
        """Returns the head of the error handler that a line is in, and the lines whose errors it
        handles. None if the line is in no handler."""
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
        """Whether a line leaves its function early."""
        code, at = self.exhibits.code_of(symbol), line - symbol.range.start
        return at in range(len(code)) and _exits(symbol).search(code[at]) is not None

    def quote_of(self, symbol: Symbol, head: LineRange) -> str:
        """Returns the head of a block as a quote, or only its first line if the whole is too
        long."""
        code, first = self.exhibits.code_of(symbol), symbol.range.start
        written = [at for at in range(head.start, head.end + 1) if _WORD.search(code[at - first])]
        whole = len(written) <= _QUOTED and self._together(
            symbol, written[0] - first, written[-1] - first
        )
        return whole or self.exhibits.quote(symbol.path, head.start)

    def has_own(self, symbol: Symbol, line: int) -> bool:
        """Whether a line shows by itself what it depends on: it is the head of a block, or an exit
        with its own condition, like ``if (!ok) return;``."""
        at, code = line - symbol.range.start, self.exhibits.code_of(symbol)
        if at not in range(len(code)):
            return True
        leaves = _exits(symbol).search(code[at].lstrip())
        return is_head(code, at) or (leaves is not None and leaves.start() > 0)

    def guarded_quote(self, symbol: Symbol, line: int) -> str:
        """Quotes a line with one more, if both fit unshortened: the condition right above that it
        depends on, or else the exit right below that depends on it."""
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
        """Returns the condition right above a line that the line depends on; never the symbol's own
        head."""
        at = line - symbol.range.start
        code = self.exhibits.code_of(symbol)
        guard = guard_of(code, at) if 0 <= at < len(code) else None
        found = symbol.range.start + guard if guard is not None else 0
        return found if found > self.exhibits.end_of_head(symbol) else None

    def _together(self, symbol: Symbol, start: int, end: int) -> str:
        """Returns the lines ``start`` to ``end`` (offsets) as one quote; empty if they are too long
        or have credentials."""
        span, path = symbol.range, symbol.path
        whole = self.exhibits.source(path).lines[span.start + start - 1 : span.start + end]
        shown = "\n".join(whole).strip()
        if any(credentials(each, path) for each in whole) or len(shown) > QUOTE_LIMIT:
            return ""
        return shown

    def exits_before(self, symbol: Symbol, line: int) -> list[tuple[int, int]]:
        """Returns the early exits before a line, the nearest first: (line of the condition, line of
        the exit)."""
        first, end = symbol.range.start, self.exhibits.end_of_head(symbol)
        code = self.exhibits.code_of(symbol)
        if line - first not in range(len(code)):
            return []
        found = exits_above(code, line - first, _exits(symbol))
        return [(first + at, first + leaves) for at, leaves in found if first + at > end]

    def quote_of_exit(self, symbol: Symbol, head: int, leaves: int) -> str:
        """Quotes the condition of an exit, with the exit itself if that is the next line."""
        first = symbol.range.start
        below = exit_below(self.exhibits.code_of(symbol), head - first, _exits(symbol))
        near = leaves - head <= 1 or below == leaves - first
        both = near and self._together(symbol, head - first, leaves - first)
        return both or self.exhibits.quote(symbol.path, head)


def _exits(symbol: Symbol) -> re.Pattern[str]:
    return exits_of(language_of(symbol.path))
