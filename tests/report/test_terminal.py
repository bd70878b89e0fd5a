"""The terminal form: only the console emits colours, and no control characters get through."""

from __future__ import annotations

import io
import re

from rich.console import Console

from explorer_core.contracts import Report
from explorer_core.report.terminal import Hyperlink, terminal_report
from tests.golden import golden, twice_by_a_place


def print_report(
    report: Report, hyperlink: Hyperlink | None = None, *, colours: bool = False
) -> str:
    out = io.StringIO()
    console = Console(
        file=out, width=200, force_terminal=colours, color_system="truecolor" if colours else None
    )
    console.print(terminal_report(report, hyperlink) if hyperlink else terminal_report(report))
    return out.getvalue()


def test_places_facts_quotes_and_hops_are_shown() -> None:
    text = print_report(golden("explain"))
    assert "shop/routes.py:3-6" in text
    assert "│ store.save(order)" in text
    assert "↓ calls 2, line 5 (graph:import)" in text


def test_control_characters_and_markup_have_no_effect() -> None:
    link = (
        golden("explain")
        .links[0]
        .model_copy(
            update={"path": "a\x1b[2J.py", "fact": "[red]x[/red] \x07", "quote": "y \x9b31m"}
        )
    )
    text = print_report(golden("explain").model_copy(update={"links": (link,)}))
    assert "[red]x[/red]" in text
    assert not {"\x1b", "\x07", "\x9b"} & set(text)


def test_hyperlinks_are_rendered_only_if_requested() -> None:
    assert "\x1b]8;" not in print_report(golden("explain"), colours=True)
    linked = print_report(
        golden("explain"), lambda path, line: f"file:///w/{path}#{line}", colours=True
    )
    assert "file:///w/shop/orders.py#1" in linked


def test_empty_report_says_that_nothing_was_found() -> None:
    assert "nothing relevant found" in print_report(golden("skip"))


def test_hop_names_the_following_step() -> None:
    """Even if the flow visits a place twice."""
    report = twice_by_a_place(golden("explain"))
    assert re.findall(r"calls (\d)", print_report(report)) == ["2", "3"]
