"""Which declaration a line belongs to. The caller supplies the declarations; no index is read."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property

from explorer_core.index.symbols import Symbol

WIDEST_WINDOW = 120
"""Maximum number of lines of a range, unless it is exactly one declaration."""


DeclarationSource = Callable[[str], Sequence[Symbol]]
"""Returns the declarations of a path, in any order; empty for a file it does not know."""


def no_declarations(path: str) -> Sequence[Symbol]:
    """The source for a workspace without an index: matches keep the window they were seen in."""
    return ()


class DeclarationMap:
    """The declarations of one file, searchable by line."""

    def __init__(self, declarations: Sequence[Symbol]) -> None:
        self._all = sorted(declarations, key=lambda each: (each.range.start, -each.range.end))

    def enclosing(self, line: int) -> Symbol | None:
        """The innermost declaration that contains ``line``."""
        starts, owners = self._innermost
        position = bisect_right(starts, line) - 1
        return owners[position] if position >= 0 else None

    def exactly(self, start: int, end: int) -> Symbol | None:
        """The declaration that spans exactly these lines."""
        return self._spans.get((start, end))

    def named_in(self, start: int, end: int) -> list[Symbol]:
        """The declarations whose name is on one of these lines."""
        return [each for each in self._all if start <= each.line <= end]

    @cached_property
    def _innermost(self) -> tuple[list[int], list[Symbol | None]]:
        return _innermost_by_line(self._all)

    @cached_property
    def _spans(self) -> dict[tuple[int, int], Symbol]:
        return {(each.range.start, each.range.end): each for each in reversed(self._all)}


def _innermost_by_line(
    ordered: Sequence[Symbol],
) -> tuple[list[int], list[Symbol | None]]:
    """Sweep declarations sorted outermost first; ``owners[i]`` owns lines from ``starts[i]`` on."""
    starts: list[int] = []
    owners: list[Symbol | None] = []
    open_declarations: list[Symbol] = []

    def mark(line: int) -> None:
        owner = open_declarations[-1] if open_declarations else None
        if starts and starts[-1] == line:
            owners[-1] = owner
        else:
            starts.append(line)
            owners.append(owner)

    def close_before(line: int | None) -> None:
        while open_declarations and (line is None or open_declarations[-1].range.end < line):
            after = open_declarations.pop().range.end + 1
            mark(max(after, starts[-1]))

    for declaration in ordered:
        close_before(declaration.range.start)
        open_declarations.append(declaration)
        mark(declaration.range.start)
    close_before(None)
    return starts, owners
