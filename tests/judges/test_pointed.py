"""A line that the question points to is always shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.contracts import Intent
from tests.judges.test_offline import answer_question

LONG = (
    "//- mill/wheel.py\nimport water\n\n\ndef turn_wheel(wheel):\n"
    + "".join(f"    wheel.spoke_{at}.turn()\n" for at in range(200))
    + "\n\ndef stop_wheel(wheel):\n    turn_wheel(wheel)\n"
    + "//- mill/gate.py\ndef open_gate(gate):\n    gate.lift()\n"
    + "".join(f"//- mill/other_{at}.py\ndef other_{at}(): ...\n" for at in range(6))
)
POINTS = "The question points to this line in "


@pytest.mark.parametrize("intent", ["explain", "locate", "edit", "debug"])
@pytest.mark.parametrize(
    ("question", "line", "fact"),
    [
        ("mill/wheel.py:150", 150, f"{POINTS}`turn_wheel`."),
        ("What turns the gate at wheel.py:150?", 150, f"{POINTS}`turn_wheel`."),
        ("Is the wheel stopped at mill/wheel.py#L208?", 208, "`stop_wheel` calls `turn_wheel`."),
        # Outside definitions, and where there is nothing to quote.
        ("What is at mill/wheel.py:1?", 1, f"{POINTS}`wheel.py`."),
        ("What is at mill/wheel.py:2?", 2, f"{POINTS}`wheel.py`."),
    ],
)
async def test_line_that_the_question_points_to_is_in_the_flow(
    tmp_path: Path, intent: Intent, question: str, line: int, fact: str
):
    report = await answer_question(tmp_path, LONG, question, intent)
    shown = [link for link in report.links if link.path == "mill/wheel.py" and line in link.range]
    assert any(link.fact.startswith(fact) for link in shown)


@pytest.mark.parametrize(
    "question",
    [
        "What turns the gate at wheel.py:150 and gate.py:2?",
        "What turns the gate at wheel.py:1500?",
        "What turns the gate at wheel.py?",
        "What turns the gate at other.py:2?",
    ],
)
async def test_ambiguous_or_missing_line_is_not_pointed_to(tmp_path: Path, question: str):
    report = await answer_question(tmp_path, LONG, question)
    assert not any(link.fact.startswith(POINTS) for link in report.links)
