"""Markdown for people: repository text never becomes markup."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from explorer_core.contracts import Report
from explorer_core.report import render_markdown
from tests.golden import NAMES, check_rendering, golden, twice_by_a_place

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=y>",
    "[x](command:evil)",
    "[x][y]",
    "![x](http://h.io/x.png)",
    "http://h.io www.h.io a@h.io",
    "**bold** _it_ ~~s~~",
    "# head",
    "- item",
    "1. item",
    "> quote",
    "| a | b |",
    "```\n</code>",
    "``a``",
    "` `` `",
    "&lt;b&gt; &#60;",
    "a\\",
    "\\`x\\`",
    "$(command)",
]


def tokens(text: str) -> list[Token]:
    parsed = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
    return [inner for token in parsed for inner in [token, *(token.children or [])]]


def hostile_report(text: str) -> Report:
    report = golden("edit")
    link = report.links[0].model_copy(
        update={"fact": text, "role": text, "quote": text, "path": text.replace("\n", "")}
    )
    target = report.read_targets[0].model_copy(update={"purpose": text, "path": text})
    changes = {"query": text, "links": (link,), "read_targets": (target,), "missing": (text,)}
    return report.model_copy(update=changes | {"notes": (text,), "model": text})


@pytest.mark.parametrize("name", NAMES)
def test_markdown_equals_the_golden_files(name: str) -> None:
    check_rendering(name, "md", render_markdown(golden(name)))


def check_harmless(report: Report) -> None:
    kinds = {token.type for token in tokens(render_markdown(report))}
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "table_open"}


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_becomes_no_markup(text: str) -> None:
    check_harmless(hostile_report(text))


@pytest.mark.parametrize("text", ["1. item", "12. item", " 3. item", "4) item", "- item", "+ item"])
def test_fact_that_looks_like_a_list_item_is_escaped(text: str) -> None:
    kinds = [each.type for each in tokens(render_markdown(hostile_report(text)))]
    expected = [each.type for each in tokens(render_markdown(hostile_report("item")))]
    assert kinds.count("list_item_open") == expected.count("list_item_open")


@given(st.text("`<>[]()!*_#\\ ab\n|&:/~-.", max_size=30).filter(str.strip))
def test_arbitrary_text_becomes_no_markup(text: str) -> None:
    check_harmless(hostile_report(text))


@given(st.text("`ab \n", min_size=1, max_size=30).filter(str.strip))
def test_fence_is_longer_than_any_in_the_quote(quote: str) -> None:
    fences = [
        each for each in tokens(render_markdown(hostile_report(quote))) if each.type == "fence"
    ]
    assert len(fences) == 1


def test_links_are_rendered_only_if_requested() -> None:
    text = render_markdown(golden("explain"), lambda path, lines: f"https://w/{path}>x")
    targets = [each.attrs["href"] for each in tokens(text) if each.type == "link_open"]
    assert targets
    assert all(str(target).endswith("%3Ex") for target in targets)


def test_hop_names_the_following_step() -> None:
    """Even if the flow visits a place twice."""
    report = twice_by_a_place(golden("explain"))
    assert re.findall(r"calls\* step (\d)", render_markdown(report)) == ["2", "3"]
