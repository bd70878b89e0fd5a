"""Definitions that are indexed after the search: the question names them, but no candidate shows
them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from explorer_core.contracts import ExploreRequest, Settings
from explorer_core.judges.base import JudgeCase, Verdict
from explorer_core.judges.offline.offline import OfflineJudge
from explorer_core.workspace import Workspace
from tests.fixture import parse
from tests.judges.conftest import FAULT
from tests.workers import explorer_of

SHOP = """
//- orders.book
a new kind of order is put into this book of orders
//- orders.py
class Order:
    pass
class RushOrder(Order):
    pass
class GiftOrder(Order):
    pass
KINDS = {"rush": RushOrder, "gift": GiftOrder}
"""
QUESTION = "Put a new kind of order into the book\n\nIt should be like `{}`."


@pytest.mark.parametrize("intent", ["explain", "locate", "edit", "debug"])
@pytest.mark.parametrize("named", ["Order", "RushOrder", "KINDS"])
async def test_the_offline_judge_needs_no_candidate_that_shows_a_definition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str, intent: str
):
    judge = OfflineJudge.judge

    async def judged_by_text_alone(self: Any, case: JudgeCase) -> Verdict:
        text = tuple(each for each in case.ranking.candidates if not each.symbols)
        return await judge(self, replace(case, ranking=replace(case.ranking, candidates=text)))

    monkeypatch.setattr(OfflineJudge, "judge", judged_by_text_alone)
    root = parse(SHOP).write(tmp_path / "shop")
    settings = Settings(cache_dir=str(tmp_path / "cache"))
    explorer = explorer_of(Workspace.open(root, settings=settings))
    request = ExploreRequest.model_validate({"query": QUESTION.format(named), "intent": intent})
    report = await explorer.explore(request)
    await explorer.close()
    assert not any(FAULT in note for note in report.notes)
    assert report.links
