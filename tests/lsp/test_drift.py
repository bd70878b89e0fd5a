"""Links while the user types: a quote is where its link says, or the link is stale."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from explorer_core.contracts import LineRange
from explorer_core.workspace.source import quote_occurs_at
from lsp_server.reports.drift import Anchor, LineEdit

TEXT = ["def a():", "    one()", "    two()", "    one()", "", "def b():", "    three()"]
LINES = st.lists(st.sampled_from(TEXT), max_size=12)


def make_anchor(at: int, lines: list[str], before: int = 1, after: int = 1) -> Anchor:
    quote = LineRange(start=at, end=at)
    around = LineRange(start=max(1, at - before), end=at + after)
    return Anchor.of(lines[at - 1], quote, around)


def apply_edits(anchor: Anchor, *texts: list[str]) -> Anchor:
    for before, after in pairwise(texts):
        anchor.follow(LineEdit.between(before, after), after)
    return anchor


@given(LINES, LINES)
def test_line_edit_turns_old_text_into_new(before: list[str], after: list[str]):
    edit = LineEdit.between(before, after)
    first, tail = edit.first - 1, edit.first - 1 + edit.removed
    added = after[first : first + edit.added]
    assert before[:first] + added + before[tail:] == after


@given(st.integers(1, 7), st.lists(LINES, min_size=1, max_size=6))
def test_quote_is_at_its_line_unless_stale(at: int, texts: list[list[str]]):
    anchor = make_anchor(at, TEXT)
    for before, after in zip([TEXT, *texts], texts, strict=False):
        anchor.follow(LineEdit.between(before, after), after)
        lines, quote = anchor.range(len(after)), anchor.quote_range(len(after))
        assert lines.covers(quote)
        assert anchor.stale or quote_occurs_at(anchor.quote, quote.start, after)


@given(st.integers(1, 7), st.integers(0, 6), st.integers(0, 7), LINES)
def test_undo_restores_a_stale_link(at: int, start: int, length: int, text: list[str]):
    edited = TEXT[:start] + text + TEXT[start + length :]
    anchor = make_anchor(at, TEXT, before=0, after=0)
    expected = anchor.quote_range(7)
    apply_edits(anchor, TEXT, edited)
    if anchor.stale:
        apply_edits(anchor, edited, TEXT)
        assert not anchor.stale
        assert anchor.quote_range(7) == expected


def test_lines_inserted_above_move_link_down():
    anchor = apply_edits(make_anchor(2, TEXT), TEXT, ["import x", *TEXT])
    assert (anchor.at, anchor.range(8)) == (3, LineRange(start=2, end=4))


def test_quoted_line_put_into_a_comment_is_stale_until_it_is_back():
    anchor = Anchor.of("one()", LineRange(start=2, end=2), LineRange(start=1, end=3), TEXT)
    commented = [TEXT[0], "    # one()", *TEXT[2:]]
    indented = [TEXT[0], "        one()", *TEXT[2:]]
    assert not apply_edits(anchor, TEXT, indented).stale
    assert apply_edits(anchor, indented, commented).stale
    assert not apply_edits(anchor, commented, TEXT).stale


def test_quote_of_part_of_a_line_stays_while_the_part_is_there():
    anchor = Anchor.of("one", LineRange(start=2, end=2), LineRange(start=1, end=3), TEXT)
    assert not apply_edits(anchor, TEXT, [TEXT[0], "    one(1)", *TEXT[2:]]).stale


def test_identical_line_elsewhere_does_not_replace_edited_quote():
    edited = [TEXT[0], "    other()", *TEXT[2:]]
    assert "    one()" in edited
    assert apply_edits(make_anchor(2, TEXT), TEXT, edited).stale


def test_identical_line_deleted_and_retyped_does_not_revive_link():
    edited = [TEXT[0], "    other()", *TEXT[2:]]
    without = [line for line in edited if line != "    one()"]
    anchor = apply_edits(make_anchor(2, TEXT), TEXT, edited, without, edited)
    assert anchor.stale
    assert not apply_edits(anchor, edited, TEXT).stale


def test_cut_and_paste_moves_link():
    cut = [line for line in TEXT if line != "    three()"]
    pasted = ["    three()", *cut]
    anchor = apply_edits(make_anchor(7, TEXT, after=0), TEXT, cut, pasted)
    assert (anchor.at, anchor.stale) == (1, False)


def test_line_typed_below_quote_extends_link_range():
    edited = [*TEXT[:2], "    new()", *TEXT[2:]]
    anchor = apply_edits(make_anchor(2, TEXT), TEXT, edited)
    assert anchor.range(8) == LineRange(start=1, end=4)
