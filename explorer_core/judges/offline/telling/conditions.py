"""What the lines of a definition depend on, and quotes that show it. The rules are in `guards`."""

from __future__ import annotations

import re

from explorer_core.contracts import QUOTE_LIMIT, LineRange
from explorer_core.credentials import credentials
from explorer_core.index.languages import language_of
from explorer_core.index.symbols import Symbol
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.guards import (
    catch_pattern,
    condition_above,
    earlier_exits,
    enclosing_handler,
    enclosing_heads,
    exit_opening_block,
    exit_pattern,
    is_block_head,
    last_statement,
)

_QUOTED = 2
"""How many lines a quote may have."""
_WORD = re.compile(r"\w")


class Conditions(Finder):
    """The conditions of one case's lines. Lines are numbered as in their file."""

    def heads_of_blocks_around(self, symbol: Symbol, line: int) -> list[LineRange]:
        """Returns the heads of the blocks around a line of a symbol, the innermost first, without
        the symbol's own head."""
        code, first = self.exhibits.code_of(symbol), symbol.range.start
        end = self.exhibits.end_of_head(symbol)
        if line - first not in range(len(code)):
            return []
        return [
            LineRange(start=first + start, end=first + last)
            for start, last in enclosing_heads(code, line - first)
            if first + start > end
        ]

    def handler_of(self, symbol: Symbol, line: int) -> tuple[int, LineRange] | None:
        """Returns the head of the error handler that a line is in, and the lines whose errors it
        handles. None if the line is in no handler."""
        code, first = self.exhibits.code_of(symbol), symbol.range.start
        if line - first not in range(len(code)):
            return None
        catches = catch_pattern(language_of(symbol.path))
        found = enclosing_handler(code, line - first, catches)
        if found is None or not found[1]:
            return None
        block = LineRange(start=first + found[1].start, end=first + found[1].stop - 1)
        return first + found[0], block

    def is_exit(self, symbol: Symbol, line: int) -> bool:
        """Whether a line leaves its function early."""
        code, at = self.exhibits.code_of(symbol), line - symbol.range.start
        return at in range(len(code)) and _exit_pattern_of(symbol).search(code[at]) is not None

    def quote_of(self, symbol: Symbol, head: LineRange) -> str:
        """Returns the head of a block as a quote, or only its first line if the whole is too
        long."""
        code, first = self.exhibits.code_of(symbol), symbol.range.start
        code_lines = [
            at for at in range(head.start, head.end + 1) if _WORD.search(code[at - first])
        ]
        whole = len(code_lines) <= _QUOTED and self._joined_quote(
            symbol, code_lines[0] - first, code_lines[-1] - first
        )
        return whole or self.exhibits.quote(symbol.path, head.start)

    def shows_its_condition(self, symbol: Symbol, line: int) -> bool:
        """Whether a line shows by itself what it depends on: it is the head of a block, or an exit
        with its own condition, like ``if (!ok) return;``."""
        at, code = line - symbol.range.start, self.exhibits.code_of(symbol)
        if at not in range(len(code)):
            return True
        exit_match = _exit_pattern_of(symbol).search(code[at].lstrip())
        return is_block_head(code, at) or (exit_match is not None and exit_match.start() > 0)

    def guarded_quote(self, symbol: Symbol, line: int) -> str:
        """Quotes a line with one more, if both fit unshortened: the condition right above that it
        depends on, or else the exit right below that depends on it."""
        first, code = symbol.range.start, self.exhibits.code_of(symbol)
        at = line - first
        if at not in range(len(code)):
            return self.exhibits.quote(symbol.path, line)
        condition = self.condition_of(symbol, line)
        in_head = line <= self.exhibits.end_of_head(symbol)
        below = None if in_head else exit_opening_block(code, at, _exit_pattern_of(symbol))
        above = None if condition is None else self._joined_quote(symbol, condition - first, at)
        with_exit = None if below is None else self._joined_quote(symbol, at, below)
        return above or with_exit or self.exhibits.quote(symbol.path, line)

    def condition_of(self, symbol: Symbol, line: int) -> int | None:
        """Returns the condition right above a line that the line depends on; never the symbol's own
        head."""
        at = line - symbol.range.start
        code = self.exhibits.code_of(symbol)
        guard = condition_above(code, at) if 0 <= at < len(code) else None
        found = symbol.range.start + guard if guard is not None else 0
        return found if found > self.exhibits.end_of_head(symbol) else None

    def _joined_quote(self, symbol: Symbol, start: int, end: int) -> str:
        """Returns the lines ``start`` to ``end`` (offsets) as one quote; empty if they are too long
        or have credentials."""
        span, path = symbol.range, symbol.path
        lines = self.exhibits.source(path).lines[span.start + start - 1 : span.start + end]
        quote = "\n".join(lines).strip()
        if any(credentials(each, path) for each in lines) or len(quote) > QUOTE_LIMIT:
            return ""
        return quote

    def exits_before(self, symbol: Symbol, line: int) -> list[tuple[int, int]]:
        """Returns the early exits before a line, the nearest first: (line of the condition, line of
        the exit)."""
        first, end = symbol.range.start, self.exhibits.end_of_head(symbol)
        code = self.exhibits.code_of(symbol)
        if line - first not in range(len(code)):
            return []
        found = earlier_exits(code, line - first, _exit_pattern_of(symbol))
        return [(first + at, first + exit_line) for at, exit_line in found if first + at > end]

    def early_exits(self, symbol: Symbol) -> list[tuple[int, int]]:
        """Does what `exits_before` does for the last statement of a function, in text order.
        Functions defined inside it have exits of their own, which do not count."""
        last = last_statement(self.exhibits.code_of(symbol))
        exits = self.exits_before(symbol, symbol.range.start + last)
        inner = [self._graph.symbol(each).range for each in self._graph.members(symbol.id)]
        return [each for each in exits[::-1] if not any(each[1] in lines for lines in inner)]

    def quote_of_exit(self, symbol: Symbol, head: int, exit_line: int) -> str:
        """Quotes the condition of an exit, with the exit itself if that is the next line."""
        first = symbol.range.start
        below = exit_opening_block(
            self.exhibits.code_of(symbol), head - first, _exit_pattern_of(symbol)
        )
        is_adjacent = exit_line - head <= 1 or below == exit_line - first
        both = is_adjacent and self._joined_quote(symbol, head - first, exit_line - first)
        return both or self.exhibits.quote(symbol.path, head)


def _exit_pattern_of(symbol: Symbol) -> re.Pattern[str]:
    return exit_pattern(language_of(symbol.path))
