"""Damaged stores and full disks: there is an answer all the same, and no good store is lost."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from pathlib import Path

import pytest

from explorer_core.contracts import ExploreRequest, Settings
from explorer_core.errors import StoreUnusableError
from explorer_core.explorer import Explorer
from explorer_core.index.index import Index
from explorer_core.index.storage import opening, store
from explorer_core.index.storage.store import Store
from explorer_core.workspace import Workspace
from tests.workers import POOL

FILES = {
    "app.py": "from orders import place_order\n\ndef submit():\n    return place_order(1)\n",
    "orders.py": "def place_order(number):\n    return number\n",
}
QUESTION = ExploreRequest(query="How does `submit` reach `place_order`?")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    folder = tmp_path / "work"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return Workspace.open(folder, settings=Settings(cache_dir=str(tmp_path / "cache")))


def damage(path: Path, table: str) -> None:
    """Overwrite the first page of a table."""
    with sqlite3.connect(path) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        (page,) = connection.execute(query, (table,)).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xa5" * size)


def fill_disk(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Make SQLite report a full disk whenever a store in ``folder`` would grow."""
    connect = opening.connect

    def connect_to_full_disk(path: Path, cache_kib: int) -> sqlite3.Connection:
        connection = connect(path, cache_kib)
        if path.is_relative_to(folder):
            connection.execute("PRAGMA max_page_count = 1")
        return connection

    for module in (opening, store):
        monkeypatch.setattr(module, "connect", connect_to_full_disk)


@pytest.mark.parametrize("table", ["files", "segments", "blocks", "contents", "blocks_by_segment"])
async def test_damaged_store_is_recreated_and_question_repeated(
    workspace: Workspace, tmp_path: Path, table: str
) -> None:
    path = tmp_path / "i.sqlite"
    for times in range(3):
        explorer = Explorer(workspace, index=Index(workspace, path, POOL))
        report = await explorer.explore(QUESTION)
        assert [link.path for link in report.links] == ["app.py", "orders.py"]
        assert explorer.index.location == path
        await explorer.close()
        if times == 0:
            damage(path, table)


async def test_watched_index_is_refilled_after_losing_its_store(
    workspace: Workspace, tmp_path: Path
) -> None:
    explorer = Explorer(workspace, index=Index(workspace, tmp_path / "i.sqlite", POOL))
    explorer.watch()
    for place in ("1", "2"):
        report = await explorer.explore(QUESTION)
        assert [link.path for link in report.links] == ["app.py", "orders.py"]
        explorer.index._store.move(tmp_path / place)  # pyright: ignore[reportPrivateUsage]
    await explorer.close()


@pytest.mark.parametrize("case", ["removed", "recreated by another process"])
def test_index_abandons_store_whose_file_was_replaced(
    workspace: Workspace, tmp_path: Path, case: str
) -> None:
    path = tmp_path / "i.sqlite"
    with Index(workspace, path, POOL) as index:
        index.sync_now()
        opening.open_store(path, anew=True).close()
        if case == "removed":
            path.unlink()
        (workspace.roots[0].path / "new.py").write_text("def later():\n    pass\n")
        index.sync_now()
        assert len(index.graph.find("later")) == len(index.graph.find("submit")) == 1
    kept = Store(path)
    assert {row.path for row in kept.rows()} == {*FILES, "new.py"}
    kept.close()


def test_damaged_store_on_full_disk_is_recreated_elsewhere(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept" / "i.sqlite"
    with Index(workspace, path, POOL) as index:
        index.sync_now()
    damage(path, "contents")
    with Index(workspace, path, POOL) as index:
        fill_disk(monkeypatch, path.parent)
        with pytest.raises(StoreUnusableError):
            index.graph.find("submit")
        index.sync_now()
        assert len(index.graph.find("submit")) == 1
        assert not index.location.is_relative_to(tmp_path)


@pytest.mark.parametrize("is_indexed", [True, False])
def test_full_disk_gives_temporary_index_and_keeps_good_store(
    workspace: Workspace,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    is_indexed: bool,
    caplog: pytest.LogCaptureFixture,
) -> None:
    path = tmp_path / "kept" / "i.sqlite"
    if is_indexed:
        with Index(workspace, path, POOL) as index:
            index.sync_now()
    fill_disk(monkeypatch, path.parent)
    (workspace.roots[0].path / "new.py").write_text(FILES["orders.py"] * 400)
    with Index(workspace, path, POOL) as index:
        assert index.sync_now().complete
        assert len(index.graph.find("submit")) == 1
        assert not index.location.is_relative_to(tmp_path)
    assert "(database or disk is full), so it is not kept;" in caplog.text
    monkeypatch.undo()
    kept = Store(path)
    assert {row.path for row in kept.rows()} == (FILES.keys() if is_indexed else set())
    kept.close()


@pytest.mark.parametrize("case", ["folder", "dangling link"])
def test_path_that_is_no_file_is_left_alone(
    workspace: Workspace, tmp_path: Path, case: str
) -> None:
    path = tmp_path / "i.sqlite"
    if case == "folder":
        path.mkdir()
    else:
        path.symlink_to("/nowhere/i.sqlite")
    with Index(workspace, path, POOL) as index:
        index.sync_now()
        assert len(index.graph.find("submit")) == 1
    assert path.is_dir() or path.is_symlink()


def test_no_room_for_temporary_index_is_an_error(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_disk(monkeypatch, tmp_path)

    def raise_disk_full(*_: object, **__: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(tempfile, "TemporaryDirectory", raise_disk_full)
    with pytest.raises(StoreUnusableError, match=r"full\); free some space there"):
        Index(workspace, tmp_path / "i.sqlite", POOL)
