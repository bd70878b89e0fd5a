"""The first place of an answer about a symptom without a message or a stack trace."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.contracts import ExploreRequest
from tests.judges.test_offline import answer_request

GATE = """
//- gate/tickets.py
def check_ticket(ticket, hall):
    if ticket.ends < hall.now:
        raise Refused()
    return ticket


def print_expired_ticket(ticket):
    print(ticket)
//- gate/barrier.py
from gate.motor import set_motor
from gate.tickets import check_ticket


def decide_barrier_pause(barrier, car):
    # Whether the barrier pauses while a car waits.
    check_ticket(car.ticket, barrier.hall)
    if barrier.car_waits and not car.heavy:
        set_motor(barrier, pause=True)


def open_barrier(barrier, car):
    decide_barrier_pause(barrier, car)
//- gate/motor.py
def set_motor(barrier, pause):
    barrier.power = 0 if pause else 1
    barrier.motor = barrier.power > 0
    barrier.paused = pause
//- gate/login.py
def enter(name):
    if not known(name):
        fail("failed to find a name")
    if not known(name, hall=True):
        fail("Failed to enter")


def enter_hall(name):
    enter(name)
//- gate/hall.py
def fail_to_enter(hall):
    hall.failed += 1


def failed_to_enter(hall, enter):
    return hall.failed and enter.failed
"""
COMMON = "".join(
    f"//- parts/part{at}.py\ndef enter_{at}(hall):\n    hall.failed = enter_to(hall)\n"
    for at in range(30)
)
"""Files that make words of the message common, and thus not distinctive."""


@pytest.mark.parametrize(
    ("question", "leading", "quoted"),
    [
        (
            "The barrier keeps a pause while a car waits. What decides that?",
            "decide_barrier_pause",
            "set_motor(barrier, pause=True)",
        ),
        (
            'The gate fails with "Failed to enter" although the zebra is green.',
            "enter",
            'fail("Failed to enter")',
        ),
    ],
)
async def test_leading_place_of_a_symptom(
    tmp_path: Path, question: str, leading: str, quoted: str
) -> None:
    report = await answer_request(
        ExploreRequest(query=question, intent="debug"), tmp_path, GATE + COMMON
    )
    first = report.links[0]
    assert first.fact.startswith(f"`{leading}`"), first
    assert first.quote.splitlines()[-1].strip() == quoted


async def test_callee_of_the_leading_place_is_mentioned_once(tmp_path: Path) -> None:
    """Even though the callee is shown beside the flow and not as a step."""
    question = "The barrier keeps a pause while a car waits, the motor is set. What decides that?"
    report = await answer_request(ExploreRequest(query=question, intent="debug"), tmp_path, GATE)
    assert "`set_motor`" in report.links[0].fact
    assert report.links[0].fact.count("`set_motor`") == 1
