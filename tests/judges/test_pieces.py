"""Text cut along declarations: every line with content is in exactly one piece."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from explorer_core.contracts import LineRange, Segment
from explorer_core.index.symbols import Symbol, SymbolId
from explorer_core.judges.shown.pieces import LONGEST_PIECE, pieces


def symbol(name: str, kind: str, start: int, end: int) -> Symbol:
    span = LineRange(start=start, end=end)
    return Symbol(SymbolId("a.py", start), name, name, kind, span, start, name, "")


def piece_bounds(
    lines: int, *symbols: Symbol, start: int = 1
) -> list[tuple[str, int, int, int, int]]:
    text = tuple(f"line {number}" for number in range(start, start + lines))
    found = pieces(Segment(path="a.py", start=start, lines=text), symbols)
    return [
        (
            piece.symbol.name if piece.symbol else "",
            piece.range.start,
            piece.range.end,
            piece.segment.start,
            piece.segment.range.end,
        )
        for piece in found
    ]


def test_functions_and_the_lines_between_are_pieces():
    assert piece_bounds(12, symbol("f", "function", 3, 5), symbol("g", "function", 8, 12)) == [
        ("", 1, 2, 1, 2),
        ("f", 3, 5, 3, 5),
        ("", 6, 7, 6, 7),
        ("g", 8, 12, 8, 12),
    ]


def test_part_of_a_function_keeps_the_range_of_the_function():
    assert piece_bounds(3, symbol("f", "function", 1, 50), start=20) == [("f", 1, 50, 20, 22)]


def test_a_small_type_is_one_piece():
    inner = symbol("C.f", "method", 3, 5)
    assert piece_bounds(10, symbol("C", "class", 1, 10), inner) == [("C", 1, 10, 1, 10)]


def test_a_large_type_is_cut_into_its_members():
    members = [symbol("C.f", "method", 5, 30), symbol("C.g", "method", 31, 60)]
    assert piece_bounds(60, symbol("C", "class", 1, 60), *members) == [
        ("C", 1, 4, 1, 4),
        ("C.f", 5, 30, 5, 30),
        ("C.g", 31, 60, 31, 60),
    ]


def test_nested_functions_belong_to_the_outer_piece():
    inner = symbol("f.g", "function", 2, 3)
    assert piece_bounds(9, symbol("f", "function", 1, 9), inner) == [("f", 1, 9, 1, 9)]


@given(
    st.lists(
        st.tuples(
            st.integers(1, 200),
            st.integers(0, 120),
            st.sampled_from(("function", "class", "method", "variable")),
        ),
        max_size=12,
    ),
    st.integers(1, 150),
    st.lists(st.booleans(), min_size=1, max_size=150),
)
def test_every_nonblank_line_is_in_exactly_one_piece(spans, start, filled):
    symbols = [symbol(f"s{n}", kind, a, a + more) for n, (a, more, kind) in enumerate(spans)]
    text = tuple(f"x{n}" if full else "  " for n, full in enumerate(filled))
    whole = Segment(path="a.py", start=start, lines=text)
    covered: list[int] = []
    for piece in pieces(whole, symbols):
        segment = piece.segment
        assert segment.lines == whole.lines[segment.start - start : segment.range.end - start + 1]
        assert piece.range.covers(segment.range)
        assert piece.symbol is not None or len(segment.lines) <= LONGEST_PIECE
        covered += [
            n for n in range(segment.start, segment.range.end + 1) if text[n - start].strip()
        ]
    assert covered == [n for n, line in enumerate(text, start) if line.strip()]
