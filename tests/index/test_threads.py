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


def check_concurrently(*tasks: Callable[[int], object], rounds: int) -> None:
    """Run each of ``works`` repeatedly on its own thread, and check that all of them finish."""

    def run_repeatedly(work: Callable[[int], object]) -> None:
        for number in range(rounds):
            work(number)

    threads = [threading.Thread(target=run_repeatedly, args=(work,), daemon=True) for work in tasks]
    usual_interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # switch at almost every step, so that rare races become common
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=20)
    finally:
        sys.setswitchinterval(usual_interval)
    assert not any(thread.is_alive() for thread in threads), "they wait for each other"


def empty_index(folder: Path, files: int) -> Index:
    """A still empty index of this many files that each define ``run``."""
    work = folder / "work"
    work.mkdir()
    for number in range(files):
        (work / f"m{number}.py").write_text("def run():\n    return run()\n", encoding="utf-8")
    return index_of(Workspace.open(work, settings=Settings()), folder / "index.sqlite")


def test_concurrent_syncs_all_complete(tmp_path: Path) -> None:
    index = empty_index(tmp_path, 3)
    complete: list[bool] = []
    check_concurrently(
        *[lambda _: complete.append(index.sync_now().complete)] * 3,
        lambda _: index.sync_now(SyncTask(["m1.py"])),
        rounds=20,
    )
    assert all(complete)
    assert len(index.graph.find("run")) == 3
    index.close()


def test_writes_and_queries_do_not_deadlock(tmp_path: Path) -> None:
    index = empty_index(tmp_path, 8)
    names = [f"m{number}.py" for number in range(8)]
    index.sync_now()
    check_concurrently(
        lambda number: index.view.load_written(names[: number % 8 + 1]),
        lambda number: index.view.load_written(names[number % 8 :]),
        lambda _: index.graph.find("run"),
        lambda _: index.search().terms.rarity("run"),
        lambda _: index.contents.status(),
        rounds=1000,
    )
    assert len(index.graph.find("run")) == len(names)
    index.close()
