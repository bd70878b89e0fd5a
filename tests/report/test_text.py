"""The text form: within its budget, no line truncated, each path once."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer_core.contracts import LineRange, PrimaryPlace, Report, Settings
from explorer_core.report import render_text
from tests.golden import NAMES, check_rendering, golden
from tests.strategies import reports

BUDGET = Settings().report_chars


@pytest.mark.parametrize("name", NAMES)
def test_golden(name: str) -> None:
    check_rendering(name, "txt", render_text(golden(name), BUDGET))


def block(text: str) -> dict[str, object]:
    """The JSON block at the end of the text."""
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


_MENTION = re.compile(r"\[\d+\]|another file|(?:deep/)*[abcxyz]+_file\.py")


def words_of(report: Report, budget: int) -> dict[str, str]:
    """The text of each link after its place, by number, with mentions of places normalised."""
    said: dict[str, str] = {}
    for line in told(render_text(report, budget)):
        step = re.match(r"(\d+)\. (?:\[\d+\] |\S+:)\d+-\d+", line)
        if step:
            said[step[1]] = _MENTION.sub("@", line[step.end() :])
    return said


@given(reports(), st.integers(400, 4000))
def test_no_line_is_cut(report: Report, budget: int) -> None:
    """A link's text is complete, or its fact is left out as a whole."""
    whole = words_of(report, 10**6)
    for number, words in words_of(report, budget).items():
        rest = whole[number].removeprefix(words)
        assert whole[number].startswith(words)
        assert rest == "" or rest.startswith(" - ")


@given(reports(), st.integers(400, 4000))
def test_a_quote_is_whole_or_not_there(report: Report, budget: int) -> None:
    text = render_text(report, budget)
    whole = {line.strip() for link in report.links for line in link.quote.split("\n")}
    assert {line[5:] for line in text.splitlines() if line.startswith("   > ")} <= whole


@given(reports(), st.integers(400, 4000))
def test_each_path_stands_once(report: Report, budget: int) -> None:
    text = "\n".join(told(render_text(report, budget)))
    for path in {place.path for place in (*report.links, *report.read_targets)}:
        assert len(re.findall(rf"(?<![\w/]){re.escape(path)}", text)) <= 1


@given(reports())
def test_the_ends_of_a_flow_stay(report: Report) -> None:
    text = render_text(report, 2500)
    if report.links and report.action != "skip_explore_result":
        hops = [number for number, link in enumerate(report.links[:-1], 1) if link.hop]
        for number in (1, *(last + 1 for last in hops[-1:])):
            assert re.search(rf"^{number}\. ", text, re.MULTILINE)


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
    left = re.search(r"Omitted for length: (\d) steps? \(a larger report_chars shows more\)", text)
    assert left
    assert len(shown) + int(left[1]) == 8
    assert shown == [str(number) for number in range(1, len(shown) + 1)]


@pytest.mark.parametrize("budget", range(300, 3200, 50))
def test_what_leaves_of_each_kind_is_what_is_said_to(budget: int) -> None:
    target = golden("edit").read_targets[0].model_copy(update={"purpose": "to see " * 9})
    targets = [target.model_copy(update={"path": f"c/d{at}.py"}) for at in range(4)]
    report = with_links(5, fact="word " * 20).model_copy(update={"read_targets": (*targets,)})
    text = render_text(report, budget)
    assert len(text) <= budget
    said = re.search(r"Omitted for length: ([^(]*)", text)
    counts = re.findall(r"(\d) ([a-z ]+?)s?(?:,| $)", said[1] if said else "")
    left = {kind: int(number) for number, kind in counts}
    steps = re.findall(r"^\d\. .*", text, re.MULTILINE)
    places = text.partition("```json")[0].count("c/d")
    assert len(steps) == 5 - left.get("step", 0)
    assert places == 4 - left.get("read target", 0)
    assert text.count("   > ") == min(len(steps), 5 - left.get("quote", 0))
    assert sum("word" in step for step in steps) == min(len(steps), 5 - left.get("fact", 0))
    assert len(re.findall(r"d\d.py:\d+-\d+ - to see", text)) == min(
        places, 4 - left.get("purpose", 0)
    )


