"""The store's file: damaged files and other versions are repaired silently."""

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
from explorer_core.index.storage import segments
from explorer_core.index.storage.segments import Block, Kind
from explorer_core.index.storage.store import Store
from explorer_core.index.workers.wire import Task
from explorer_core.workspace import Workspace
from tests.index.workspace import make_batch

TEXT = "def run():\n    return helper(1)\n"


def put(store: Store, *files: str | tuple[str, str]) -> None:
    """Write files as one batch. Those given without text have `TEXT`."""
    tasks: list[Task] = []
    for number, file in enumerate(files, store.next_number()):
        path, text = (file, TEXT) if isinstance(file, str) else file
        tasks.append(Task(path, text, str(hash(text)), number))
    store.write(make_batch(tasks), {task.path: (len(task.text), 1) for task in tasks})


def test_written_files_can_be_read_back(tmp_path: Path) -> None:
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


def test_later_writes_are_found_despite_cached_lookups(tmp_path: Path) -> None:
    """Even though earlier results are cached in memory."""
    store = Store(tmp_path / "s.sqlite")
    for count, path in enumerate(("a.py", "b.py", "c.py"), 1):
        put(store, path)
        for kind, name in ((Kind.DEFINED, "run"), (Kind.MENTIONED, "helper")):
            assert [len(store.files_with_name(kind, name)) for _ in range(2)] == [count, count]
        assert len(store.postings("helper")) == count
    store.close()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.go", "package a\nfunc run() {\n\tall := append(all, Part{\n\t\tKey: 1,\n\t})\n}\n"),
        ("a.kt", "fun run() {\n  val it = given<Part> {\n    made(1)\n  }\n}\n"),
    ],
)
def test_mentioned_names_have_no_arguments(path: str, text: str) -> None:
    facts = extract(path, text)
    assert facts is not None
    assert all(name.isprintable() and "(" not in name for name in mentioned_names(facts))


@pytest.mark.parametrize("keys", [1, 2, 2000])
@pytest.mark.parametrize("postings", [1, 3, 8000])
@pytest.mark.parametrize(
    ("kind", "table", "expected"),
    [
        # per term
        (Kind.TERM, {"a": ([1, 2], [2], []), "b": ([3, 3],)}, {"a": [1, 2, 0, 2], "b": [3, 3]}),
        (Kind.DEFINED, {"b": ([4, 5], [2, 3]), "a": ([1],)}, {"a": [1], "b": [2, 3, 4, 5]}),
        # keys without postings, or that nobody can look up, do not shift the others
        (Kind.DEFINED, {"a": ([1],), "b": ([], []), "c": ([3],)}, {"a": [1], "c": [3]}),
        (Kind.DEFINED, {"a": ([1],), "b\nc": ([2],), "d": ([3],)}, {"a": [1], "d": [3]}),
    ],
)
def test_blocks_hold_all_postings(
    monkeypatch: pytest.MonkeyPatch,
    kind: Kind,
    table: dict[str, tuple[list[int], ...]],
    expected: dict[str, list[int]],
    keys: int,
    postings: int,
) -> None:
    monkeypatch.setattr(segments, "_BLOCK_KEYS", keys)
    monkeypatch.setattr(segments, "_BLOCK_POSTINGS", postings)
    found: dict[str, list[int]] = {}
    for row in segments.blocks(kind, table):
        block = Block(row.data)
        assert (row.kind, row.first) == (kind, block.keys[0])
        assert len(block.keys) <= keys
        found |= {key: list(block.postings(at)) for at, key in enumerate(block.keys)}
    assert found == expected


