"""A follow-up question is about what the earlier one found, unless it names something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.contracts import ExploreRequest, FollowUp, Settings
from explorer_core.workspace import Workspace
from tests.fixture import parse
from tests.workers import explorer_of

MILL = """
//- mill/wheel.py
def grind_the_grain(wheel):
    wheel.turn()
//- mill/gate.py
def lift_the_gate(gate):
    gate.lift()
//- mill/day.py
from mill.gate import lift_the_gate
from mill.wheel import grind_the_grain

def work(wheel):
    grind_the_grain(wheel)

def begin(gate):
    lift_the_gate(gate)
//- mill/hooks.py
def who_calls_whom(register):
    return calls_of(register)

def calls_of(register):
    return register.calls
"""
GRIND = "How does grind_the_grain work?"


@pytest.mark.parametrize(
    ("before", "question", "subject"),
    [
        (GRIND, "And who calls it?", "grind_the_grain"),
        (GRIND, "Where is that used?", "grind_the_grain"),
        (GRIND, "How is lift_the_gate called?", "lift_the_gate"),
        (GRIND, "Who calls whom, in calls_of?", "calls_of"),
        ("What is at mill/gate.py:2?", "And at mill/hooks.py:2?", "who_calls_whom"),
        ("What is at mill/gate.py:2?", "And who calls that?", "lift_the_gate"),
    ],
)
async def test_follow_up_is_about_the_earlier_subject_unless_it_names_another(
    tmp_path: Path, before: str, question: str, subject: str
):
    folder = parse(MILL).write(tmp_path / "files")
    settings = Settings(cache_dir=str(tmp_path / "cache"))
    explorer = explorer_of(Workspace.open(folder, settings=settings))
    try:
        first = await explorer.explore(ExploreRequest(query=before))
        follow_up = FollowUp(report_id=first.id)
        report = await explorer.explore(ExploreRequest(query=question, follow_up=follow_up))
        again = await explorer.explore(
            ExploreRequest(query=question, follow_up=FollowUp(report_id=report.id))
        )
    finally:
        await explorer.close()
    assert report.query == question
    for each in (report, again):
        assert any(f"`{subject}`" in link.fact for link in each.links[:2])
