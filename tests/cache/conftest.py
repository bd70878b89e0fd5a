from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from explorer_core import explorer as pipeline
from explorer_core.contracts import Settings
from explorer_core.explorer import Explorer
from explorer_core.workspace import Workspace
from tests.cache.scripted import CountingJudge
from tests.fixture import parse
from tests.workers import explorer_of

SHOP = """
    //- shop/orders.py
    from shop.mail import confirm


    def place_order(basket):
        number = save_order(basket)
        confirm(number)
        return number


    def save_order(basket):
        return len(basket)
    //- shop/mail.py
    def confirm(number):
        print("order", number, "is on its way")
    //- shop/refunds.py
    def refund(number):
        return -number
    //- notes.txt
    Orders are confirmed by mail.
"""
QUESTION = "How is an order placed?"


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> CountingJudge:
    counting = CountingJudge()
    monkeypatch.setattr(pipeline, "open_judge", lambda name, client: counting)
    return counting


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return parse(SHOP).write(tmp_path / "shop")


@pytest.fixture
async def explorer(shop: Path, tmp_path: Path, judge: CountingJudge) -> AsyncIterator[Explorer]:
    settings = Settings(judge="packet", model="scripted", cache_dir=str(tmp_path / "cache"))
    explorer = explorer_of(Workspace.open(shop, settings=settings))
    yield explorer
    await explorer.close()
