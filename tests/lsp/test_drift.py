"""Links while the user types: a quote is where its link says, or the link is stale."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from explorer_core.contracts import LineRange
from explorer_core.workspace.source import stands_at
from lsp_server.reports.drift import Anchor, LineEdit

TEXT = ["def a():", "    one()", "    two()", "    one()", "", "def b():", "    three()"]
LINES = st.lists(st.sampled_from(TEXT), max_size=12)


def anchor(at: int, lines: list[str], before: int = 1, after: int = 1) -> Anchor:
    quote = LineRange(start=at, end=at)
    around = LineRange(start=max(1, at - before), end=at + after)
    return Anchor.of(lines[at - 1], quote, around)


def type_in(followed: Anchor, *texts: list[str]) -> Anchor:
    for before, after in pairwise(texts):
        followed.follow(LineEdit.between(before, after), after)
    return followed


@given(LINES, LINES)
def test_an_edit_leads_from_one_text_to_the_other(before: list[str], after: list[str]):
    edit = LineEdit.between(before, after)
    head, rest = edit.first - 1, edit.first - 1 + edit.removed
    brought = after[head : head + edit.added]
    assert before[:head] + brought + before[rest:] == after


@given(st.integers(1, 7), st.lists(LINES, min_size=1, max_size=6))
def test_fresh_means_the_quote_stands_there(at: int, texts: list[list[str]]):
    followed = anchor(at, TEXT)
    for before, after in zip([TEXT, *texts], texts, strict=False):
        followed.follow(LineEdit.between(before, after), after)
        lines, quote = followed.range(len(after)), followed.quote_range(len(after))
        assert lines.covers(quote)
        assert followed.stale or stands_at(followed.quote, quote.start, after)


@given(st.integers(1, 7), st.integers(0, 6), st.integers(0, 7), LINES)
def test_undo_brings_a_link_back(at: int, start: int, length: int, text: list[str]):
    edited = TEXT[:start] + text + TEXT[start + length :]
    followed = anchor(at, TEXT, before=0, after=0)
    expected = followed.quote_range(7)
    type_in(followed, TEXT, edited)
    if followed.stale:
        type_in(followed, edited, TEXT)
        assert not followed.stale
        assert followed.quote_range(7) == expected


def test_lines_above_push_it_down():
    followed = type_in(anchor(2, TEXT), TEXT, ["import x", *TEXT])
    assert (followed.at, followed.range(8)) == (3, LineRange(start=2, end=4))


def test_a_look_alike_elsewhere_is_not_the_quote():
    edited = [TEXT[0], "    other()", *TEXT[2:]]
    assert "    one()" in edited
    assert type_in(anchor(2, TEXT), TEXT, edited).stale


def test_nor_is_one_that_went_and_came_back():
    lost = [TEXT[0], "    other()", *TEXT[2:]]
    without = [line for line in lost if line != "    one()"]
    followed = type_in(anchor(2, TEXT), TEXT, lost, without, lost)
    assert followed.stale
    assert not type_in(followed, lost, TEXT).stale


def test_cut_and_paste_moves_it():
    cut = [line for line in TEXT if line != "    three()"]
    pasted = ["    three()", *cut]
    followed = type_in(anchor(7, TEXT, after=0), TEXT, cut, pasted)
    assert (followed.at, followed.stale) == (1, False)


def test_a_line_typed_below_the_quote_is_in_its_range():
    edited = [*TEXT[:2], "    new()", *TEXT[2:]]
    followed = type_in(anchor(2, TEXT), TEXT, edited)
    assert followed.range(8) == LineRange(start=1, end=4)
