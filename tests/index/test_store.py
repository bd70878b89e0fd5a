"""The file itself: damage and other versions are mended silently."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from explorer_core.contracts import Settings
from explorer_core.index.extraction.extract import extract
from explorer_core.index.extraction.indexed_names import mentioned_names
from explorer_core.index.location import store_path
from explorer_core.index.storage.segments import Block, Kind, blocks
from explorer_core.index.storage.store import Store
from explorer_core.index.workers.wire import Task
from explorer_core.workspace import Workspace
from tests.index.workspace import make_batch

TEXT = "def run():\n    return helper(1)\n"


def put(store: Store, *files: str | tuple[str, str]) -> None:
    """Write files as one batch; those without a text have `TEXT`."""
    tasks: list[Task] = []
    for number, file in enumerate(files, store.next_number()):
        path, text = (file, TEXT) if isinstance(file, str) else file
        tasks.append(Task(path, text, str(hash(text)), number))
    store.write(make_batch(tasks), {task.path: (len(task.text), 1) for task in tasks})


def test_what_is_written_can_be_read(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.sqlite")
    put(store, "a.py", "b.py")
    row, _ = store.rows()
    assert (row.path, row.definitions, row.set_aside) == ("a.py", 1, "")
    facts = store.facts(row.id)
    assert facts is not None
    assert [d.name for d in facts.definitions] == ["run"]
    assert len(store.files_with_name(Kind.DEFINED, "run")) == 2
    assert len(store.files_with_name(Kind.MENTIONED, "helper")) == 2
    ((segment, numbers),) = store.postings("helper")
    assert row.id in {dict(store.places())[segment].files[place] for place in numbers}
    store.close()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.go", "package a\nfunc run() {\n\tall := append(all, Part{\n\t\tKey: 1,\n\t})\n}\n"),
        ("a.kt", "fun run() {\n  val it = given<Part> {\n    made(1)\n  }\n}\n"),
    ],
)
def test_what_a_variable_stands_for_is_no_name_with_its_arguments(path: str, text: str) -> None:
    facts = extract(path, text)
    assert facts is not None
    assert all(name.isprintable() and "(" not in name for name in mentioned_names(facts))


def test_a_name_with_an_end_of_line_moves_no_other() -> None:
    table = {name: ([number],) for number, name in enumerate(("a", "b\nc", "d"), 1)}
    (row,) = blocks(Kind.DEFINED, table)
    block = Block(row.data)
    assert [(key, list(block.postings(at))) for at, key in enumerate(block.keys)] == [
        ("a", [1]),
        ("d", [3]),
    ]


def test_deleting_leaves_nothing_behind(tmp_path: Path) -> None:
    store, empty = Store(tmp_path / "s.sqlite"), Store(tmp_path / "empty.sqlite")
    put(store, "a.py")
    put(store, ("a.py", "class B: pass\n"))
    store.write(deleted=["a.py", "never.py"])
    assert store.postings("helper") == []
    assert store.differences(empty.path) == []
    for table in ("files", "contents", "segments", "blocks"):
        with sqlite3.connect(store.path) as connection:
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
    store.close()
    empty.close()


def test_a_difference_is_named(tmp_path: Path) -> None:
    one, two = Store(tmp_path / "1.sqlite"), Store(tmp_path / "2.sqlite")
    put(one, "a.py", "b.py")
    put(two, "b.py", ("a.py", TEXT + "# more\n"), "c.py")
    assert one.differences(two.path) == ["a.py", "c.py"]
    one.close()
    two.close()


def test_a_failed_write_changes_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.sqlite")
    put(store, "a.py")
    batch = make_batch([Task("b.py", TEXT, "b", 8), Task("c.py", TEXT, "c", 9)])
    with pytest.raises(sqlite3.Error):
        store.write(batch, {"b.py": (1, 1), "c.py": (None, 1)})  # pyright: ignore
    assert [row.path for row in store.rows()] == ["a.py"]
    put(store, "b.py")
    assert len(store.rows()) == 2
    store.close()


@pytest.mark.parametrize(
    "damage", [b"not a database at all" * 100, b"SQLite format 3\0" + b"\7" * 9000]
)
def test_a_damaged_store_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "s.sqlite"
    path.write_bytes(damage)
    store = Store(path)
    assert store.rows() == []
    put(store, "a.py")
    assert len(store.rows()) == 1
    store.close()


def test_who_opens_a_store_that_another_is_making_waits_for_it(tmp_path: Path) -> None:
    """Taken for damaged, it was removed under the other's feet, which could end the process."""
    together = threading.Barrier(8)

    def opened(path: Path) -> None:
        together.wait(10)
        store = Store(path)
        assert store.rows() == []
        store.close()

    with ThreadPoolExecutor(8) as threads:
        for at in range(100):
            list(threads.map(opened, [tmp_path / f"{at}.sqlite"] * 8))


def test_a_store_of_another_version_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    store = Store(path)
    put(store, "a.py")
    store.close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 7")
    connection.close()
    store = Store(path)
    assert store.rows() == []
    store.close()


def test_the_store_lies_outside_of_the_workspace_one_for_each(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    settings = Settings(cache_dir=str(tmp_path / "cache"))
    first, second = (
        store_path(Workspace.open(tmp_path / name, settings=settings)) for name in ("one", "two")
    )
    assert first != second
    assert first.is_relative_to(tmp_path / "cache")
    assert not store_path(Workspace.open(tmp_path / "one")).is_relative_to(tmp_path)
