"""Quotes are the file's own text inside one contiguous segment."""

from __future__ import annotations

import pytest

from explorer_core.contracts import Segment
from explorer_core.validation.quotes import find_quote, is_usable

CODE = Segment(
    path="a.py",
    start=10,
    lines=("def f(x):", "    if x  ==  1:", "\treturn  g(x)", "    }", "", "    return h(x)"),
)
APART = Segment(path="a.py", start=30, lines=("    return h(x)  # again",))
LONG = Segment(path="a.py", start=1, lines=("wanted(1)" + " + filler" * 40,))


def check(quote: str, text: str | None, lines: tuple[int, int] = (0, 0)) -> None:
    quoted = find_quote(quote, (CODE, APART))
    if text is None:
        assert quoted is None
        return
    assert quoted is not None
    assert (text, lines) == (quoted.text, (quoted.range.start, quoted.range.end))


def test_white_space_is_collapsed_and_the_files_own_bytes_are_shown() -> None:
    check("if x == 1:", "if x  ==  1:", (11, 11))


def test_part_of_a_line_shows_the_line() -> None:
    check("g(x)", "return  g(x)", (12, 12))


def test_two_lines() -> None:
    check("if x == 1:\n  return g(x)", "if x  ==  1:\n\treturn  g(x)", (11, 12))


def test_two_lines_joined() -> None:
    check("if x == 1: return g(x)", "if x  ==  1:\n\treturn  g(x)", (11, 12))


def test_line_numbers_are_stripped() -> None:
    check("12: return g(x)", "return  g(x)", (12, 12))
    check("11| if x == 1:\n12| return g(x)", "if x  ==  1:\n\treturn  g(x)", (11, 12))
    check("   12\treturn g(x)", "return  g(x)", (12, 12))


def test_a_whole_line_is_preferred_to_part_of_an_earlier_one() -> None:
    check("return h(x) # again", "return h(x)  # again", (30, 30))


def test_never_across_a_gap() -> None:
    check("return h(x) return h(x)", None)
    check("} return h(x)", None)


def test_not_there() -> None:
    check("return k(x)", None)
    check("", None)


def test_of_a_long_line_only_the_quoted_part_is_shown() -> None:
    quoted = find_quote("wanted(1) + filler", (LONG,))
    assert quoted is not None
    assert quoted.text == "wanted(1) + filler"


@pytest.mark.parametrize(
    ("quote", "usable"),
    [
        ("x = 1", True),
        ("\n  x = 1\n\n", True),
        ("a\nb", True),
        ("a\nb\nc", False),
        ("}", False),
        ("})", False),
        ("12", False),
        ("", False),
        ("x" * 200, True),
        ("x" * 201, False),
        ("x \x1b[31m", False),
        ("x \u202e y", False),
        ("naïve = ñ", True),
    ],
)
def test_usable(quote: str, usable: bool) -> None:
    assert is_usable(quote) is usable