@pytest.mark.parametrize(
    ("segment_sizes", "merged"),
    [
        ([(1, 1)] * 8, []),
        ([(1, 1)] * 9, [*range(9)]),
        ([(300, 255)] * 9, [*range(9)]),
        ([(300, 256)] * 9, []),
        ([(10, 6), (10, 5), (3, 0)], [1, 2]),
        # a segment merged for being mostly dead does not count among the many
        ([*[(2, 2)] * 8, (4, 2)], [8]),
        # nor does a much larger one
        ([*[(2, 2)] * 8, (40, 40)], []),
    ],
)
def test_segments_are_merged_where_they_are_many_or_mostly_dead(
    segment_sizes: list[tuple[int, int]], merged: list[int]
) -> None:
    assert segments.segments_to_merge(dict(enumerate(segment_sizes))) == merged


def test_deleted_files_leave_no_rows_behind(tmp_path: Path) -> None:
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


def segment_sizes(store: Store) -> list[int]:
    """The number of places in each segment."""
    return [len(places.files) for _, places in store.places()]


def test_merged_segments_equal_one_segment(tmp_path: Path) -> None:
    files = [
        (f"m{number}.py", f"def save_{number}():\n    # saves and saving\n    return saved(save)\n")
        for number in range(20)
    ]
    store, at_once, few = (Store(tmp_path / f"{name}.sqlite") for name in ("a", "b", "c"))
    for file in files:
        put(store, file)
    put(at_once, *files)
    assert len(segment_sizes(store)) < len(files)
    assert len(segment_sizes(at_once)) == 1
    assert store.differences(at_once.path) == []
    put(few, *files[:4])
    for one in (store, at_once):
        one.write(deleted=[path for path, _ in files[4:]])
        assert one.differences(few.path) == []
        assert segment_sizes(one) == segment_sizes(few)
    for one in (store, at_once, few):
        one.close()


def test_differences_name_the_files(tmp_path: Path) -> None:
    one, two = Store(tmp_path / "1.sqlite"), Store(tmp_path / "2.sqlite")
    put(one, "a.py", "b.py")
    put(two, "b.py", ("a.py", TEXT + "# more\n"), "c.py")
    assert one.differences(two.path) == ["a.py", "c.py"]
    one.close()
    two.close()


@pytest.mark.parametrize("kind", [Kind.TERM, Kind.DEFINED, Kind.MENTIONED])
def test_missing_block_is_a_difference(tmp_path: Path, kind: Kind) -> None:
    one, two = Store(tmp_path / "1.sqlite"), Store(tmp_path / "2.sqlite")
    for store in (one, two):
        put(store, "a.py")
    with sqlite3.connect(one.path) as connection:
        connection.execute("DELETE FROM blocks WHERE kind = ?", (kind,))
    connection.close()
    assert one.differences(two.path) == ["a.py"]
    one.close()
    two.close()


def test_failed_write_changes_nothing(tmp_path: Path) -> None:
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
def test_damaged_store_is_recreated(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "s.sqlite"
    path.write_bytes(damage)
    store = Store(path)
    assert store.rows() == []
    put(store, "a.py")
    assert len(store.rows()) == 1
    store.close()


def test_opening_waits_for_store_being_created(tmp_path: Path) -> None:
    """Mistaken for damaged, it was once removed while being made, which could crash a process."""
    barrier = threading.Barrier(8)

    def open_together(path: Path) -> None:
        barrier.wait(10)
        store = Store(path)
        assert store.rows() == []
        store.close()

    with ThreadPoolExecutor(8) as threads:
        for at in range(100):
            list(threads.map(open_together, [tmp_path / f"{at}.sqlite"] * 8))


def test_store_of_another_version_is_recreated(tmp_path: Path) -> None:
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


def test_each_workspace_has_its_own_store_outside_of_it(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    settings = Settings(cache_dir=str(tmp_path / "cache"))
    first, second = (
        store_path(Workspace.open(tmp_path / name, settings=settings)) for name in ("one", "two")
    )
    assert first != second
    assert first.is_relative_to(tmp_path / "cache")
    assert not store_path(Workspace.open(tmp_path / "one")).is_relative_to(tmp_path)
