"""Entries on disk: complete or missing, limited in size, and shared by several processes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer_core.cache import Entry, KeptPlace, ReportCache
from explorer_core.cache.entry import deserialize, serialize
from explorer_core.contracts import ExploreRequest, LineRange, Selection

KEY = "a" * 40


def entry(key: str = KEY, state: str = "", query: str = "why?", root: str = "/shop") -> Entry:
    return Entry(
        key=key,
        created_at=datetime.now(UTC),
        engine="1",
        roots=(root,),
        request=ExploreRequest(query=query),
        judge="packet",
        model="m",
        stop_reason="completed",
        selection=Selection(recommended_primary_action="answer_from_report", confidence="high"),
        places={"c1": KeptPlace(path="a.py", range=LineRange(start=1, end=2))},
        fingerprints={"a.py": "0" * 32},
        tree=state or None,
    )


def test_kept_entry_is_found(tmp_path: Path):
    cache = ReportCache(tmp_path / "new" / "folder")
    assert list(cache.find(KEY)) == []
    assert cache.keep(entry())
    assert list(cache.find(KEY)) == cache.entries()
    assert list(cache.find("b" * 40)) == []
    assert [each.state for each in cache.verify()] == ["ok"]


def test_most_recently_used_entry_comes_first(tmp_path: Path):
    cache = ReportCache(tmp_path)
    entries = [entry(state="b"), entry(state="a"), entry("b" * 40)]
    for used, each in enumerate(entries, 1):
        cache.keep(each)
        os.utime(tmp_path / f"{each.name}.json", (used, used))
    assert cache.entries() == [entries[2], entries[1], entries[0]]
    assert list(cache.find(KEY)) == [entries[1], entries[0]]
    cache.touch(entries[0])
    assert cache.entries() == [entries[0], entries[2], entries[1]]
    assert list(cache.find(KEY)) == [entries[0], entries[1]]


def test_renamed_entry_answers_neither_question(tmp_path: Path):
    cache = ReportCache(tmp_path)
    cache.keep(entry())
    (file,) = tmp_path.iterdir()
    file.rename(tmp_path / file.name.replace(KEY, "b" * 40))
    assert list(cache.find("b" * 40)) == list(cache.find(KEY)) == []
    assert [each.state for each in cache.verify()] == ["damaged"]


@given(st.binary(max_size=40), st.integers(0, 10_000))
def test_damaged_entry_is_a_miss(junk: bytes, at: int):
    data = serialize(entry())
    at %= len(data)
    assert deserialize(data) is not None
    for damaged in (data[:at], data[:at] + junk + data[at:], junk, data[:at] + junk):
        assert deserialize(damaged) is None or damaged == data


def test_damaged_files_are_reported_and_cleared(tmp_path: Path):
    cache = ReportCache(tmp_path)
    cache.keep(entry())
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes().replace(b"why", b"who"))
    (tmp_path / f"{KEY}-{'0' * 16}.json").mkdir()
    (tmp_path / "notes.txt").write_text("somebody else's")
    assert list(cache.find(KEY)) == []
    assert {each.state for each in cache.verify()} == {"damaged"}
    cache.clear()
    assert (tmp_path / "notes.txt").exists()
    assert not file.exists()


def test_cache_is_bounded_and_drops_least_recently_used(tmp_path: Path):
    size = len(serialize(entry(f"{0:040x}")))
    cache = ReportCache(tmp_path, limit_bytes=10 * size)
    for number in range(40):
        cache.keep(entry(f"{number:040x}"))
        os.utime(tmp_path / f"{entry(f'{number:040x}').name}.json", (number, number))
        first = entry(f"{0:040x}")
        cache.touch(first)
    kept_keys = {each.key for each in cache.entries()}
    assert f"{0:040x}" in kept_keys
    assert f"{39:040x}" in kept_keys
    assert f"{5:040x}" not in kept_keys
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 10 * size


def test_entries_per_question_are_limited(tmp_path: Path):
    cache = ReportCache(tmp_path)
    for number in range(30):
        cache.keep(entry(state=str(number)))
    assert 0 < len(list(cache.find(KEY))) <= 12


def test_clearing_a_workspace_leaves_others(tmp_path: Path):
    cache = ReportCache(tmp_path)
    cache.keep(entry("a" * 40, root="/a"))
    cache.keep(entry("b" * 40, root="/b"))
    size = len(serialize(entry("a" * 40, root="/a")))
    files, freed = cache.clear("/a")
    assert files == 1
    assert abs(freed - size) < 10  # its timestamp may have fewer digits
    assert [each.roots for each in cache.entries()] == [("/b",)]


def test_old_partial_files_are_removed(tmp_path: Path):
    cache = ReportCache(tmp_path)
    young, old = tmp_path / "a.part", tmp_path / "b.part"
    young.write_bytes(b"x")
    old.write_bytes(b"x")
    os.utime(old, (1, 1))
    cache.keep(entry())
    assert young.exists()
    assert not old.exists()


WRITER = """
import sys
from pathlib import Path
from explorer_core.cache import ReportCache
from tests.cache.test_store import entry

cache = ReportCache(Path(sys.argv[1]), limit_bytes=60_000)
print("ready", flush=True)
number = 0
while True:
    number += 1
    cache.keep(entry(f"{number % 50:040x}", query="why? " * 400 + str(number)))
    list(cache.find(f"{number % 7:040x}"))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a signal that cannot be caught")
def test_killed_writers_leave_complete_entries(tmp_path: Path):
    """Two processes write, read and trim one folder; both are killed in the middle of it."""
    chance = random.Random(1)
    cache = ReportCache(tmp_path)
    for _ in range(3):
        writers = [
            subprocess.Popen(
                [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True
            )
            for _ in range(2)
        ]
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
        time.sleep(chance.uniform(0.05, 0.3))
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
            writer.communicate()
        checked = cache.verify()
        assert {each.state for each in checked} <= {"ok", "abandoned"}
        assert any(each.state == "ok" for each in checked)
