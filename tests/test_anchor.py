"""A question that starts from a place and says little else."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.contracts import Anchor, ExploreRequest, Settings
from explorer_core.workspace import Workspace
from tests.fixture import parse
from tests.workers import explorer_of

LONG = "def process(data):\n" + "".join(
    f"    value_{at} = step_{at}(data)\n" for at in range(2, 301)
)
NOTES = "".join(f"Paragraph {at} is about nothing.\n" for at in range(1, 301))
FILES = f"""//- big.py
{LONG}
def other(data):
    return data
//- notes.txt
{NOTES}"""
"""Line N of the function has ``step_N``."""


@pytest.mark.parametrize(
    ("anchor", "expected"),
    [
        (Anchor(path="big.py", line=250), (181, 300)),
        (Anchor(path="big.py", line=150), (91, 210)),
        (Anchor(path="./big.py", line=5), (1, 120)),
        (Anchor(path="big.py", line=299, end_line=300), (181, 300)),
        (Anchor(path="big.py", line=303), (302, 303)),
        (Anchor(path="notes.txt", line=200), (200, 200)),
        (Anchor(path="notes.txt", line=100, end_line=290), (100, 219)),
    ],
)
async def test_lines_at_the_anchor_are_seen_and_answered_from(
    tmp_path: Path, anchor: Anchor, expected: tuple[int, int]
) -> None:
    folder = parse(FILES).write(tmp_path / "work")
    settings = Settings(cache_dir=str(tmp_path / "cache"))
    explorer = explorer_of(Workspace.open(folder, settings=settings))
    request = ExploreRequest(query="what happens at this place", anchor=anchor)
    evidence = await explorer._retrieval.evidence(request, lambda _: None)
    segment = evidence.observations[0].segment
    assert (segment.start, segment.start + len(segment.lines) - 1) == expected
    report = await explorer.explore(request)
    assert report.action == "read_targets"
    for place in (*report.primary, *report.read_targets):
        assert place.path == segment.path
        assert place.range is not None
        assert anchor.line in place.range
    assert report.primary
    assert report.read_targets
    await explorer.close()
