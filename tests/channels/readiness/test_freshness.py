"""Which of the changes noted during an index update are included in it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer_core.channels.question.query import understand
from explorer_core.channels.readiness.freshness import Freshness
from explorer_core.contracts import Settings
from explorer_core.index.sync import SyncResult
from explorer_core.registry.traits import aside_from
from explorer_core.workspace import Workspace
from tests.fixture import parse
from tests.workers import index_of

FILES = """
    //- a.py
    def stays(): pass
    //- gone.py
    def leaves(): pass
"""
SAID = understand("What stays?")


def appear(folder: Path) -> str:
    (folder / "new.py").write_text("def arrives(): pass\n")
    return "new.py"


def vanish(folder: Path) -> str:
    (folder / "gone.py").unlink()
    return "gone.py"


@pytest.mark.parametrize("small", [True, False])
@pytest.mark.parametrize("meanwhile", [False, True])
@pytest.mark.parametrize(
    ("change", "listing", "indexed"),
    [
        (appear, True, {"a.py", "gone.py", "new.py"}),
        (vanish, True, {"a.py"}),
        (vanish, False, {"a.py"}),
    ],
)
async def test_the_next_question_knows_what_was_noted(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Path], str],
    listing: bool,
    indexed: set[str],
    meanwhile: bool,
    small: bool,
) -> None:
    if not small:
        monkeypatch.setattr("explorer_core.channels.readiness.first_look.SMALL", 0)
    folder = parse(FILES).write(tmp_path / "work")
    workspace = Workspace.open(folder, settings=Settings(cache_dir=str(tmp_path / "cache")))
    with index_of(workspace) as index:
        freshness = Freshness(index, aside_from)
        freshness.watch()
        sync = index.sync

        def note() -> None:
            freshness.note({change(folder)}, listing=listing)

        async def overtaken(**more: Any) -> SyncResult:
            result = await sync(**more)
            if more.get("paths") is None:
                note()
            return result

        with monkeypatch.context() as during:
            if meanwhile:
                during.setattr(index, "sync", overtaken)
            await freshness.ready(SAID, (), lambda _: None)
            await freshness.settle()
        if not meanwhile:
            note()
        await freshness.ready(SAID, (), lambda _: None)
        await freshness.settle()
        assert index.view.stored().keys() == indexed
        await freshness.stop()


async def test_what_fails_while_it_is_stopped_does_not_fail_who_stops_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = asyncio.Event()

    async def broken(**_: Any) -> SyncResult:
        started.set()
        try:
            return await asyncio.Future[SyncResult]()
        finally:
            raise OSError("the disk is gone")

    folder = parse(FILES).write(tmp_path / "work")
    workspace = Workspace.open(folder, settings=Settings(cache_dir=str(tmp_path / "cache")))
    with index_of(workspace) as index:
        monkeypatch.setattr(index, "sync", broken)
        freshness = Freshness(index, aside_from)
        freshness.background = asyncio.ensure_future(index.sync())
        await started.wait()
        await freshness.stop()
        assert isinstance(freshness.background.exception(), OSError)
