"""Mermaid and CodeTour: the flow's places in order, without anything that could be markup."""

from __future__ import annotations

import json
import re

from explorer_core.report import render_codetour, render_json, render_mermaid
from tests.golden import FOLDER, golden


def test_json_equals_the_golden_file() -> None:
    expected = (FOLDER / "explain.json").read_text(encoding="utf-8")
    assert json.loads(render_json(golden("explain"))) == json.loads(expected)


def test_mermaid_has_a_node_per_link_and_an_arrow_per_hop() -> None:
    text = render_mermaid(golden("explain"))
    assert re.findall(r"^  (n\d)\[", text, re.MULTILINE) == ["n1", "n2", "n3"]
    assert re.findall(r"^  (n\d) -->.* (n\d)$", text, re.MULTILINE) == [("n1", "n2"), ("n2", "n3")]


def test_mermaid_arrows_follow_the_relation() -> None:
    report = golden("explain")
    backwards = tuple(reversed(report.links))
    hop = report.links[0].hop
    assert hop
    links = (
        backwards[1].model_copy(update={"hop": hop}),
        backwards[2].model_copy(update={"hop": None}),
    )
    text = render_mermaid(report.model_copy(update={"links": links}))
    assert re.search(r"^  n2 -->.* n1$", text, re.MULTILINE)


def test_mermaid_labels_contain_no_markup() -> None:
    link = (
        golden("explain")
        .links[0]
        .model_copy(update={"fact": '"] --> x["<b>', "path": "a\nb`.py", "hop": None})
    )
    lines = render_mermaid(golden("explain").model_copy(update={"links": (link,)})).splitlines()
    assert len(lines) == 2
    assert re.fullmatch(r'  n1\["(?:[\w ./#;-]|<br/>)*"\]', lines[1])


def test_codetour_steps_point_at_the_quotes() -> None:
    tour = json.loads(render_codetour(golden("explain")))
    assert [(step["file"], step["line"]) for step in tour["steps"]] == [
        ("shop/routes.py", 5),
        ("shop/orders.py", 4),
        ("shop/store.py", 4),
    ]


def test_codetour_steps_of_several_folders_have_full_uris() -> None:
    report = golden("explain")
    tour = json.loads(render_codetour(report, lambda path: f"file:///w/{path}"))
    assert [step["uri"] for step in tour["steps"]] == [f"file:///w/{e.path}" for e in report.links]
    assert not any("file" in step for step in tour["steps"])
    without_uris = json.loads(render_codetour(report, lambda path: None))
    assert [step["file"] for step in without_uris["steps"]] == [each.path for each in report.links]


def test_codetour_descriptions_are_escaped() -> None:
    link = golden("explain").links[0].model_copy(update={"fact": "[x](command:y) <b> >> echo"})
    tour = json.loads(render_codetour(golden("explain").model_copy(update={"links": (link,)})))
    assert "](" not in tour["steps"][0]["description"]
    assert "\\<b\\>" in tour["steps"][0]["description"]
