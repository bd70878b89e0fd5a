"""Workers: a bad file affects no other file."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Iterator

import pytest

from explorer_core.index.storage.record import Batch, FileRecord, set_aside, unpack_facts
from explorer_core.index.storage.segments import Block, Kind, Places
from explorer_core.index.workers.pool import Pool
from explorer_core.index.workers.wire import Task
from tests.index.workspace import make_batch

# A worker that hangs, crashes, raises or prints, depending on the text.
_FAULTY_WORKER = """
import os
from explorer_core.index.workers import analysis, worker
make = analysis.make_record
def treacherous(task, tables):
    text = task.text
    while text == "hang": pass
    if text == "crash": os.abort()
    record = make(task, tables)
    if text == "raise": raise RecursionError
    if text == "print": print("noise" * 1000, flush=True)
    return record
analysis.make_record = treacherous
worker.main()
"""


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(2, file_time_s=1.0, command=("-c", _FAULTY_WORKER)) as pool:
        yield pool


def run(pool: Pool, texts: dict[str, str]) -> dict[str, str]:
    """Analyse some files and return for each why it was set aside; empty if it was not."""
    tasks = [Task(path, text, "d", number) for number, (path, text) in enumerate(texts.items())]
    reasons: dict[str, str] = {}
    for batch in run_batches(pool, tasks):
        reasons |= {record.path: record.set_aside for record in batch.records}
        whole = {record.number for record in batch.records if not record.set_aside}
        assert files_in_blocks(batch) == whole
    return reasons


def files_in_blocks(batch: Batch) -> set[int]:
    """The numbers of the files that occur in the blocks."""
    rows = [row for row in batch.blocks if row.kind != Kind.PLACES]
    places = [Places(row.data) for row in batch.blocks if row.kind == Kind.PLACES]
    found: set[int] = set()
    for row, block in ((row, Block(row.data)) for row in rows):
        for at in range(len(block.keys)):
            postings = block.postings(at)
            in_terms = row.kind == Kind.TERM
            found.update(
                [places[0].files[one] for one in postings if one] if in_terms else postings
            )
    return found


def run_batches(pool: Pool, tasks: Iterable[Task | FileRecord], **options: bool) -> list[Batch]:
    made = pool.run(tasks, threading.Event(), **options)
    return [one for one in made if isinstance(one, Batch)]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("hang", "was not parsed within 1 s"),
        ("crash", "crashed its parser"),
        ("raise", "could not be analysed (RecursionError)"),
        ("a\0b", "contains null characters"),
    ],
)
def test_a_bad_file_is_set_aside_and_the_rest_goes_on(pool: Pool, text: str, why: str) -> None:
    texts = {f"{i}.py": f"def f{i}(): pass" for i in range(12)}
    reasons = run(pool, {**texts, "bad.py": text, **{f"late{i}.py": "x = 1" for i in range(12)}})
    assert len(reasons) == 25
    assert reasons.pop("bad.py") == why
    assert set(reasons.values()) == {""}


def test_output_of_parser_does_not_corrupt_messages(pool: Pool) -> None:
    assert run(pool, {"a.py": "print", "b.py": "x = 1"}) == {"a.py": "", "b.py": ""}


def test_large_texts_pass_both_ways(pool: Pool) -> None:
    texts = {f"{i}.py": "\n".join(f"name_{j} = other_{j}" for j in range(9000)) for i in range(6)}
    assert len(run(pool, texts)) == 6


def test_records_among_the_tasks_are_passed_on(pool: Pool) -> None:
    (batch,) = run_batches(pool, [set_aside(1, "a", "", "is binary")])
    assert [(record.path, record.set_aside) for record in batch.records] == [("a", "is binary")]


def test_worker_batch_equals_batch_made_in_process(pool: Pool) -> None:
    text = "class A:\n    def b(self): return c()\n"
    (there,) = run_batches(pool, [Task("a.py", text, "d")])
    assert there == make_batch([Task("a.py", text, "d")])
    (record,) = there.records
    assert record.facts is not None
    assert [d.name for d in unpack_facts(record.facts).definitions] == ["A", "b"]


def test_batches_made_apart_hold_one_file_each(pool: Pool) -> None:
    texts = {f"{i}.py": f"x{i} = 1" for i in range(9)} | {"bad.py": "crash"}
    tasks = [Task(path, text, "d", number) for number, (path, text) in enumerate(texts.items())]
    aside = [set_aside(number, f"{number}.bin", "", "is binary") for number in range(20, 23)]
    made = run_batches(pool, [*aside, *tasks, *aside], apart=True)
    expected = sorted([*texts, *(record.path for record in aside * 2)])
    assert sorted(record.path for batch in made for record in batch.records) == expected
    assert all(len(batch.records) == 1 for batch in made)


def test_cancelling_ends_the_run(pool: Pool) -> None:
    cancelled = threading.Event()
    record_count = 0
    for made in pool.run((Task(f"{i}.py", "x = 1", "d") for i in range(100_000)), cancelled):
        record_count += len(made.records) if isinstance(made, Batch) else 0
        cancelled.set()
    assert 0 < record_count < 100_000


def test_cancelling_ends_a_file_that_hangs() -> None:
    cancelled = threading.Event()
    with Pool(1, file_time_s=300, command=("-c", _FAULTY_WORKER)) as pool:
        threading.Timer(0.1, cancelled.set).start()
        assert list(pool.run([Task("a.py", "hang", "d")], cancelled)) == []


def test_error_in_task_iterator_reaches_the_caller(pool: Pool) -> None:
    def tasks() -> Iterator[Task]:
        yield Task("a.py", "x = 1", "d")
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        list(pool.run(tasks(), threading.Event()))


@pytest.mark.skipif(sys.platform == "win32", reason="counts modules in a POSIX shell")
def test_worker_does_not_import_pydantic() -> None:
    import subprocess

    code = "import sys, explorer_core.index.workers.answering; print('pydantic' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "False"
