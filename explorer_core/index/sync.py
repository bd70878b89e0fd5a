"""Brings a store up to date with the work tree: only changed files, the most useful first."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from explorer_core.index.languages import language_of
from explorer_core.index.storage.record import Batch, FileRecord, set_aside
from explorer_core.index.storage.schema import FileRow
from explorer_core.index.storage.store import Store
from explorer_core.index.storage.view import View
from explorer_core.index.workers.pool import Pool
from explorer_core.index.workers.wire import FINISH, Finish, Task
from explorer_core.workspace import FileEntry, FileMissing, Workspace, WorkspaceError
from explorer_core.workspace.source import is_stamp_reliable

_UNTRUSTED = -1
"""Stored in place of a modification time that is so recent that another change might not alter
it."""


@dataclass(frozen=True, slots=True)
class Progress:
    """``done`` of ``total`` changed files were processed; ``stored`` of them can be queried."""

    done: int
    total: int
    stored: int = 0


@dataclass(frozen=True, slots=True)
class SyncResult:
    """Counts of the files that a sync processed. ``complete`` is False if it was cancelled, or if
    somebody else was writing. In the latter case files given by path are masked instead."""

    indexed: int = 0
    unchanged: int = 0
    deleted: int = 0
    set_aside: int = 0
    complete: bool = True


@dataclass(slots=True)
class _Plan:
    changed: list[FileEntry]
    deleted: list[str]
    unchanged: int


OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class SyncTask:
    """What a sync is to cover: all files, those of ``priority`` first, or only ``paths``. Setting
    ``cancelled`` ends it soon."""

    paths: Sequence[str] | None = None
    listed: Sequence[FileEntry] | None = None
    """All files of the workspace, if they have just been listed."""
    priority: Sequence[str] = ()
    on_progress: OnProgress | None = None
    cancelled: threading.Event = field(default_factory=threading.Event)


class Sync:
    """One run of a task. Blocking, so it should have a thread of its own."""

    def __init__(
        self, workspace: Workspace, store: Store, view: View, pool: Pool, task: SyncTask
    ) -> None:
        self._workspace, self._store, self._view, self._pool = workspace, store, view, pool
        self._task = task
        self._started_ns = time.time_ns()
        self._overlays = set(workspace.overlays.paths())
        self._touched: dict[str, tuple[int, int]] = {}
        self._gone: list[str] = []

    def write(self) -> SyncResult:
        """Bring the rows up to date. The caller must hold the lease."""
        plan = self._plan()
        if plan.deleted:
            self._store.write(deleted=plan.deleted)
            self._view.load_written(plan.deleted)
        stamps = {entry.path: entry for entry in plan.changed}
        result = self._write_records(plan, stamps)
        if self._gone or self._touched:
            self._store.write(deleted=self._gone, stamps=self._touched)
            self._view.load_written([*self._gone, *self._touched])
        return result

    def mask(self) -> tuple[set[str], SyncResult]:
        """Hold what changed in memory only, which needs no lease. Returns the paths that are masked
        now, and the counts."""
        plan = self._plan()
        tasks = self._tasks(plan.changed)
        results = self._pool.run(tasks, self._task.cancelled, width=len(plan.changed), apart=True)
        batches = [batch for batch in results if isinstance(batch, Batch)]
        self._view.mask(batches)
        masked = {record.path for batch in batches for record in batch.records}
        return masked, SyncResult(len(masked), plan.unchanged, complete=False)

    def _plan(self) -> _Plan:
        rows = self._view.stored()
        entries = self._entries()
        changed = [entry for entry in entries if not _is_unchanged(rows.get(entry.path), entry)]
        present = {entry.path for entry in entries}
        scope = set(rows) if self._task.paths is None else set(self._task.paths) & rows.keys()
        priorities = {path: rank for rank, path in enumerate(self._task.priority)}
        changed.sort(key=lambda entry: _usefulness(entry, priorities))
        return _Plan(changed, sorted(scope - present - self._overlays), len(entries) - len(changed))

    def _entries(self) -> list[FileEntry]:
        if self._task.paths is None:
            entries = self._workspace.files() if self._task.listed is None else self._task.listed
        else:
            entries = [
                entry for path in self._task.paths if (entry := self._entry(path)) is not None
            ]
        return [entry for entry in entries if entry.path not in self._overlays]

    def _entry(self, path: str) -> FileEntry | None:
        try:
            name = self._workspace.relative(path)
            if self._workspace.is_secret(path):
                return None
            status = self._workspace.absolute(path).stat()
        except (OSError, WorkspaceError):
            return None
        return FileEntry(name, status.st_size, status.st_mtime_ns)

    def _tasks(self, entries: Iterable[FileEntry]) -> Iterator[Task | FileRecord | Finish]:
        """The tasks for the workers. Files that turn out to be unchanged or gone are noted in
        ``_touched`` and ``_gone``."""
        rows = self._view.stored()
        number = self._store.next_number()
        awaited = set(self._task.priority)
        for entry in entries:
            number += 1
            if awaited and entry.path not in awaited:
                awaited.clear()
                yield FINISH
            try:
                source = self._workspace.read_listed(entry)
            except FileMissing:
                self._gone.append(entry.path)
                continue
            except WorkspaceError as error:
                yield set_aside(number, entry.path, "", getattr(error, "why", str(error)))
                continue
            if self._workspace.overlays.get(entry.path) is not None:
                continue
            row = rows.get(entry.path)
            if row is not None and row.digest == source.digest:
                self._touched[entry.path] = (entry.size, self._trusted_mtime(entry))
                continue
            yield Task(entry.path, source.text, source.digest, number)

    def _write_records(self, plan: _Plan, stamps: dict[str, FileEntry]) -> SyncResult:
        total = len(plan.changed)
        stored = processed = set_aside_count = 0
        for result in self._pool.run(self._tasks(plan.changed), self._task.cancelled, width=total):
            if isinstance(result, int):
                processed += result
            else:
                stored += len(result.records)
                set_aside_count += sum(bool(record.set_aside) for record in result.records)
                self._write_batch(result, stamps)
            self._report_progress(max(processed, stored), stored, total)
        self._report_progress(stored, stored, total)
        return SyncResult(
            indexed=stored,
            unchanged=plan.unchanged + len(self._touched),
            deleted=len(plan.deleted) + len(self._gone),
            set_aside=set_aside_count,
            complete=not self._task.cancelled.is_set(),
        )

    def _report_progress(self, processed: int, stored: int, total: int) -> None:
        if self._task.on_progress is not None:
            settled = len(self._touched) + len(self._gone)
            self._task.on_progress(Progress(processed + settled, total, stored + settled))

    def _trusted_mtime(self, entry: FileEntry) -> int:
        settled = is_stamp_reliable(entry.mtime_ns, self._started_ns)
        return entry.mtime_ns if settled else _UNTRUSTED

    def _write_batch(self, batch: Batch, entries: dict[str, FileEntry]) -> None:
        stamps: dict[str, tuple[int, int]] = {}
        for record in batch.records:
            entry = entries[record.path]
            stamps[record.path] = (entry.size, self._trusted_mtime(entry))
        self._store.write(batch, stamps)
        self._view.load_written(stamps)


def _is_unchanged(row: FileRow | None, entry: FileEntry) -> bool:
    return row is not None and (row.size, row.mtime_ns) == (entry.size, entry.mtime_ns)


def _usefulness(entry: FileEntry, priorities: dict[str, int]) -> tuple[int, bool, int, str]:
    """Sort key of files: priority files first, then code before other text, then files near the
    root."""
    rank = priorities.get(entry.path, len(priorities))
    return rank, language_of(entry.path) is None, entry.path.count("/"), entry.path
