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


def hostile(text: str) -> Report:
    report = golden("edit")
    link = report.links[0].model_copy(
        update={"fact": text, "role": text, "quote": text, "path": text.replace("\n", "")}
    )
    target = report.read_targets[0].model_copy(update={"purpose": text, "path": text})
    changes = {"query": text, "links": (link,), "read_targets": (target,), "missing": (text,)}
    return report.model_copy(update=changes | {"notes": (text,), "model": text})


@pytest.mark.parametrize("name", NAMES)
def test_golden(name: str) -> None:
    check_rendering(name, "md", render_markdown(golden(name)))


def check_harmless(report: Report) -> None:
    kinds = {token.type for token in tokens(render_markdown(report))}
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "table_open"}


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile(text: str) -> None:
    check_harmless(hostile(text))


@pytest.mark.parametrize("text", ["1. item", "12. item", " 3. item", "4) item", "- item", "+ item"])
def test_a_fact_is_no_list(text: str) -> None:
    kinds = [each.type for each in tokens(render_markdown(hostile(text)))]
    plain = [each.type for each in tokens(render_markdown(hostile("item")))]
    assert kinds.count("list_item_open") == plain.count("list_item_open")


@given(st.text("`<>[]()!*_#\\ ab\n|&:/~-.", max_size=30).filter(str.strip))
def test_any_text(text: str) -> None:
    check_harmless(hostile(text))


@given(st.text("`ab \n", min_size=1, max_size=30).filter(str.strip))
def test_a_fence_is_longer_than_what_it_holds(quote: str) -> None:
    fences = [each for each in tokens(render_markdown(hostile(quote))) if each.type == "fence"]
    assert len(fences) == 1


def test_links_only_where_asked() -> None:
    text = render_markdown(golden("explain"), lambda path, lines: f"https://w/{path}>x")
    targets = [each.attrs["href"] for each in tokens(text) if each.type == "link_open"]
    assert targets
    assert all(str(target).endswith("%3Ex") for target in targets)


def test_a_hop_leads_to_the_step_after_its_own() -> None:
    """Even if the flow visits a place twice."""
    report = twice_by_a_place(golden("explain"))
    assert re.findall(r"calls\* step (\d)", render_markdown(report)) == ["2", "3"]
