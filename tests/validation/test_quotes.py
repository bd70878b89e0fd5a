"""Quotes are the file's text within one contiguous segment."""

from __future__ import annotations

import pytest

from explorer_core.contracts import LineRange, Segment
from explorer_core.validation.quotes import Quoted, find_quote, is_usable, is_withheld

CODE = Segment(
    path="a.py",
    start=10,
    lines=("def f(x):", "    if x  ==  1:", "\treturn  g(x)", "    }", "", "    return h(x)"),
)
APART = Segment(path="a.py", start=30, lines=("    return h(x)  # again",))
LONG = Segment(path="a.py", start=1, lines=("wanted(1)" + " + filler" * 40,))


def check_quote(quote: str, text: str | None, lines: tuple[int, int] = (0, 0)) -> None:
    quoted = find_quote(quote, (CODE, APART))
    if text is None:
        assert quoted is None
        return
    assert quoted is not None
    assert (text, lines) == (quoted.text, (quoted.range.start, quoted.range.end))


def test_white_space_is_ignored_and_the_text_of_the_file_shown() -> None:
    check_quote("if x == 1:", "if x  ==  1:", (11, 11))


def test_part_of_a_line_shows_the_line() -> None:
    check_quote("g(x)", "return  g(x)", (12, 12))


def test_quote_may_span_two_lines() -> None:
    check_quote("if x == 1:\n  return g(x)", "if x  ==  1:\n\treturn  g(x)", (11, 12))


def test_lone_brace_between_two_quoted_lines_is_allowed() -> None:
    lines = ("if (x == 1)", "{", "    return g(x);", "}")
    found = find_quote("if (x == 1)\n{\nreturn g(x);", (Segment(path="a.c", start=4, lines=lines),))
    assert found == Quoted("if (x == 1)\n{\n    return g(x);", LineRange(start=4, end=6))
    assert find_quote("x == 1)\n{\nreturn h", (Segment(path="a.c", start=4, lines=lines),)) is None


def test_two_lines_may_be_quoted_as_one() -> None:
    check_quote("if x == 1: return g(x)", "if x  ==  1:\n\treturn  g(x)", (11, 12))


@pytest.mark.parametrize(
    "line", ['greet("\U0001f469\u200d\U0001f4bb")', "first()\x0c; second()\x0c; third()"]
)
def test_zero_width_joiners_and_form_feeds_are_kept(line: str) -> None:
    quoted = find_quote(line, (Segment(path="a.py", start=3, lines=("start()", line)),))
    assert quoted == Quoted(line, LineRange(start=4, end=4))


def test_line_numbers_are_stripped() -> None:
    check_quote("12: return g(x)", "return  g(x)", (12, 12))
    check_quote("11| if x == 1:\n12| return g(x)", "if x  ==  1:\n\treturn  g(x)", (11, 12))
    check_quote("   12\treturn g(x)", "return  g(x)", (12, 12))


def test_a_whole_line_is_preferred_to_part_of_an_earlier_one() -> None:
    check_quote("return h(x) # again", "return h(x)  # again", (30, 30))


def test_quote_never_crosses_a_gap() -> None:
    check_quote("return h(x) return h(x)", None)
    check_quote("} return h(x)", None)


def test_text_not_in_the_file_is_not_found() -> None:
    check_quote("return k(x)", None)
    check_quote("", None)


def test_quote_of_a_long_line_shows_only_the_quoted_part() -> None:
    quoted = find_quote("wanted(1) + filler", (LONG,))
    assert quoted is not None
    assert quoted.text == "wanted(1) + filler"


def test_quote_of_a_line_with_a_credential_excludes_it() -> None:
    token = "ghp_" + "a1B2" * 9
    line = f'connect(host, "{token}", retry)'
    segments = (Segment(path="a.py", start=5, lines=("first()", line)),)
    for quote in ("connect(host,", "retry)"):
        quoted = find_quote(quote, segments)
        assert quoted == Quoted(quote, LineRange(start=6, end=6))
    for quote in (line, token, token[:12], f'host, "{token[:4]}', token[-4:] + '", retry'):
        assert find_quote(quote, segments) is None
    assert find_quote("first()\nconnect(host,", segments) == Quoted(
        "first()\nconnect(host,", LineRange(start=5, end=6)
    )
    beside = Segment(path="a.py", start=5, lines=("first()", f"x {token} y"))
    assert find_quote(f"first() x {token[:1]}", (beside,)) is None
    assert is_withheld(line)
    assert is_withheld('connect(host, "[masked]", retry)')
    assert not is_withheld("connect(host,")


@pytest.mark.parametrize(
    ("quote", "usable"),
    [
        ("x = 1", True),
        ("\n  x = 1\n\n", True),
        ("a\nb", True),
        ("a\nb\nc", False),
        ("if (a)\n{\n  b", True),
        ("if (a)\n{\n  b\n  c", False),
        ("if (a)\n  b\n{", False),
        ("}", False),
        ("})", False),
        ("12", False),
        ("", False),
        ("x" * 200, True),
        ("x" * 201, False),
        ("x \x1b[31m", False),
        ("x \u202e y", False),
        ("naïve = ñ", True),
        ('greet("\U0001f469\u200d\U0001f4bb")', True),
        ("gr\u200deet(x)", False),
        ("first()\x0c; second()\x0c; third()", True),
        ("first()\r\nsecond()", True),
    ],
)
def test_usable_quotes(quote: str, usable: bool) -> None:
    assert is_usable(quote) is usable
