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
QUESTION = understand("What stays?")


def create_file(folder: Path) -> str:
    (folder / "new.py").write_text("def arrives(): pass\n")
    return "new.py"


def delete_file(folder: Path) -> str:
    (folder / "gone.py").unlink()
    return "gone.py"


@pytest.mark.parametrize("small", [True, False])
@pytest.mark.parametrize("meanwhile", [False, True])
@pytest.mark.parametrize(
    ("change", "listing", "indexed"),
    [
        (create_file, True, {"a.py", "gone.py", "new.py"}),
        (delete_file, True, {"a.py"}),
        (delete_file, False, {"a.py"}),
    ],
)
async def test_next_question_sees_noted_changes(
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

        async def sync_with_change_meanwhile(**more: Any) -> SyncResult:
            result = await sync(**more)
            if more.get("paths") is None:
                note()
            return result

        with monkeypatch.context() as during:
            if meanwhile:
                during.setattr(index, "sync", sync_with_change_meanwhile)
            await freshness.ready(QUESTION, (), lambda _: None)
            await freshness.settle()
        if not meanwhile:
            note()
        await freshness.ready(QUESTION, (), lambda _: None)
        await freshness.settle()
        assert index.view.stored().keys() == indexed
        await freshness.stop()


async def test_stop_does_not_raise_errors_of_the_update(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = asyncio.Event()

    async def failing_sync(**_: Any) -> SyncResult:
        started.set()
        try:
            return await asyncio.Future[SyncResult]()
        finally:
            raise OSError("the disk is gone")

    folder = parse(FILES).write(tmp_path / "work")
    workspace = Workspace.open(folder, settings=Settings(cache_dir=str(tmp_path / "cache")))
    with index_of(workspace) as index:
        monkeypatch.setattr(index, "sync", failing_sync)
        freshness = Freshness(index, aside_from)
        freshness.background = asyncio.ensure_future(index.sync())
        await started.wait()
        await freshness.stop()
        assert isinstance(freshness.background.exception(), OSError)
