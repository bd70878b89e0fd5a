"""Ranges only narrow: to a few lines, or to one whole declaration."""

from __future__ import annotations

import pytest

from explorer_core.contracts import LineRange
from explorer_core.index.symbols import Symbol, SymbolId
from explorer_core.registry import DeclarationMap
from explorer_core.validation.ranges import clamp

_Lines = tuple[int, int]


@pytest.mark.parametrize(
    ("lines", "declared", "keep", "expect"),
    [
        ((1, 120), (1, 400), None, (1, 120)),
        ((1, 121), (2, 400), None, (1, 120)),
        ((1, 400), (1, 400), (390, 390), (1, 400)),
        ((1, 200), (41, 160), (50, 51), (41, 160)),
        ((1, 200), (41, 161), (50, 51), (1, 120)),
        # A declaration that ends past the observed lines or within the lines to keep does not fit.
        ((1, 200), (190, 230), (195, 195), (81, 200)),
        ((10, 200), (1, 60), (50, 50), (10, 129)),
        ((1, 200), (90, 100), (100, 101), (41, 160)),
        ((1, 400), (300, 310), (200, 200), (141, 260)),
        ((1, 400), (300, 310), (400, 400), (281, 400)),
    ],
)
def test_range_is_clamped_around_the_kept_lines(
    lines: _Lines, declared: _Lines, keep: _Lines | None, expect: _Lines
) -> None:
    declaration = Symbol(SymbolId("a.py", 0), "f", "f", "function", line_range(declared), 1, "", "")
    clamped = clamp(
        line_range(lines), DeclarationMap([declaration]), line_range(keep) if keep else None
    )
    assert (clamped.start, clamped.end) == expect


def line_range(lines: _Lines) -> LineRange:
    return LineRange(start=lines[0], end=lines[1])
