"""An index serves several threads: writers and readers never wait for each other for good."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path

from explorer_core.contracts import Settings
from explorer_core.index.index import Index
from explorer_core.workspace import Workspace

ROUNDS = 1000


def check_together(*works: Callable[[int], object]) -> None:
    """All ``works``, each in rounds of its own on a thread of its own, come to their end."""
    failed: list[BaseException] = []

    def rounds(work: Callable[[int], object]) -> None:
        try:
            for number in range(ROUNDS):
                work(number)
        except BaseException as error:  # noqa: BLE001
            failed.append(error)

    threads = [threading.Thread(target=rounds, args=(work,), daemon=True) for work in works]
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # turns at almost every step: what is rare becomes common
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=20)
    finally:
        sys.setswitchinterval(usual)
    assert not failed
    assert not any(thread.is_alive() for thread in threads), "they wait for each other"


def test_changes_beside_questions(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    names = [f"m{number}.py" for number in range(8)]
    for name in names:
        (work / name).write_text("def run():\n    return run()\n", encoding="utf-8")
    workspace = Workspace.open(work, settings=Settings())
    index = Index(workspace, tmp_path / "index.sqlite")
    index.sync_now()
    check_together(
        lambda number: index.view.wrote(names[: number % 8 + 1]),
        lambda number: index.view.wrote(names[number % 8 :]),
        lambda _: index.graph.find("run"),
        lambda _: index.search().rarity("run"),
        lambda _: index.status(),
    )
    assert len(index.graph.find("run")) == len(names)
    index.close()
