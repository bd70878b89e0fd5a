"""A question that follows another up is about what that found, as far as it names nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.contracts import ExploreRequest, FollowUp, Settings
from explorer_core.explorer import Explorer
from explorer_core.workspace import Workspace
from tests.fixture import parse

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


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("And who calls it?", "grind_the_grain"),
        ("Where is that used?", "grind_the_grain"),
        ("How is lift_the_gate called?", "lift_the_gate"),
        ("Who calls whom, in calls_of?", "calls_of"),
    ],
)
async def test_what_a_further_question_is_about(tmp_path: Path, question: str, shown: str):
    folder = parse(MILL).write(tmp_path / "files")
    settings = Settings(cache_dir=str(tmp_path / "cache"), index_workers=1)
    explorer = Explorer(Workspace.open(folder, settings=settings))
    try:
        first = await explorer.explore(ExploreRequest(query="How does grind_the_grain work?"))
        follows = FollowUp(report_id=first.id)
        report = await explorer.explore(ExploreRequest(query=question, follow_up=follows))
        again = await explorer.explore(
            ExploreRequest(query=question, follow_up=FollowUp(report_id=report.id))
        )
    finally:
        await explorer.close()
    assert report.query == question
    for each in (report, again):
        assert any(f"`{shown}`" in link.fact for link in each.links[:2])
