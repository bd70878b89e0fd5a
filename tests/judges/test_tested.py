"""What is tested where a message is told, to whoever asks why it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.contracts import ExploreRequest, Intent
from tests.judges.test_offline import answer_to

DEPOT = """
//- depot.py
from shelf import boxes_on

def load(shelf, found=()):
    {given}
    if {test}:
        raise LookupError("no box may leave the shelf")
    return found
//- shelf.py
def boxes_on(shelf):
    found = []
    for box in shelf.boxes:
        if is_closed(box):
            found.append(box)
    return found

def is_closed(box):
    lid = box.lid
    return lid.closed and not lid.broken
"""


async def check(tmp_path: Path, given: str, test: str, intent: Intent, expect: bool) -> None:
    report = await answer_to(
        ExploreRequest(query="Why do I get 'no box may leave the shelf'?", intent=intent),
        tmp_path,
        DEPOT.format(given=given, test=test),
    )
    said = [link for link in report.links if "`load` tests what it gives" in link.fact]
    assert [link.path for link in said] == ["shelf.py"] * expect, report.links


@pytest.mark.parametrize(
    ("given", "test", "expect"),
    [
        ("found = boxes_on(shelf)", "not found", True),
        ("found: list = boxes_on(shelf)", "len(found) == 0", True),
        ("shelf.lock()", "not boxes_on(shelf)", True),
        ("boxes_on(shelf)", "not found", False),
        ("others = boxes_on(shelf)", "not found", False),
        ("found = boxes_on(shelf)", "'found' in shelf.notes", False),
    ],
)
async def test_what_a_message_hangs_on_is_told(
    tmp_path: Path, given: str, test: str, expect: bool
) -> None:
    await check(tmp_path, given, test, "debug", expect)


async def test_only_to_debug(tmp_path: Path) -> None:
    await check(tmp_path, "found = boxes_on(shelf)", "not found", "explain", False)
