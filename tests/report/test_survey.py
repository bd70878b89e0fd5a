"""The summary of a survey as text."""

from __future__ import annotations

import pytest

from explorer_core.contracts.survey import MergedFile, SurveySummary
from explorer_core.report.survey import render_summary


@pytest.mark.parametrize(
    ("angles", "shown"),
    [
        (("testing",), "testing"),
        (("a", "b", "c"), "a, b, c"),
        (("a", "b", "c", "d"), "a, b, c and 1 more"),
        (tuple("abcdefghijkl"), "a, b, c and 9 more"),
    ],
)
def test_angles_of_a_file_beyond_three_are_counted(angles: tuple[str, ...], shown: str):
    file = MergedFile(path="a.py", angles=angles, role="config", rationale="It is read.")
    summary = SurveySummary(
        query="", session="/s", manifest=None, files=1, patterns=0, dependencies=0,
        external_refs=0, top_files=(file,),
    )  # fmt: skip
    assert f"1. a.py (config; {shown}) - It is read.\n" in render_summary(summary)
