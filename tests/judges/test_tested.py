"""Answers to why a message appears: the function whose result is tested before the message."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.contracts import ExploreRequest, Intent
from tests.judges.test_offline import answer_request

DEPOT = """
//- depot.py
from shelf import boxes_on

def load(shelf, found=()):
    {assignment}
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


async def check_tested_call(
    tmp_path: Path, assignment: str, test: str, intent: Intent, is_shown: bool
) -> None:
    report = await answer_request(
        ExploreRequest(query="Why do I get 'no box may leave the shelf'?", intent=intent),
        tmp_path,
        DEPOT.format(assignment=assignment, test=test),
    )
    links = [link for link in report.links if "`load` checks its result" in link.fact]
    assert [link.path for link in links] == ["shelf.py"] * is_shown, report.links


@pytest.mark.parametrize(
    ("assignment", "test", "is_shown"),
    [
        ("found = boxes_on(shelf)", "not found", True),
        ("found: list = boxes_on(shelf)", "len(found) == 0", True),
        ("found, _ = boxes_on(shelf)", "not found", True),
        ("shelf.lock()", "not boxes_on(shelf)", True),
        ("boxes_on(shelf)", "not found", False),
        ("others = boxes_on(shelf)", "not found", False),
        ("found = boxes_on(shelf)", "'found' in shelf.notes", False),
    ],
)
async def test_function_tested_before_a_message_is_shown(
    tmp_path: Path, assignment: str, test: str, is_shown: bool
) -> None:
    await check_tested_call(tmp_path, assignment, test, "debug", is_shown)


async def test_tested_function_is_shown_only_for_debugging(tmp_path: Path) -> None:
    await check_tested_call(tmp_path, "found = boxes_on(shelf)", "not found", "explain", False)


CELLAR = """
//- cellar.py
from barrels import is_tight, open_barrel, Empty

FLOODED = "the cellar is under water by now"

def enter(cellar, fail):
    {body}
//- barrels.py
class Empty(Exception):
    pass

def is_tight(barrel):
    return barrel.staves >= 10 and not barrel.holes_in(barrel.wood)

def open_barrel(barrel):
    if barrel.weight < 3:
        raise Empty(barrel)
    return barrel.tap.turned(barrel.key)
"""


@pytest.mark.parametrize(
    ("body", "fact", "quote"),
    [
        # above the message, and around the block that contains it
        (
            "if not is_tight(cellar.barrel):\n        cellar.shut()\n"
            '        fail("the cellar is under water by now")',
            "`enter` checks its result",
            "if not is_tight(cellar.barrel):",
        ),
        (
            "tight = is_tight(\n        cellar.barrel,\n    )\n    if not tight:\n"
            '        fail(\n            cellar,\n            "the cellar is under water by now",'
            "\n        )",
            "`enter` checks its result",
            "if not tight:",
        ),
        # further out than a test that calls nothing
        (
            "if not is_tight(cellar.barrel):\n        if fail:\n"
            '            fail("the cellar is under water by now")',
            "`enter` checks its result",
            "if not is_tight(cellar.barrel):",
        ),
        # where a variable that holds the message is used
        (
            "if not is_tight(cellar.barrel):\n        cellar.shut()\n        fail(FLOODED)",
            "`enter` checks its result",
            "if not is_tight(cellar.barrel):",
        ),
        # where an error handler issues it
        (
            "try:\n        open_barrel(cellar.barrel)\n    except Empty:\n        cellar.shut()\n"
            '        fail("the cellar is under water by now")',
            "`open_barrel` creates `Empty`. `enter` may catch its errors.",
            "except Empty:",
        ),
    ],
    ids=["above", "value", "outside", "constant", "caught"],
)
async def test_deciding_condition_is_quoted_and_described(
    tmp_path: Path, body: str, fact: str, quote: str
) -> None:
    fixture = CELLAR.format(body=body)
    if "FLOODED" not in body:
        fixture = fixture.replace('FLOODED = "the cellar is under water by now"\n', "")
    question = "Why am I told 'the cellar is under water by now'?"
    report = await answer_request(ExploreRequest(query=question, intent="debug"), tmp_path, fixture)
    assert any(fact in link.fact for link in report.links), [each.fact for each in report.links]
    assert any(link.quote == quote for link in report.links), [each.quote for each in report.links]
