"""After any sequence of edits, rows and answers equal those of a clean rebuild."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from explorer_core.contracts import Settings
from explorer_core.index.index import Index
from explorer_core.index.search.bm25f import Search
from explorer_core.index.storage.lease import Lease
from explorer_core.index.sync import Progress, SyncTask
from explorer_core.index.terms.text import analyse
from explorer_core.index.terms.units import COUNT_MASK
from explorer_core.workspace import Workspace
from tests.index.decoded import vocabulary
from tests.workers import POOL

PATHS = ("app.py", "lib/app.py", "lib/util.py", "notes.md", "web/main.ts", "data", "empty.py")
TEXTS = (
    "def run():\n    return helper(1)\n",
    "def ran():\n    return helper(1)\n",
    "import os\nfrom lib.util import helper as h\nclass A(Base):\n    def go(self):\n        h()\n",
    "class A:\n    x: int = 1\n    def go(self): ...\n\n# about helpers\ndef helper(n): return n\n",
    "# Title\n\nSome words about the session helper.\n",
    "export function helper(n: number) { return run(n) }\n",
    "def broken(:\n  class ]] helper\n",
    "a\0b",
    "",
    "x=1;" * 3000,
    "\ufeffdef bom(): pass\r\n",
)
QUERIES = ("helper", "run session", "app util a")

paths = st.sampled_from(PATHS)
texts = st.sampled_from(TEXTS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    put(folder, "app.py", TEXTS[0])
    return folder


def put(folder: Path, path: str, text: str) -> None:
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8", newline="")


def occurrences_of(search: Search, term: str) -> tuple[list[tuple[object, ...]], list[object]]:
    """Where a term occurs: path, line, field and count in units, and path and count in paths."""
    collection = search.collection
    found = collection.matches(term)
    in_text = [
        (
            collection.paths[collection.file[unit]],
            collection.unit(unit)[1],
            field,
            entry & COUNT_MASK,
        )
        for unit, field, entry in zip(
            found.units.tolist(), found.fields.tolist(), found.entries.tolist(), strict=True
        )
    ]
    files, counts = found.path_files.tolist(), found.path_counts.tolist()
    in_paths = [(collection.paths[file], count) for file, count in zip(files, counts, strict=True)]
    return sorted(in_text), sorted(in_paths)


def visible_state(index: Index) -> dict[str, object]:
    """Everything that queries can see, keyed by path instead of row number."""
    view = index.view
    search = index.search()
    rows = {row.path: row for row in view.visible_rows()}
    names = {"helper", "run", "ran", "A", "go", "Base", "broken", "h", "util", "x", "os"}
    return {
        "rows": {
            path: (row.digest, row.language, row.set_aside, row.unit_count, row.lengths)
            for path, row in rows.items()
        },
        "facts": {path: view.facts(path) for path in rows},
        "defining": {name: view.files_defining(name) for name in names},
        "mentioning": {name: view.files_mentioning(name) for name in names},
        "renaming": {name: view.files_renaming(name) for name in names},
        "extending": {name: view.files_extending(name) for name in names},
        "asking literals": {name: view.files_calling_on_literals(name) for name in names},
        "terms": {
            term: (*found, search.collection.frequency(term))
            for term in sorted(vocabulary(index))
            if any(found := occurrences_of(search, term))
        },
        "hits": {query: search.units(dict.fromkeys(analyse(query), 1.0)) for query in QUERIES},
        "symbols": {path: index.graph.symbols_in(path) for path in sorted(view.paths())},
        "spread": {term: search.terms.spread(term) for query in QUERIES for term in analyse(query)},
    }


def check_against_rebuild(index: Index) -> None:
    """Check that the index, once up to date, answers like one built from scratch."""
    result = index.sync_now()
    assert result.complete
    with tempfile.TemporaryDirectory() as clean:
        fresh = Index(index.workspace, Path(clean) / "clean.sqlite", POOL)
        fresh.sync_now()
        assert visible_state(index) == visible_state(fresh)
        fresh.close()


def machine() -> type[RuleBasedStateMachine]:  # noqa: C901 - one rule each
    class Edits(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.temporary = tempfile.TemporaryDirectory()
            self.folder = Path(self.temporary.name) / "work"
            self.folder.mkdir()
            put(self.folder, "kept.py", TEXTS[3])
            self.workspace = Workspace.open(self.folder)
            self.index = Index(self.workspace, Path(self.temporary.name) / "i.sqlite", POOL)

        @rule(path=paths, text=texts)
        def write(self, path: str, text: str) -> None:
            put(self.folder, path, text)

        @rule(path=paths)
        def delete(self, path: str) -> None:
            (self.folder / path).unlink(missing_ok=True)

        @rule(old=paths, new=paths)
        def rename(self, old: str, new: str) -> None:
            if (self.folder / old).exists():
                (self.folder / new).parent.mkdir(exist_ok=True)
                (self.folder / old).replace(self.folder / new)

        @rule(path=paths, text=texts)
        def type(self, path: str, text: str) -> None:
            self.workspace.overlays.set(path, text)

        @rule(path=paths)
        def close_buffer(self, path: str) -> None:
            self.workspace.overlays.discard(path)

        @rule(path=paths)
        def sync_one(self, path: str) -> None:
            self.index.sync_now(SyncTask([path]))

        @rule(path=paths)
        def sync_one_while_another_writes(self, path: str) -> None:
            lease = Lease.acquire(self.index.location)
            assert lease is not None
            with lease:
                self.index.sync_now(SyncTask([path]))

        @rule()
        def compare(self) -> None:
            check_against_rebuild(self.index)

        def teardown(self) -> None:
            for path in self.workspace.overlays.paths():
                self.workspace.overlays.discard(path)
            check_against_rebuild(self.index)
            assert asyncio.run(self.index.verify()) == []
            self.index.close()
            self.temporary.cleanup()

    return Edits


_RUN_SETTINGS = {"deadline": None, "suppress_health_check": list(HealthCheck)}


def test_index_equals_clean_rebuild_after_any_edits() -> None:
    run_state_machine_as_test(
        machine(), settings=settings(max_examples=10, stateful_step_count=12, **_RUN_SETTINGS)
    )


def test_scores_do_not_depend_on_write_order(tmp_path: Path) -> None:
    """A unit has a term in several fields, whose places are numbered in the order of segments."""
    folder = tmp_path / "work"
    folder.mkdir()
    put(folder, "kept.py", TEXTS[3])
    workspace = Workspace.open(folder)
    index = Index(workspace, tmp_path / "i.sqlite", POOL)
    put(folder, "notes.md", TEXTS[3])
    put(folder, "lib/util.py", TEXTS[0])
    index.sync_now(SyncTask(["notes.md"]))
    put(folder, "app.py", TEXTS[0])
    put(folder, "lib/app.py", TEXTS[0])
    check_against_rebuild(index)
    index.close()


@pytest.mark.slow
def test_index_equals_clean_rebuild_after_many_edits() -> None:
    run_state_machine_as_test(
        machine(), settings=settings(max_examples=200, stateful_step_count=30, **_RUN_SETTINGS)
    )


def test_edit_with_unchanged_modification_time_is_noticed(folder: Path, tmp_path: Path) -> None:
    index = Index(Workspace.open(folder), tmp_path / "i.sqlite", POOL)
    stamp = (folder / "app.py").stat()
    index.sync_now()
    put(folder, "app.py", TEXTS[1])
    os.utime(folder / "app.py", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    index.sync_now()
    assert index.view.files_defining("ran") == ["app.py"]
    index.close()


def test_unchanged_files_are_not_parsed_again(folder: Path, tmp_path: Path) -> None:
    put(folder, "other.py", TEXTS[2])
    index = Index(Workspace.open(folder), tmp_path / "i.sqlite", POOL)
    assert index.sync_now().indexed == 2
    again = index.sync_now()
    assert (again.indexed, again.unchanged) == (0, 2)
    put(folder, "other.py", TEXTS[3])
    assert index.sync_now().indexed == 1
    index.close()


async def test_sync_of_asked_paths_comes_first_and_coverage_counts(
    folder: Path, tmp_path: Path
) -> None:
    for number in range(40):
        put(folder, f"m{number}.py", f"def f{number}(): return helper()\n")
    index = Index.open(Workspace.open(folder, settings=Settings(cache_dir=str(tmp_path / "cache"))))
    first = await index.sync(paths=["m7.py"])
    assert first.indexed == 1
    assert [symbol.path for symbol in index.graph.find("f7")] == ["m7.py"]
    assert (index.contents.coverage().indexed, index.contents.coverage().total) == (1, 41)
    progress: list[Progress] = []
    await index.sync(priority=["m30.py"], on_progress=progress.append)
    assert progress[-1].done == progress[-1].total
    assert index.contents.coverage().indexed == 41
    assert index.contents.diagnostics() == []
    assert index.contents.status().symbols == 41
    put(folder, "new.py", "def new(): ...\n")
    index.workspace.forget_listing()
    assert "new.py" in {each.path for each in index.workspace.files()}
    assert (index.contents.coverage().indexed, index.contents.coverage().total) == (41, 42)
    index.close()


async def test_cancelling_keeps_what_was_written(folder: Path, tmp_path: Path) -> None:
    for number in range(300):
        put(folder, f"m{number}.py", f"def f{number}(): return helper()\n")
    with Index(Workspace.open(folder), tmp_path / "i.sqlite") as index:
        task = asyncio.create_task(index.sync())
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        for _ in range(500):  # work already started finishes on its own thread
            if (await index.sync()).complete:
                break
            await asyncio.sleep(0.02)
        assert await index.verify() == []


def test_bad_files_do_not_affect_others(folder: Path, tmp_path: Path) -> None:
    (folder / "nul.py").write_bytes(b"x = 1\n" * 5000 + b"\0" * 5000)
    (folder / "latin.py").write_bytes("def größe(): pass\n".encode("latin-1"))
    (folder / "huge.py").write_bytes(b"x = 1\n" * 400_000)
    put(folder, "min.js", "function a(){return b(c)};" * 4000)
    put(folder, "deep.py", "(" * 50_000 + "\n" + ")" * 50_000)
    put(folder, "deep.json", "[" * 100_000)
    index = Index(Workspace.open(folder), tmp_path / "i.sqlite", POOL)
    assert index.sync_now().complete
    assert index.view.files_defining("run") == ["app.py"]
    assert index.view.files_defining("größe") == ["latin.py"]
    diagnosed = {d.message.split()[0] for d in index.contents.diagnostics()}
    assert {"huge.py", "min.js", "nul.py"} <= diagnosed
    assert "app.py" not in diagnosed
    assert asyncio.run(index.verify()) == []
    index.close()


@pytest.mark.parametrize("count", [0, 1, 3, 4, 40])
def test_diagnostics_of_one_kind_are_merged_beyond_three_files(
    count: int, folder: Path, tmp_path: Path
) -> None:
    for number in range(count):
        put(folder, f"bundle{number:02}.js", "function a(){return b(c)};" * 400)
    with Index(Workspace.open(folder), tmp_path / "i.sqlite", POOL) as index:
        index.sync_now()
        diagnosed = " ".join(each.message for each in index.contents.diagnostics())
    named = sum(f"bundle{number:02}.js" in diagnosed for number in range(count))
    assert named == min(count, 3)
    others = "one other" if count == 4 else f"{count - named} others"
    assert (f"and {others}: each is minified" in diagnosed) == (count > 3)


_BAD_FILES: dict[str, tuple[str, bytes, str]] = {
    "ten megabytes": ("bad.py", b"x = 1\n" * 1_800_000, "larger than file_size_limit"),
    "ten megabytes on one line": ("bad.js", b"a(b);" * 2_100_000, "larger than file_size_limit"),
    "minified": ("bad.js", b"a(b);" * 200_000, "minified"),
    "null characters": ("bad.py", b"x = 1\n" * 5000 + b"\0" * 100, "contains null characters"),
    "nothing but null characters": ("bad.py", b"\0" * 100_000, "is binary"),
    "every byte value but null": ("bad.c", bytes(range(1, 256)) * 400, ""),
    "utf-16": ("bad.py", "def bad(): pass\n".encode("utf-16"), ""),
    "utf-16 without a mark": ("bad.py", "def bad(): pass\n".encode("utf-16-le"), "is binary"),
    "latin-1": ("bad.py", "def größe(): pass\n".encode("latin-1"), ""),
    "malformed": ("bad.py", b"def bad(:\n  class ]] helper\n" * 2000, ""),
    "conditionals never closed": ("bad.c", b"#if A\n" * 30_000, ""),
    "directive that never ends": ("bad.c", b"#define A \\\n" * 30_000, ""),
    "words like macros": ("bad.h", b"FOO\n" * 60_000, ""),
    "calls like macros": ("bad.h", b"FOO(\n" * 60_000, ""),
    "templates that never end": ("bad.h", b"template <FOO((\n" * 20_000, ""),
    **{
        f"deeply nested {suffix}": (f"bad.{suffix}", opening.encode() * 10_000, "")
        for suffix, opening in {
            "py": "(\n", "ts": "a ?\n", "js": "[\n", "tsx": "<A>\n", "go": "if x {\n",
            "rs": "fn f() {\n", "java": "class A {\n", "kt": "a.b(\n", "c": "{\n",
            "cpp": "a<\n", "cs": "namespace A {\n", "rb": "if a\n", "php": "<?php if (a) {\n",
            "swift": "a([\n", "scala": "object A {\n", "sh": "$(\n", "lua": "{\n", "sql": "(\n",
            "vue": "<template>\n", "svelte": "{#if a}\n", "html": "<div>\n", "css": "a{\n",
            "yaml": "- \n", "toml": "a = [\n", "json": "[\n", "md": "> - \n",
        }.items()
    },
}  # fmt: skip


@pytest.mark.parametrize("case", _BAD_FILES)
def test_bad_file_does_not_affect_others(case: str, folder: Path, tmp_path: Path) -> None:
    name, data, why = _BAD_FILES[case]
    (folder / name).write_bytes(data)
    put(folder, "after.py", "def after(): pass\n")
    index = Index(Workspace.open(folder), tmp_path / "i.sqlite", POOL)
    assert index.sync_now().complete
    assert index.view.files_defining("run") == ["app.py"]
    assert index.view.files_defining("after") == ["after.py"]
    diagnosed = {
        message.split()[0]: message for message in (d.message for d in index.contents.diagnostics())
    }
    assert set(diagnosed) <= {name}
    assert why in diagnosed.get(name, "") or not why
    index.close()


_OTHER_PROCESS = """
import sys
from pathlib import Path
from explorer_core.index.index import Index
from explorer_core.workspace import Workspace
if __name__ == "__main__":
    index = Index(Workspace.open(sys.argv[1]), Path(sys.argv[2]))
    index.sync_now()
    print(",".join(sorted(index.view.paths())))
    index.close()
