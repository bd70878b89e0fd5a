"""Limits ranges to one declaration, or to at most 120 lines."""

from __future__ import annotations

from explorer_core.contracts import LineRange
from explorer_core.registry import WIDEST_WINDOW, DeclarationMap


def clamp(lines: LineRange, declarations: DeclarationMap, keep: LineRange | None) -> LineRange:
    """Narrow ``lines`` to 120 lines, unless they are one whole declaration.

    The result contains ``keep``. The declaration around it is used if it fits, else a window
    centred on it. Without ``keep`` the first lines are kept.
    """
    if len(lines) <= WIDEST_WINDOW or declarations.exactly(lines.start, lines.end):
        return lines
    if keep is None:
        return LineRange(start=lines.start, end=lines.start + WIDEST_WINDOW - 1)
    around = declarations.enclosing(keep.start)
    if (
        around
        and len(around.range) <= WIDEST_WINDOW
        and lines.covers(around.range)
        and around.range.covers(keep)
    ):
        return around.range
    middle = keep.start - (WIDEST_WINDOW - len(keep)) // 2
    start = max(lines.start, min(middle, lines.end - WIDEST_WINDOW + 1))
    return LineRange(start=start, end=start + WIDEST_WINDOW - 1)
