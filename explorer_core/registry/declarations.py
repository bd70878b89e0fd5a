"""Which declaration a line belongs to. Declarations are handed in; nothing here knows an index."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from explorer_core.contracts import LineRange, SymbolInfo

WIDEST_WINDOW = 120
"""Lines a range may have unless it is one whole declaration."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """A declared symbol and the lines of its whole declaration, decorators included."""

    symbol: SymbolInfo
    range: LineRange


DeclarationSource = Callable[[str], Sequence[Declaration]]
"""The declarations of a path, in any order; empty for a file nothing is known about."""


def no_declarations(path: str) -> Sequence[Declaration]:
    """The source for a workspace without an index: every match keeps the window it was seen in."""
    return ()


class DeclarationMap:
    """The declarations of one file, ready to be asked by line."""

    def __init__(self, declarations: Sequence[Declaration]) -> None:
        self._all = sorted(declarations, key=lambda each: (each.range.start, -each.range.end))

    def enclosing(self, line: int) -> Declaration | None:
        """The innermost declaration that contains ``line``."""
        starts, owners = self._innermost
        position = bisect_right(starts, line) - 1
        return owners[position] if position >= 0 else None

    def exactly(self, start: int, end: int) -> Declaration | None:
        """The declaration that spans exactly these lines."""
        return self._spans.get((start, end))

    def named_in(self, start: int, end: int) -> list[Declaration]:
        """Declarations whose name stands on one of these lines."""
        return [each for each in self._all if start <= each.symbol.line <= end]

    def called(self, qualified_name: str) -> list[Declaration]:
        """Declarations with this qualified name."""
        return [each for each in self._all if each.symbol.qualified_name == qualified_name]

    @cached_property
    def _innermost(self) -> tuple[list[int], list[Declaration | None]]:
        return _innermost_by_line(self._all)

    @cached_property
    def _spans(self) -> dict[tuple[int, int], Declaration]:
        return {(each.range.start, each.range.end): each for each in reversed(self._all)}


def _innermost_by_line(
    ordered: Sequence[Declaration],
) -> tuple[list[int], list[Declaration | None]]:
    """Sweep over declarations sorted outermost first; owner ``i`` holds from ``starts[i]`` on."""
    starts: list[int] = []
    owners: list[Declaration | None] = []
    open_declarations: list[Declaration] = []

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