"""


def test_two_processes_share_a_store(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "i.sqlite"
    index = Index(Workspace.open(folder), path, POOL)
    command = [sys.executable, "-c", _OTHER_PROCESS, str(folder), str(path)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert shown.stdout.strip() == "app.py"
    assert index.search().units({"helper": 1.0})[0].path == "app.py"
    assert index.sync_now().indexed == 0
    index.close()


def test_still_index_hides_writes_of_other_processes(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "i.sqlite"
    index, other = (Index(Workspace.open(folder), path, POOL) for _ in range(2))
    index.sync_now()
    with index.frozen():
        symbols_before = index.graph.symbols_in("app.py")
        put(folder, "app.py", TEXTS[1])
        assert other.sync_now().complete
        assert index.graph.symbols_in("app.py") == symbols_before
    assert index.graph.symbols_in("app.py") == other.graph.symbols_in("app.py") != symbols_before
    for each in (index, other):
        each.close()


def test_sync_without_lease_masks_files_in_memory(folder: Path, tmp_path: Path) -> None:
    index = Index(Workspace.open(folder), tmp_path / "i.sqlite", POOL)
    index.sync_now()
    put(folder, "app.py", TEXTS[1])
    lease = Lease.acquire(index.location)
    assert lease is not None
    with lease:
        assert not index.sync_now().complete
        assert index.view.files_defining("run") == ["app.py"]
        index.sync_now(SyncTask(["app.py"]))
        assert index.view.files_defining("ran") == ["app.py"]
    assert index.sync_now().complete
    assert index.view.masks() == {}
    assert index.view.files_defining("ran") == ["app.py"]
    index.close()


def test_cancelled_sync_keeps_unwritten_masks(folder: Path, tmp_path: Path) -> None:
    index = Index(Workspace.open(folder), tmp_path / "i.sqlite", POOL)
    index.sync_now()
    put(folder, "app.py", TEXTS[1])
    lease = Lease.acquire(index.location)
    assert lease is not None
    with lease:
        index.sync_now(SyncTask(["app.py"]))
    cancelled = threading.Event()
    cancelled.set()
    assert not index.sync_now(SyncTask([], cancelled=cancelled)).complete
    assert index.view.files_defining("ran") == ["app.py"]
    assert index.sync_now(SyncTask([])).complete
    assert index.view.masks() == {}
    assert index.view.files_defining("ran") == ["app.py"]
    index.close()


def test_secret_files_are_not_indexed_even_if_named(folder: Path, tmp_path: Path) -> None:
    settings = Settings(secret_globs=("*.ini",))
    put(folder, "open.ini", "password = 'hunter2'\n")
    (folder / "alias.txt").symlink_to("open.ini")
    index = Index(Workspace.open(folder), tmp_path / "i.sqlite", POOL)
    index.sync_now(SyncTask(["open.ini"]))
    assert "open.ini" in index.view.stored()
    index.close()
    guarded = Index(Workspace.open(folder, settings=settings), tmp_path / "i.sqlite", POOL)
    for path in ("open.ini", "alias.txt", str(folder / "open.ini")):
        guarded.sync_now(SyncTask([path]))
        assert not any(guarded.search().terms.spread("password"))
    lease = Lease.acquire(guarded.location)
    assert lease is not None
    with lease:
        guarded.sync_now(SyncTask(["open.ini", "alias.txt"]))
        assert guarded.view.masks() == {}
    guarded.close()


def test_unsaved_text_overrides_the_stored_file(folder: Path, tmp_path: Path) -> None:
    """In every query, from the moment it is typed until the document is closed."""
    put(folder, "other.py", "def other(): pass\n")
    index = Index(Workspace.open(folder), tmp_path / "i.sqlite", POOL)
    for text, there, gone in (
        (None, "run", "ran"),
        ("def ran(): pass\n", "ran", "run"),
        ("def gone(): pass\n", "gone", "ran"),
        (None, "run", "gone"),
    ):
        if text is None:
            index.workspace.overlays.discard("app.py")
        else:
            index.workspace.overlays.set("app.py", text)
        index.sync_now()
        facts = index.view.facts("app.py")
        assert facts is not None
        assert [each.name for each in facts.definitions] == [there]
        for name, paths in ((there, ["app.py"]), (gone, []), ("other", ["other.py"])):
            assert index.view.files_defining(name) == paths
            assert [each.path for each in index.search().units({name: 1.0})] == paths
            assert [each.path for each in index.graph.find(name)] == paths
        assert sorted(index.search().collection.paths) == ["app.py", "other.py"]
    index.close()


def test_ignored_and_secret_files_are_not_indexed_though_open(folder: Path, tmp_path: Path) -> None:
    put(folder, ".gitignore", "ignored/\n")
    for path in ("ignored/a.py", ".env"):
        put(folder, path, "def saved(): pass\n")
    workspace = Workspace.open(folder)
    for path in ("ignored/a.py", ".env", "new.py"):
        workspace.overlays.set(path, "def unsaved(): pass\n")
    index = Index(workspace, tmp_path / "i.sqlite", POOL)
    index.sync_now()
    assert index.view.files_defining("unsaved") == ["new.py"]
    assert set(index.view.masks()) == {"new.py"}
    index.close()


def test_file_open_from_the_start_counts_as_covered(folder: Path, tmp_path: Path) -> None:
    put(folder, "open.py", "def saved(): pass\n")
    workspace = Workspace.open(folder)
    workspace.overlays.set("open.py", "def unsaved(): pass\n")
    index = Index(workspace, tmp_path / "i.sqlite", POOL)
    index.sync_now()
    assert set(index.view.masks()) == {"open.py"}
    covered = index.contents.coverage()
    assert (covered.indexed, covered.total) == (2, 2)
    index.close()


def test_sync_does_not_change_a_held_graph(folder: Path, tmp_path: Path) -> None:
    index = Index(Workspace.open(folder), tmp_path / "i.sqlite", POOL)
    index.sync_now()
    held = index.graph
    symbols_before = held.symbols_in("app.py")
    put(folder, "app.py", TEXTS[1])
    thread = threading.Thread(target=lambda: (index.sync_now(), index.graph.symbols_in("app.py")))
    thread.start()
    thread.join()
    assert held.symbols_in("app.py") == symbols_before
    assert index.graph is not held
    assert index.graph.symbols_in("app.py") != symbols_before
    index.close()


def test_released_lease_can_be_acquired_despite_inherited_descriptor(tmp_path: Path) -> None:
    path = tmp_path / "i.sqlite"
    lease = Lease.acquire(path)
    assert lease is not None
    inherited = os.dup(lease._descriptor)
    lease.release()
    again = Lease.acquire(path)
    assert again is not None
    again.release()
    os.close(inherited)


def test_lease_is_exclusive_until_released(tmp_path: Path) -> None:
    path = tmp_path / "i.sqlite"
    lease = Lease.acquire(path)
    assert lease is not None
    assert Lease.acquire(path) is None
    acquired: list[Lease | None] = []
    thread = threading.Thread(target=lambda: acquired.append(Lease.acquire(path)))
    thread.start()
    thread.join()
    assert acquired == [None]
    lease.release()
    again = Lease.acquire(path)
    assert again is not None
    again.release()
