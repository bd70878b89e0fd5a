"""A judge with a bug: the result is the offline report with a note, never an exception."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from explorer_core import explorer as pipeline
from explorer_core.contracts import ExploreRequest, JudgeName, Selection, Settings
from explorer_core.errors import StoreDamagedError
from explorer_core.explorer import Explorer
from explorer_core.judges.base import Gap, JudgeCase, Verdict
from explorer_core.judges.model_judges.tools import Toolbox
from explorer_core.judges.offline.offline import OfflineJudge
from explorer_core.judges.shown.shown import ShownPlaces
from explorer_core.registry.ranking import Ranking
from explorer_core.workspace import Workspace
from tests.judges.conftest import FAULT, QUESTION
from tests.workers import explorer_of


class Broken:
    """Raises at once, or when asked to reconsider after selecting nothing that can be reported."""

    name: JudgeName = "packet"

    def __init__(self, *, at_once: bool) -> None:
        self._at_once = at_once

    async def judge(self, case: JudgeCase) -> Verdict:
        if self._at_once:
            raise KeyError("c1")
        nothing = Selection(recommended_primary_action="answer_from_report", confidence="high")
        return Verdict(nothing, judge=self.name)

    async def reconsider(self, case: JudgeCase, gaps: Sequence[Gap]) -> Verdict | None:
        raise ZeroDivisionError


@pytest.fixture
async def explorer(shop: Path, tmp_path: Path) -> AsyncIterator[Explorer]:
    settings = Settings(cache_dir=str(tmp_path))
    explorer = explorer_of(Workspace.open(shop, settings=settings))
    yield explorer
    await explorer.close()


@pytest.mark.parametrize(("at_once", "named"), [(True, "KeyError"), (False, "ZeroDivisionError")])
async def test_offline_report_replaces_a_broken_judge(
    explorer: Explorer, monkeypatch: pytest.MonkeyPatch, at_once: bool, named: str
):
    plain = await explorer.explore(ExploreRequest(query=QUESTION))
    monkeypatch.setattr(pipeline, "open_judge", lambda *_: Broken(at_once=at_once))
    report = await explorer.explore(ExploreRequest(query=QUESTION, judge="packet"))
    assert (report.judge, report.confidence) == ("offline", "low")
    assert [link.quote for link in report.links] == [link.quote for link in plain.links]
    (note,) = report.notes
    assert FAULT in note
    assert named in note
    assert explorer.cache.entries() == []


class BrokenToolUser(Broken):
    """Uses the tools of a conversation."""

    async def judge(self, case: JudgeCase) -> Verdict:
        call = {"name": "explore_code", "input": {"query": "order"}}
        await Toolbox(case, ShownPlaces(case.registry)).run([call, call], 2_000)
        raise AssertionError


async def test_index_damage_found_by_a_tool_is_raised(
    explorer: Explorer, monkeypatch: pytest.MonkeyPatch
):
    async def fails(self: Explorer, request: ExploreRequest) -> Ranking:
        raise StoreDamagedError

    monkeypatch.setattr(Explorer, "gather", fails)
    monkeypatch.setattr(pipeline, "open_judge", lambda *_: BrokenToolUser(at_once=True))
    with pytest.raises(StoreDamagedError):
        await explorer.explore(ExploreRequest(query=QUESTION, judge="packet"))


@pytest.mark.parametrize("judge", ["offline", "packet"])
async def test_best_places_are_named_if_the_offline_judge_fails(
    explorer: Explorer, monkeypatch: pytest.MonkeyPatch, judge: JudgeName
):
    async def fails(self: Any, case: JudgeCase) -> Verdict:
        raise IndexError("text of the repository")

    monkeypatch.setattr(OfflineJudge, "judge", fails)
    if judge != "offline":
        monkeypatch.setattr(pipeline, "open_judge", lambda *_: Broken(at_once=True))
    report = await explorer.explore(ExploreRequest(query=QUESTION, judge=judge))
    assert (report.judge, report.confidence, report.links) == ("offline", "low", ())
    assert report.primary
    assert "text of the repository" not in report.to_json()
    assert report.action != "answer_from_report"
    assert [FAULT in note for note in report.notes] == [True] * (1 + (judge != "offline"))
