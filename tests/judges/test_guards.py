"""What a line hangs on is quoted with it, where a symptom is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.contracts import ExploreRequest, Intent
from explorer_core.judges.offline.telling.guards import guard_of
from tests.judges.test_offline import answer_to


@pytest.mark.parametrize(
    ("code", "guard"),
    [
        ("if spool.empty:\n    raise Empty()", 0),
        ("if (spool.empty) {\n  throw empty;", 0),
        ("if (spool.empty)\n{\n  throw empty;", 0),
        ("case EMPTY ->\n    fail()", 0),
        ("\tif spool == nil {\n\t\treturn err", 0),
        ("} else if (spool.empty) {\n  throw empty;", 0),
        ('if (name == "(") {\n  throw empty;', 0),
        # says nothing
        ("} else {\n  throw empty;", None),
        ("try:\n    wind()", None),
        ("do\n{\n  wind();", None),
        # is not around it
        ("wind(spool)\nraise Empty()", None),
        ("    if spool.empty:\n  raise Empty()", None),
        ("\tif spool.empty:\n    raise Empty()", None),
        ("if spool.empty:\n\n    raise Empty()", None),
        ("raise Empty()", None),
        # is part of a longer expression
        ("raise Empty(\n    spool.name", None),
        ("spool.name,\n    wind(spool)", None),
        ("  spool.full) {\n    throw empty;", None),
    ],
)
def test_what_a_line_hangs_on_is_told_by_the_layout(code: str, guard: int | None) -> None:
    lines = code.split("\n")
    assert guard_of(lines, len(lines) - 1) == guard


SPOOL = """
//- spool.py
def measure(spool):
    if spool.age > 10:
        raise ValueError("the spool is too old")
    return spool.length
//- wind.py
from spool import measure

def wind(spool):
    for _ in range(spool.turns):
        measure(spool)
    if spool.red:
        log = []
        measure(spool)
"""
ASKED = "Why do I get 'the spool is too old'?"


async def quotes(tmp_path: Path, fixture: str, intent: Intent) -> list[str]:
    report = await answer_to(ExploreRequest(query=ASKED, intent=intent), tmp_path, fixture)
    return [link.quote for link in report.links]


async def test_the_condition_of_a_symptom_is_quoted_with_it(tmp_path: Path):
    symptom, call = await quotes(tmp_path, SPOOL, "debug")
    assert symptom == 'if spool.age > 10:\n        raise ValueError("the spool is too old")'
    assert call == "for _ in range(spool.turns):\n        measure(spool)"


async def test_elsewhere_the_line_of_a_step_is_quoted_alone(tmp_path: Path):
    """But for the message's own, which is a symptom whoever asks for it."""
    call, symptom = await quotes(tmp_path, SPOOL, "explain")
    assert call == "measure(spool)"
    assert symptom == 'if spool.age > 10:\n        raise ValueError("the spool is too old")'


@pytest.mark.parametrize(
    ("head", "why"),
    [
        (f"if spool.age > 10 and {'spool.is_old and ' * 10}True:", "too long"),
        ('if spool.key == "AKIAIOSFODNN7EXAMPLE":', "a credential"),
    ],
    ids=lambda each: each[:12],
)
async def test_what_may_not_be_quoted_is_left_out(tmp_path: Path, head: str, why: str):
    symptom, _ = await quotes(tmp_path, SPOOL.replace("if spool.age > 10:", head), "debug")
    assert symptom == 'raise ValueError("the spool is too old")', why


async def test_the_head_of_a_definition_is_no_condition(tmp_path: Path):
    fixture = SPOOL.replace("    if spool.age > 10:\n    ", "")
    assert (await quotes(tmp_path, fixture, "debug"))[
        0
    ] == 'raise ValueError("the spool is too old")'


async def test_other_lines_that_lead_to_a_symptom_are_told(tmp_path: Path):
    request = ExploreRequest(query=ASKED, intent="debug")
    report = await answer_to(request, tmp_path, SPOOL)
    assert report.links[1].fact == "`wind` calls `measure`. It does so on line 8, too."
