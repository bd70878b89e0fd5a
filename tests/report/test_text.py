"""The text form: within its budget, no line truncated, each path once."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer_core.contracts import LineRange, PrimaryPlace, Report, Settings
from explorer_core.report import render_text
from tests.golden import NAMES, check_rendering, golden
from tests.strategies import reports

BUDGET = Settings().report_chars


@pytest.mark.parametrize("name", NAMES)
def test_text_equals_the_golden_files(name: str) -> None:
    check_rendering(name, "txt", render_text(golden(name), BUDGET))


def json_block(text: str) -> dict[str, Any]:
    """The JSON block at the end of the text."""
    return json.loads(text.rpartition("```json\n")[2].removesuffix("```\n"))


def lines_outside_json(text: str) -> list[str]:
    """The lines outside the JSON block that are neither the query nor source text."""
    lines = text.rpartition("```json\n")[0].splitlines()
    return [line for line in lines if not line.startswith(("Query:", "   > "))]


@given(reports(), st.integers(400, 4000))
def test_text_keeps_to_its_budget(report: Report, budget: int) -> None:
    assert len(render_text(report, budget)) <= budget


@given(reports(), st.integers(400, 4000))
def test_json_block_is_complete(report: Report, budget: int) -> None:
    found = json_block(render_text(report, budget))
    assert (found["action"], found["confidence"]) == (report.action, report.confidence)


_MENTION = re.compile(r"\[\d+\]|another file|(?:deep/)*[abcxyz]+_file\.py")


def texts_of_links(report: Report, budget: int) -> dict[str, str]:
    """The text of each link after its place, by number, with mentions of places normalised."""
    texts: dict[str, str] = {}
    for line in lines_outside_json(render_text(report, budget)):
        step = re.match(r"(\d+)\. (?:\[\d+\] |\S+:)\d+-\d+", line)
        if step:
            texts[step[1]] = _MENTION.sub("@", line[step.end() :])
    return texts


@given(reports(), st.integers(400, 4000))
def test_text_of_a_link_is_complete_or_lacks_its_fact(report: Report, budget: int) -> None:
    """A link's text is complete, or its fact is left out as a whole."""
    complete = texts_of_links(report, 10**6)
    for number, words in texts_of_links(report, budget).items():
        rest = complete[number].removeprefix(words)
        assert complete[number].startswith(words)
        assert rest == "" or rest.startswith(" - ")


@given(reports(), st.integers(400, 4000))
def test_quotes_are_complete_or_left_out(report: Report, budget: int) -> None:
    text = render_text(report, budget)
    whole = {line.strip() for link in report.links for line in link.quote.split("\n")}
    assert {line[5:] for line in text.splitlines() if line.startswith("   > ")} <= whole


@given(reports(), st.integers(400, 4000))
def test_each_path_occurs_once(report: Report, budget: int) -> None:
    text = "\n".join(lines_outside_json(render_text(report, budget)))
    for path in {place.path for place in (*report.links, *report.read_targets)}:
        assert len(re.findall(rf"(?<![\w/]){re.escape(path)}", text)) <= 1


@given(reports())
def test_first_and_last_step_of_a_flow_are_kept(report: Report) -> None:
    text = render_text(report, 2500)
    if report.links and report.action != "skip_explore_result":
        hops = [number for number, link in enumerate(report.links[:-1], 1) if link.hop]
        for number in (1, *(last + 1 for last in hops[-1:])):
            assert re.search(rf"^{number}\. ", text, re.MULTILINE)


def report_with_links(count: int, **changes: object) -> Report:
    link = golden("explain").links[0]
    links = tuple(
        link.model_copy(update={"id": f"c{n}", "path": f"a/b{n}.py", "hop": None} | changes)
        for n in range(1, count + 1)
    )
    return golden("explain").model_copy(update={"links": links, "read_targets": (), "primary": ()})


