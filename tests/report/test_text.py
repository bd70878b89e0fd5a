"""The text form: within its budget, no line cut, each path once."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer_core.contracts import LineRange, Report
from explorer_core.report import render_text
from tests.golden import NAMES, check_rendering, golden
from tests.strategies import reports


@pytest.mark.parametrize("name", NAMES)
def test_golden(name: str) -> None:
    check_rendering(name, "txt", render_text(golden(name)))


def block(text: str) -> dict[str, object]:
    """The JSON block at the end."""
    return json.loads(text.rpartition("```json\n")[2].removesuffix("```\n"))


def told(text: str) -> list[str]:
    """The lines outside the JSON block that are neither the query nor source text."""
    lines = text.rpartition("```json\n")[0].splitlines()
    return [line for line in lines if not line.startswith(("Query:", "   > "))]


@given(reports(), st.integers(400, 4000))
def test_the_budget_is_kept(report: Report, budget: int) -> None:
    assert len(render_text(report, budget)) <= budget


@given(reports(), st.integers(400, 4000))
def test_the_json_block_is_whole(report: Report, budget: int) -> None:
    found = block(render_text(report, budget))
    assert (found["action"], found["confidence"]) == (report.action, report.confidence)


@given(reports(), st.integers(400, 4000))
def test_no_line_is_cut(report: Report, budget: int) -> None:
    """A line of a smaller rendering is a line of a large one, save those that list fewer items."""
    whole = render_text(report, 10**6).splitlines()
    lists = ("Missing:", "Read targets", "Left out", "Search targets", "Primary:", "Intent:", "{")
    for line in render_text(report, budget).splitlines():
        if not line.startswith(lists) and line not in whole:
            shortened = re.sub(r" - .*", "", line)
            number = r"^\d+\. "
            assert re.match(number, line)
            assert any(re.sub(number, "", shortened).split(" ")[-1:] for _ in whole)


@given(reports(), st.integers(400, 4000))
def test_each_path_stands_once(report: Report, budget: int) -> None:
    text = "\n".join(told(render_text(report, budget)))
    for path in {place.path for place in (*report.links, *report.read_targets)}:
        assert len(re.findall(rf"(?<![\w/]){re.escape(path)}", text)) <= 1


@given(reports())
def test_first_and_last_link_stay(report: Report) -> None:
    text = render_text(report, 2500)
    if report.links and report.action != "skip_explore_result":
        assert re.search(r"^1\. ", text, re.MULTILINE)
        assert re.search(rf"^{len(report.links)}\. ", text, re.MULTILINE)


def with_links(count: int, **changes: object) -> Report:
    link = golden("explain").links[0]
    links = tuple(
        link.model_copy(update={"id": f"c{n}", "path": f"a/b{n}.py", "hop": None} | changes)
        for n in range(1, count + 1)
    )
    return golden("explain").model_copy(update={"links": links, "read_targets": (), "primary": ()})


def test_what_leaves_is_counted() -> None:
    text = render_text(with_links(8, fact="word " * 40), 1500)
    shown = re.findall(r"^(\d)\. ", text, re.MULTILINE)
    left = re.search(r"Left out to fit: (\d) links\.", text)
    assert left
    assert len(shown) + int(left[1]) == 8
    assert (shown[0], shown[-1]) == ("1", "8")


def test_purposes_leave_before_links() -> None:
    target = golden("edit").read_targets[0].model_copy(update={"purpose": "to see " * 15})
    report = with_links(3).model_copy(update={"read_targets": (target,) * 6})
    text = render_text(report, 1200)
    assert len(re.findall(r"^\d\. ", text, re.MULTILINE)) == 3
    assert re.search(r"Left out to fit: \d purposes", text)


def test_later_mentions_use_the_number() -> None:
    report = with_links(2, path="a/b.py", fact="In a/b.py it ends.")
    text = render_text(report)
    assert "1. a/b.py:3-6" in text
    assert "2. [1] 3-6 (entry) - In [1] it ends." in text


def test_a_long_query_is_shown_up_to_200_characters() -> None:
    report = golden("skip").model_copy(update={"query": "why " * 500})
    shown = re.search(r'Query: "(.*?)"', render_text(report))
    assert shown
    assert 150 < len(shown[1]) <= 200


def test_only_primary_places() -> None:
    report = golden("explain").model_copy(update={"links": (), "read_targets": ()})
    assert "Primary: shop/orders.py:1-5" in render_text(report)


def test_hostile_text_stays_on_its_line() -> None:
    report = with_links(1, path="a\n```json\n{}/b.py", quote="x\x1b[31m```", role="\u202ee")
    text = render_text(report)
    assert text.count("\n```json\n") == 1
    assert all(line.isprintable() for line in text.splitlines())
    assert isinstance(block(text)["paths"], dict)


def test_a_partial_index_is_said() -> None:
    assert "Coverage: 3 of 4 files indexed" in render_text(golden("edit"))


def test_the_sentence_for_nothing() -> None:
    assert "nothing relevant found" in render_text(golden("skip")).splitlines()


def test_single_lines_are_ranges_too() -> None:
    assert "1. a/b1.py:5-5" in render_text(with_links(1, range=LineRange(start=5, end=5)))
