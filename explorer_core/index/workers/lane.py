"""A lane: one thread of a run, which feeds tasks to a worker and collects the results."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Protocol

from explorer_core.index.storage.record import Batch, FileRecord, set_aside
from explorer_core.index.workers.wire import FINISH, Blocks, Task
from explorer_core.index.workers.worker_process import WorkerProcess

_MAX_QUEUED = 32
_MAX_QUEUED_CHARS = 100_000
"""Most tasks, and most characters of text, queued at a worker: enough that it never waits, and few
enough that the workers of a run end at about the same time."""
_FIRST_BATCH_S, _LAST_BATCH_S = 0.1, 5.0
"""Seconds until a lane's first batch. The interval doubles with each batch, up to the second value:
larger batches cost less in total."""
_BATCH_CHARS = 6_000_000
_PROGRESS_S = 0.2

Source = Callable[[], Task | FileRecord | None]


class Workers(Protocol):
    """Lends workers to lanes."""

    def take(self) -> WorkerProcess:
        """A worker that nobody else uses until it is given back."""
        ...

    def give_back(self, worker: WorkerProcess, *, usable: bool = True) -> None:
        """Return a worker; one that is not usable is killed."""
        ...


class Lane:
    """One thread's work: a worker, the tasks it has not answered yet, and the records it made since
    the last batch."""

    def __init__(
        self,
        workers: Workers,
        draw: Source,
        put: Callable[[Batch | int], None],
        requests: Callable[[], int],
        cancelled: threading.Event,
        *,
        apart: bool,
    ) -> None:
        """``draw`` returns the next task; ``put`` takes batches, and between them counts of
        finished files. ``requests`` counts how often a batch has been requested. With ``apart``
        each batch has one file."""
        self._workers, self._draw, self._put, self._apart = workers, draw, put, apart
        self._count_requests, self._requests_served = requests, 0
        self._cancelled = cancelled
        self._worker: WorkerProcess | None = None
        self._pending: deque[Task] = deque()
        self._records: list[tuple[Task | None, FileRecord]] = []
        self._chars = 0
        self._interval = _FIRST_BATCH_S
        self._batch_due_at = time.monotonic() + self._interval
        self._unreported, self._reported_at = 0, time.monotonic()

    def run(self) -> None:
        """Work until there are no more tasks."""
        try:
            while self._step():
                pass
        except BaseException:
            self._kill_worker()
            raise
        if self._worker is not None:
            self._workers.give_back(self._worker)

    def watch(self) -> None:
        """Kill the worker if its current file is overdue, or no longer wanted."""
        if (worker := self._worker) is not None:
            worker.end_if_overdue(wanted=not self._cancelled.is_set())

    def _step(self) -> bool:
        """Send tasks to the worker and take one record from it. False when all is done."""
        more = self._fill_queue()
        if self._pending:
            self._take_record()
        last = not (more or self._pending)
        if self._records and (last or self._is_batch_due()):
            self._put_batch()
        return not last

    def _is_batch_due(self) -> bool:
        wanted = self._count_requests() > self._requests_served
        return (
            wanted
            or self._apart
            or self._chars > _BATCH_CHARS
            or time.monotonic() > self._batch_due_at
        )

    def _fill_queue(self) -> bool:
        while len(self._pending) < (1 if self._apart else _MAX_QUEUED):
            if self._pending and self._has_enough_queued():
                return True
            item = self._draw()
            if item is None:
                return False
            if isinstance(item, FileRecord):
                self._records.append((None, item))
                if self._apart:
                    return True
                continue
            self._pending.append(item)
            self._chars += len(item.text)
            self._live_worker().send(item)
        return True

    def _has_enough_queued(self) -> bool:
        """Whether the worker has enough to do, or somebody waits for the tasks it already has."""
        wanted = self._count_requests() > self._requests_served
        return wanted or sum(len(task.text) for task in self._pending) > _MAX_QUEUED_CHARS

    def _take_record(self) -> None:
        worker = self._live_worker()
        record = worker.receive()
        task = self._pending.popleft()
        if record is not None:
            self._records.append((task, record))
        elif self._cancelled.is_set():
            self._discard_batch()
            return
        else:
            self._replace_worker(set_aside(task.number, task.path, task.digest, worker.why))
        self._unreported += 1
        if (now := time.monotonic()) > self._reported_at + _PROGRESS_S:
            self._put(self._unreported)
            self._unreported, self._reported_at = 0, now

    def _replace_worker(self, *lost: FileRecord) -> None:
        """Start another worker on all tasks whose results the last one had not handed over, except
        those of ``lost``: their records take the place of the results."""
        self._kill_worker()
        known = {record.number for record in lost}
        again = [task for task, _ in self._records if task and task.number not in known]
        self._records = [(None, one) for task, one in self._records if not task]
        self._records += [(None, record) for record in lost]
        self._pending.extendleft(reversed(again))
        for task in self._pending:
            self._live_worker().send(task)

    def _put_batch(self) -> None:
        """Put a batch of all records since the last one, after the pending tasks are answered."""
        self._requests_served = self._count_requests()
        blocks = self._receive_blocks()
        if blocks is None and self._cancelled.is_set():
            self._discard_batch()
            return
        if blocks is None:  # the first time may be chance: try once more
            self._replace_worker()
            blocks = self._receive_blocks()
        if blocks is None:
            why = "could not be analysed (its worker died)"
            self._replace_worker(
                *(set_aside(one.number, one.path, one.digest, why) for _, one in self._records)
            )
        self._put(Batch(tuple(record for _, record in self._records), blocks or ()))
        self._records, self._chars = [], 0
        self._interval = min(2 * self._interval, _LAST_BATCH_S)
        self._batch_due_at = time.monotonic() + self._interval

    def _receive_blocks(self) -> Blocks | None:
        """The worker's blocks, after its answers to all pending tasks; None if it died."""
        while self._pending or any(task for task, _ in self._records):
            worker = self._live_worker()
            worker.send(FINISH)
            while self._pending and worker is self._worker:
                self._take_record()
            if worker is self._worker:
                return worker.receive_blocks()
        return ()

    def _discard_batch(self) -> None:
        """Discard the unfinished batch, and the worker that holds a part of it."""
        self._kill_worker()
        self._pending.clear()
        self._records.clear()

    def _kill_worker(self) -> None:
        """Kill the worker, whatever it is doing."""
        if self._worker is not None:
            self._workers.give_back(self._worker, usable=False)
            self._worker = None

    def _live_worker(self) -> WorkerProcess:
        if self._worker is None:
            self._worker = self._workers.take()
        return self._worker
