"""A user of the graph keeps its turn until its thread has ended, however often it is cancelled."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from explorer_core import explorer as explorer_module
from explorer_core.channels import compilers, index
from explorer_core.contracts import Anchor, ExploreRequest, Settings
from explorer_core.evidence import Retrieval
from explorer_core.explorer import Explorer
from explorer_core.judges.offline import offline
from explorer_core.workspace import Workspace
from tests.channels.test_compilers import FIXTURE, Provider
from tests.fixture import parse
from tests.workers import explorer_of

REQUEST = ExploreRequest(
    query="Who calls `place_order`?", anchor=Anchor(path="shop/orders.py", line=1)
)


def explore(explorer: Explorer) -> Awaitable[object]:
    return explorer.explore(REQUEST)


def gather(explorer: Explorer) -> Awaitable[object]:
    return explorer.gather(REQUEST)


def names(explorer: Explorer) -> Awaitable[object]:
    return explorer.names([("shop/orders.py", 1)])


def with_graph(explorer: Explorer) -> Awaitable[object]:
    return explorer.with_graph(lambda graph: explorer._assemble(None))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("ask", "owner", "blocked"),
    [
        (explore, index, "_search"),
        (explore, compilers, "_focused"),
        (explore, compilers._Reading, "observe"),
        (explore, Retrieval, "_enclosing_definition"),
        (explore, Explorer, "_assemble"),
        (explore, offline, "_select"),
        (gather, Explorer, "_assemble"),
        (names, explorer_module, "name_at"),
        (with_graph, Explorer, "_assemble"),
    ],
)
@pytest.mark.parametrize("times", [1, 2])
async def test_cancelled_call_keeps_its_turn_until_its_thread_ends(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    ask: Callable[[Explorer], Awaitable[object]],
    owner: Any,
    blocked: str,
    times: int,
) -> None:
    folder = parse(FIXTURE).write(tmp_path / "work")
    settings = Settings(cache_dir=str(tmp_path / "cache"))
    explorer = explorer_of(Workspace.open(folder, settings=settings))
    explorer.set_compilers([Provider()])  # type: ignore[list-item]
    entered, release = threading.Event(), threading.Event()

    def block(*_: object) -> None:
        entered.set()
        release.wait(30)

    monkeypatch.setattr(owner, blocked, block)
    task = asyncio.ensure_future(ask(explorer))
    assert await asyncio.to_thread(entered.wait, 30)
    for _ in range(times):
        task.cancel()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    was_locked = explorer._graph_lock.locked()
    release.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert was_locked
    assert not explorer._graph_lock.locked()
    await explorer.close()
