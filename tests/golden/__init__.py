"""Golden reports, against which every face is tested. ``UPDATE_EXPECT=1`` rewrites renderings."""

from __future__ import annotations

import os
from pathlib import Path

from explorer_core.contracts import Report

FOLDER = Path(__file__).parent
NAMES = ("explain", "edit", "skip")


def golden(name: str) -> Report:
    """One of the golden reports."""
    return Report.model_validate_json((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def check_rendering(name: str, suffix: str, actual: str) -> None:
    """Compare a rendering with the one stored next to the golden report."""
    kept = FOLDER / f"{name}.{suffix}"
    if os.environ.get("UPDATE_EXPECT"):
        kept.write_text(actual, encoding="utf-8", newline="\n")
    assert actual == kept.read_text(encoding="utf-8")


def twice_by_a_place(report: Report) -> Report:
    """The report with another link at the end of its flow, at the same place as the second link."""
    again = report.links[1].model_copy(update={"hop": None})
    return report.model_copy(update={"links": (*report.links, again)})