@pytest.mark.parametrize("query", ["How?", "How " * 100])
def test_at_the_worst_the_steps_leave_too(query: str) -> None:
    report = with_links(3, path="deep/" * 60 + "a.py").model_copy(update={"query": query})
    assert len(render_text(report, 200)) <= 300


def test_what_is_told_after_a_flow_leaves_before_its_steps() -> None:
    report = with_links(8, fact="word " * 40)
    hop = golden("explain").links[0].hop
    flow = [link.model_copy(update={"hop": hop}) for link in report.links[:4]]
    report = report.model_copy(update={"links": (*flow, *report.links[4:])})
    for budget in range(600, 3000, 100):
        shown = re.findall(r"^(\d)\. ", render_text(report, budget), re.MULTILINE)
        assert len(shown) < 2 or {"1", "5"} <= {*shown}


@pytest.mark.parametrize(
    ("roles", "stay"),
    [
        (["entry", "step", "step", "effect", "also", "also"], [1, 2, 3, 4]),
        (["effect", "step", "entry", "also"], [1, 2, 3]),
        (["definition", "user", "user", "user", "user", "also"], [1, 2, 3]),
        (["registration", "example", "definition", "user", "user", "user"], [1, 2, 3, 4, 5]),
    ],
)
@pytest.mark.parametrize("told", [0, 1])
def test_what_goes_with_a_flow_leaves_before_what_it_comes_by(
    roles: list[str], stay: list[int], told: int
) -> None:
    """Even if a call joins the first of them to the last step, or it is a primary place. The last
    read targets are dropped before a step, too."""
    report = with_links(len(roles), fact="word " * 40)
    hop = golden("explain").links[0].hop
    links = [
        link.model_copy(update={"role": role, "hop": hop if at < len(stay) + told else None})
        for at, (link, role) in enumerate(zip(report.links, roles, strict=True), 1)
    ]
    places = [PrimaryPlace(id=each.id, path=each.path, range=each.range) for each in links]
    target = golden("edit").read_targets[0]
    targets = [target.model_copy(update={"path": f"c/d{at}.py"}) for at in range(5)]
    report = report.model_copy(
        update={"links": (*links,), "primary": (*places[4:],), "read_targets": (*targets,)}
    )
    for budget in range(600, 3000, 50):
        text = render_text(report, budget)
        shown = [int(number) for number in re.findall(r"^(\d)\. ", text, re.MULTILINE)]
        assert set(shown) <= set(stay) or set(stay) <= set(shown)
        assert len(re.findall(r"c/d\d", text.partition("```json")[0])) <= 2 or set(stay) <= set(
            shown
        )


@pytest.mark.parametrize(
    ("shown", "read"),
    [
        ([(788, 847), (768, 827)], [[768, 847]]),
        ([(10, 20), (30, 40), (15, 35)], [[10, 40]]),
        ([(30, 40), (10, 20), (20, 25), (12, 13)], [[30, 40], [10, 25]]),
        ([(10, 20), (21, 30)], [[10, 20], [21, 30]]),
    ],
)
def test_no_line_is_to_be_read_twice(shown: list[tuple[int, int]], read: list[list[int]]) -> None:
    report = with_links(1, path="a/b.py")
    spans = [LineRange(start=start, end=end) for start, end in shown]
    link = report.links[0].model_copy(update={"range": spans[0], "quote_range": spans[0]})
    target = golden("edit").read_targets[0]
    targets = [target.model_copy(update={"path": "a/b.py", "range": span}) for span in spans[1:]]
    report = report.model_copy(update={"links": (link,), "read_targets": (*targets,)})
    assert block(render_text(report, BUDGET))["paths"] == {"a/b.py": read}


