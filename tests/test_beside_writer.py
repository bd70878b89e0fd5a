"""A question while another process writes the index."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from explorer_core.contracts import ExploreRequest, Settings
from explorer_core.explorer import Explorer
from explorer_core.index.storage.lease import Lease
from explorer_core.workspace import Workspace
from tests.fixture import parse
from tests.workers import explorer_of

SHOP = """
    //- shop/orders.py
    def place_order(basket):
        '''Place an order.'''
        return save(basket)

    def save(order):
        return order
    //- shop/mail.py
    def confirm(user):
        return user
"""


@pytest.fixture
def explorer(tmp_path: Path) -> Explorer:
    for path, source in parse(SHOP).files.items():
        file = tmp_path / "work" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source, encoding="utf-8")
    settings = Settings(cache_dir=str(tmp_path / "cache"))
    return explorer_of(Workspace.open(tmp_path / "work", settings=settings))


@pytest.mark.parametrize("small", [True, False])
def test_question_beside_another_writer_is_answered_from_relevant_files(
    explorer: Explorer, small: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not small:
        monkeypatch.setattr("explorer_core.channels.readiness.first_look.SMALL", 0)

    async def ask() -> None:
        lease = Lease.acquire(explorer.index.location)
        assert lease is not None
        request = ExploreRequest(query="Where is an order placed?")
        messages: list[str] = []
        beside = await explorer.explore(
            request, on_event=lambda event: messages.append(event.message)
        )
        assert messages[:2] == [
            "Looking through 2 files for those that matter",
            "Another process is indexing; adding the files that matter",
        ]
        assert "shop/orders.py" in {each.path for each in beside.primary}
        assert any("still being built" in note for note in beside.notes)
        assert beside.action != "answer_from_report"  # code not yet indexed might answer it
        lease.release()
        await explorer.explore(request)
        await explorer.settle()
        messages.clear()
        alone = await explorer.explore(
            request, on_event=lambda event: messages.append(event.message)
        )
        assert not any("0 files" in message for message in messages)
        assert "shop/orders.py" in {each.path for each in alone.primary}
        assert not any("still being built" in note for note in alone.notes)
        await explorer.close()

    asyncio.run(ask())
