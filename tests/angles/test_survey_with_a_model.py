"""Surveys in which a scripted model, called through the real SDK, judges each angle."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from explorer_core.angles import Ask, Surveyor
from explorer_core.contracts import Settings
from explorer_core.contracts.survey import SurveySummary
from explorer_core.explorer import Explorer
from explorer_core.workspace import Workspace
from tests.angles.checks import check_session
from tests.judges.conftest import server, settings
from tests.model_server.checks import check_requests
from tests.model_server.script import Fault, Place, Prompt, Turn, says, slowly, submits, turn
from tests.model_server.server import ModelServer
from tests.workers import explorer_of

__all__ = ["server", "settings"]
ANGLES = ["general", "security", "testing"]
FACT = "It is where one goes in"


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
async def explorer(building: Path, settings: Settings) -> AsyncIterator[Explorer]:
    explorer = explorer_of(Workspace.open(building, settings=settings))
    yield explorer
    await explorer.close()


def step(place: Place) -> dict[str, str]:
    quote = max(place.lines.values(), key=len)
    return {"candidateId": place.id, "role": "step", "fact": FACT, "quote": quote}


def submit_two_places(prompt: Prompt) -> Turn:
    """Submit two of the places that the model was shown."""
    return turn(submits([step(each) for each in prompt.places() if any(each.lines.values())][:2]))


def answer_with_two_places(prompt: Prompt) -> Turn:
    return turn(says(json.dumps(submit_two_places(prompt).blocks[0]["input"])))


def rationales(summary: SurveySummary) -> list[str]:
    return [
        file["rationale"]
        for angle in summary.angles
        for file in json.loads(Path(angle.file or "").read_text("utf-8"))["relevant_files"]
        if file["discovery_source"] == "judge"
    ]


@pytest.mark.parametrize(
    ("judge", "act"), [("conversation", submit_two_places), ("packet", answer_with_two_places)]
)
async def test_each_angle_is_judged_once(
    explorer: Explorer,
    building: Path,
    tmp_path: Path,
    server: ModelServer,
    judge,
    act,
):
    server.plays([], then=act)
    ask = Ask(judge=judge)
    surveyor = Surveyor(explorer, tmp_path / "s")
    summary = await surveyor.survey(ask, ANGLES)
    for request in server.requests:  # they belong to concurrent conversations
        check_requests([request])
    assert [note for each in summary.angles for note in each.notes] == []
    assert len(server.requests) == len(ANGLES)
    found_rationales = rationales(summary)
    assert len(found_rationales) >= len(ANGLES)
    assert all(FACT in each for each in found_rationales)
    check_session(tmp_path / "s", building)

    again = await surveyor.survey(ask, ANGLES)
    assert [each.cached for each in again.angles] == [True] * len(ANGLES)
    assert len(server.requests) == len(ANGLES)
    offline = await surveyor.survey(Ask(judge="offline"), ANGLES)
    assert not any(each.cached for each in offline.angles)
    assert rationales(offline) == []


@pytest.mark.parametrize(
    ("act", "noted"),
    [
        (Fault(401, "authentication_error"), "lacks the source judge"),
        (turn(says("I have nothing to say.")), "lacks the source judge"),
    ],
)
async def test_angle_without_its_model_is_still_reported(
    explorer: Explorer,
    building: Path,
    tmp_path: Path,
    server: ModelServer,
    act,
    noted: str,
):
    server.plays([], then=act)
    surveyor = Surveyor(explorer, tmp_path / "s")
    summary = await surveyor.survey(Ask(), ANGLES)
    assert all(each.files and noted in " ".join(each.notes) for each in summary.angles)
    check_session(tmp_path / "s", building)
    server.plays([], then=submit_two_places)
    again = await surveyor.survey(Ask(), ANGLES)
    assert not any(each.cached or each.notes for each in again.angles)


@pytest.mark.slow
async def test_slow_model_leaves_time_for_every_angle(
    explorer: Explorer,
    building: Path,
    tmp_path: Path,
    server: ModelServer,
):
    """There are more angles than run concurrently, and the model never finishes."""
    server.plays([], then=slowly(turn(says("well " * 50)), 60))
    names = ["general", "security", "testing", "patterns"]
    summary = await Surveyor(explorer, tmp_path / "s").survey(Ask(), names, budget_s=6)
    assert {each.angle for each in summary.angles} == set(names)
    assert all(each.files and each.notes for each in summary.angles)
    check_session(tmp_path / "s", building)