def test_omitted_steps_are_counted() -> None:
    text = render_text(report_with_links(8, fact="word " * 40), 1500)
    shown = re.findall(r"^(\d)\. ", text, re.MULTILINE)
    omitted = re.search(
        r"Omitted for length: (\d) steps? \(a larger report_chars shows more\)", text
    )
    assert omitted
    assert len(shown) + int(omitted[1]) == 8
    assert shown == [str(number) for number in range(1, len(shown) + 1)]


@pytest.mark.parametrize("budget", range(300, 3200, 50))
def test_omission_counts_match_what_is_missing(budget: int) -> None:
    target = golden("edit").read_targets[0].model_copy(update={"purpose": "to see " * 9})
    targets = [target.model_copy(update={"path": f"c/d{at}.py"}) for at in range(4)]
    report = report_with_links(5, fact="word " * 20).model_copy(
        update={"read_targets": (*targets,)}
    )
    text = render_text(report, budget)
    assert len(text) <= budget
    statement = re.search(r"Omitted for length: ([^(]*)", text)
    counts = re.findall(r"(\d) ([a-z ]+?)s?(?:,| $)", statement[1] if statement else "")
    omitted = {kind: int(number) for number, kind in counts}
    steps = re.findall(r"^\d\. .*", text, re.MULTILINE)
    places = text.partition("```json")[0].count("c/d")
    assert len(steps) == 5 - omitted.get("step", 0)
    assert places == 4 - omitted.get("read target", 0)
    assert text.count("   > ") == min(len(steps), 5 - omitted.get("quote", 0))
    assert sum("word" in step for step in steps) == min(len(steps), 5 - omitted.get("fact", 0))
    assert len(re.findall(r"d\d.py:\d+-\d+ - to see", text)) == min(
        places, 4 - omitted.get("purpose", 0)
    )


@pytest.mark.parametrize("query", ["How?", "How " * 100])
def test_report_over_a_tiny_budget_drops_steps(query: str) -> None:
    report = report_with_links(3, path="deep/" * 60 + "a.py").model_copy(update={"query": query})
    assert len(render_text(report, 200)) <= 300


def test_links_after_the_flow_are_dropped_before_its_steps() -> None:
    report = report_with_links(8, fact="word " * 40)
    hop = golden("explain").links[0].hop
    flow = [link.model_copy(update={"hop": hop}) for link in report.links[:4]]
    report = report.model_copy(update={"links": (*flow, *report.links[4:])})
    for budget in range(600, 3000, 100):
        shown = re.findall(r"^(\d)\. ", render_text(report, budget), re.MULTILINE)
        assert len(shown) < 2 or {"1", "5"} <= {*shown}


