"""An index serves several threads: writers and readers never deadlock."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer_core.contracts import Settings
from explorer_core.index.index import Index
from explorer_core.index.sync import SyncTask
from explorer_core.workspace import Workspace
from tests.workers import index_of

pytestmark = pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")


def check_together(*works: Callable[[int], object], rounds: int) -> None:
    """Run each of ``works`` repeatedly on its own thread, and check that all of them finish."""

    def at_work(work: Callable[[int], object]) -> None:
        for number in range(rounds):
            work(number)

    threads = [threading.Thread(target=at_work, args=(work,), daemon=True) for work in works]
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # switch at almost every step, so that rare races become common
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=20)
    finally:
        sys.setswitchinterval(usual)
    assert not any(thread.is_alive() for thread in threads), "they wait for each other"


def opened(folder: Path, files: int) -> Index:
    """A still empty index of this many files that each define ``run``."""
    work = folder / "work"
    work.mkdir()
    for number in range(files):
        (work / f"m{number}.py").write_text("def run():\n    return run()\n", encoding="utf-8")
    return index_of(Workspace.open(work, settings=Settings()), folder / "index.sqlite")


def test_syncs_of_all_files_wait_for_each_other(tmp_path: Path) -> None:
    index = opened(tmp_path, 3)
    complete: list[bool] = []
    check_together(
        *[lambda _: complete.append(index.sync_now().complete)] * 3,
        lambda _: index.sync_now(SyncTask(["m1.py"])),
        rounds=20,
    )
    assert all(complete)
    assert len(index.graph.find("run")) == 3
    index.close()


def test_changes_beside_questions(tmp_path: Path) -> None:
    index = opened(tmp_path, 8)
    names = [f"m{number}.py" for number in range(8)]
    index.sync_now()
    check_together(
        lambda number: index.view.wrote(names[: number % 8 + 1]),
        lambda number: index.view.wrote(names[number % 8 :]),
        lambda _: index.graph.find("run"),
        lambda _: index.search().terms.rarity("run"),
        lambda _: index.contents.status(),
        rounds=1000,
    )
    assert len(index.graph.find("run")) == len(names)
    index.close()