@pytest.mark.parametrize("primary", [(), (6,), (6, 7)])
def test_primary_steps_stay_and_a_gap_is_said(primary: tuple[int, ...]) -> None:
    report = with_links(8, fact="word " * 40)
    places = tuple(
        PrimaryPlace(id=link.id, path=link.path, range=link.range)
        for at, link in enumerate(report.links, 1)
        if at in primary
    )
    report = report.model_copy(update={"primary": places})
    for budget in range(600, 3000, 100):
        lines = render_text(report, budget).splitlines()
        shown = [int(line.partition(".")[0]) for line in lines if re.match(r"\d\. ", line)]
        assert len(shown) < 2 or set(primary) <= set(shown) or set(shown) <= {1, *primary}
        gaps = [range(a + 1, b) for a, b in pairwise(shown) if b > a + 1]
        assert [line for line in lines if line.endswith(" left out)")] == [
            f"   (step {gap[0]} left out)"
            if len(gap) == 1
            else f"   (steps {gap[0]}-{gap[-1]} left out)"
            for gap in gaps
        ]


def test_purposes_leave_before_links() -> None:
    target = golden("edit").read_targets[0].model_copy(update={"purpose": "to see " * 15})
    report = with_links(3).model_copy(update={"read_targets": (target,) * 6})
    text = render_text(report, 1200)
    assert len(re.findall(r"^\d\. ", text, re.MULTILINE)) == 3
    assert re.search(r"Omitted for length: \d purposes?", text)
    shown = {render_text(report, budget).count(" - to see") for budget in range(700, 3000, 40)}
    assert shown == {*range(7)}


def test_notes_stay_while_purposes_and_users_can_leave() -> None:
    target = golden("edit").read_targets[0].model_copy(update={"purpose": "to see " * 15})
    report = with_links(9, role="user").model_copy(
        update={"read_targets": (target,) * 6, "notes": ("The index is still being built.",)}
    )
    text = render_text(report, 1200)
    assert "Note: The index is still being built." in text
    assert re.search(r"Omitted for length: 6 purposes, .*\d steps", text)


def test_later_mentions_use_the_number_save_at_the_place_itself() -> None:
    report = with_links(2, path="a/b.py", fact="In a/b.py it ends.")
    report = report.model_copy(update={"missing": ("a/b.py has no end",)})
    text = render_text(report, BUDGET)
    assert "1. a/b.py:3-6" in text
    assert "2. [1] 3-6 (entry) - In b.py it ends." in text
    assert "Missing: [1] has no end" in text


def test_a_long_query_is_shown_up_to_200_characters() -> None:
    report = golden("skip").model_copy(update={"query": "why " * 500})
    shown = re.search(r'Query: "(.*?)"', render_text(report, BUDGET))
    assert shown
    assert 150 < len(shown[1]) <= 200


def test_only_primary_places() -> None:
    report = golden("explain").model_copy(update={"links": (), "read_targets": ()})
    assert "Primary: shop/orders.py:1-5" in render_text(report, BUDGET)


def test_hostile_text_stays_on_its_line() -> None:
    report = with_links(1, path="a\n```json\n{}/b.py", quote="x\x1b[31m```", role="\u202ee")
    text = render_text(report, BUDGET)
    assert text.count("\n```json\n") == 1
    assert all(line.isprintable() for line in text.splitlines())
    assert isinstance(block(text)["paths"], dict)


def test_a_partial_index_is_said() -> None:
    assert "Coverage: 3 of 4 files indexed" in render_text(golden("edit"), BUDGET)


def test_the_sentence_for_nothing() -> None:
    assert "nothing relevant found" in render_text(golden("skip"), BUDGET).splitlines()


def test_single_lines_are_ranges_too() -> None:
    assert "1. a/b1.py:5-5" in render_text(with_links(1, range=LineRange(start=5, end=5)), BUDGET)