@pytest.mark.parametrize(
    ("roles", "kept"),
    [
        (["entry", "step", "step", "effect", "also", "also"], [1, 2, 3, 4]),
        (["effect", "step", "entry", "also"], [1, 2, 3]),
        (["definition", "user", "user", "user", "user", "also"], [1, 2, 3]),
        (["registration", "example", "definition", "user", "user", "user"], [1, 2, 3, 4, 5]),
    ],
)
@pytest.mark.parametrize("further_hops", [0, 1])
def test_additional_links_are_dropped_before_the_steps(
    roles: list[str], kept: list[int], further_hops: int
) -> None:
    """Even if a call joins the first of them to the last step, or it is a primary place. The last
    read targets are dropped before a step, too."""
    report = report_with_links(len(roles), fact="word " * 40)
    hop = golden("explain").links[0].hop
    links = [
        link.model_copy(
            update={"role": role, "hop": hop if at < len(kept) + further_hops else None}
        )
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
        assert set(shown) <= set(kept) or set(kept) <= set(shown)
        assert len(re.findall(r"c/d\d", text.partition("```json")[0])) <= 2 or set(kept) <= set(
            shown
        )


@pytest.mark.parametrize(
    ("ranges", "merged"),
    [
        ([(788, 847), (768, 827)], [[768, 847]]),
        ([(10, 20), (30, 40), (15, 35)], [[10, 40]]),
        ([(30, 40), (10, 20), (20, 25), (12, 13)], [[30, 40], [10, 25]]),
        ([(10, 20), (21, 30)], [[10, 20], [21, 30]]),
    ],
)
def test_overlapping_ranges_to_read_are_merged(
    ranges: list[tuple[int, int]], merged: list[list[int]]
) -> None:
    report = report_with_links(1, path="a/b.py")
    spans = [LineRange(start=start, end=end) for start, end in ranges]
    link = report.links[0].model_copy(update={"range": spans[0], "quote_range": spans[0]})
    target = golden("edit").read_targets[0]
    targets = [target.model_copy(update={"path": "a/b.py", "range": span}) for span in spans[1:]]
    report = report.model_copy(update={"links": (link,), "read_targets": (*targets,)})
    assert json_block(render_text(report, BUDGET))["paths"] == {"a/b.py": merged}


@pytest.mark.parametrize("primary", [(), (6,), (6, 7)])
def test_primary_steps_are_kept_and_gaps_marked(primary: tuple[int, ...]) -> None:
    report = report_with_links(8, fact="word " * 40)
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


def test_purposes_are_dropped_before_links() -> None:
    target = golden("edit").read_targets[0].model_copy(update={"purpose": "to see " * 15})
    report = report_with_links(3).model_copy(update={"read_targets": (target,) * 6})
    text = render_text(report, 1200)
    assert len(re.findall(r"^\d\. ", text, re.MULTILINE)) == 3
    assert re.search(r"Omitted for length: \d purposes?", text)
    shown = {render_text(report, budget).count(" - to see") for budget in range(700, 3000, 40)}
    assert shown == {*range(7)}


@pytest.mark.parametrize(
    ("budget", "listed"),
    [(2500, {"a/b1.py", "c/to_read.py", "c/optional.py"}), (900, {"a/b1.py", "c/to_read.py"})],
)
def test_json_block_lists_optional_places_only_if_there_is_room(budget: int, listed: set[str]):
    target = golden("edit").read_targets[0].model_copy(update={"purpose": "to see " * 15})
    targets = [
        target.model_copy(update={"path": f"c/{name}.py", "required": name == "to_read"})
        for name in ("to_read", "optional")
    ]
    report = report_with_links(1, fact="word " * 60).model_copy(
        update={"read_targets": (*targets,)}
    )
    text = render_text(report, budget)
    assert json_block(text)["paths"].keys() == listed
    assert ("Omitted for length" in text) == (budget == 900)
    assert "c/optional.py:" in text


def test_notes_are_kept_while_purposes_and_users_are_dropped() -> None:
    target = golden("edit").read_targets[0].model_copy(update={"purpose": "to see " * 15})
    report = report_with_links(9, role="user").model_copy(
        update={"read_targets": (target,) * 6, "notes": ("The index is still being built.",)}
    )
    text = render_text(report, 1200)
    assert "Note: The index is still being built." in text
    assert re.search(r"Omitted for length: 6 purposes, .*\d steps", text)


def test_later_mentions_of_a_path_use_its_number() -> None:
    report = report_with_links(2, path="a/b.py", fact="In a/b.py it ends.")
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


def test_primary_places_are_shown_without_a_flow() -> None:
    report = golden("explain").model_copy(update={"links": (), "read_targets": ()})
    assert "Primary: shop/orders.py:1-5" in render_text(report, BUDGET)


def test_hostile_text_stays_on_one_line() -> None:
    report = report_with_links(1, path="a\n```json\n{}/b.py", quote="x\x1b[31m```", role="\u202ee")
    text = render_text(report, BUDGET)
    assert text.count("\n```json\n") == 1
    assert all(line.isprintable() for line in text.splitlines())
    assert isinstance(json_block(text)["paths"], dict)


def test_partial_index_is_mentioned() -> None:
    assert "Coverage: 3 of 4 files indexed" in render_text(golden("edit"), BUDGET)


def test_empty_report_says_that_nothing_was_found() -> None:
    assert "nothing relevant found" in render_text(golden("skip"), BUDGET).splitlines()


def test_single_line_is_written_as_a_range() -> None:
    assert "1. a/b1.py:5-5" in render_text(
        report_with_links(1, range=LineRange(start=5, end=5)), BUDGET
    )
