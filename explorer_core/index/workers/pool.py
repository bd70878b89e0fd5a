"""A pool of worker processes that parse files: spawned, low-priority, killed if a file hangs."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import Self

from explorer_core.index.storage.record import Batch, FileRecord
from explorer_core.index.workers.lane import Lane
from explorer_core.index.workers.wire import Finish, Prepare, Task
from explorer_core.index.workers.worker_process import WATCH_S, WorkerProcess

_FILE_TIME_S = 10.0

_Result = Batch | int | BaseException | None


class Pool:
    """Analyses files in up to ``size`` processes, which are started on demand.

    A file that takes longer than ``file_time_s``, or whose worker dies, yields a record that is set
    aside. Its worker is replaced, and the new one repeats what the old one had not handed over.
    Runs may overlap; each uses workers of its own.
    """

    def __init__(
        self,
        size: int | None = None,
        *,
        file_time_s: float = _FILE_TIME_S,
        command: tuple[str, ...] = ("-m", "explorer_core.index.workers.worker"),
    ) -> None:
        self._size = size or os.cpu_count() or 1
        self._file_time_s = file_time_s
        self._command = command
        self._idle: list[WorkerProcess] = []
        self._busy: list[WorkerProcess] = []
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def warm(self, languages: Sequence[str] = (), *, most: int | None = None) -> None:
        """Start the processes, at most ``most``, ahead of their first task, and have them load the
        grammars of ``languages``."""
        with self._lock:
            wanted = min(self._size, most or self._size)
            missing = wanted - len(self._idle) - len(self._busy)
            self._idle += [self._start_worker() for _ in range(missing)]
            for worker in self._idle if languages else ():
                worker.send(Prepare(tuple(languages)))

    def run(
        self,
        tasks: Iterable[Task | FileRecord | Finish],
        cancelled: threading.Event,
        *,
        width: int = 0,
        apart: bool = False,
    ) -> Iterator[Batch | int]:
        """Yields batches of results as they become ready, and between them counts: how many more
        files have been processed.

        ``tasks`` is consumed as workers become free. A record among them (a file that could not be
        read) is passed through. `FINISH` makes the workers hand over what they have in progress
        without waiting for more. ``width`` bounds the number of workers. ``apart`` asks for batches
        of one file. Setting ``cancelled`` ends the iteration soon; unfinished batches are lost.
        """
        results: queue.Queue[_Result] = queue.Queue(maxsize=16)
        stopped = threading.Event()
        supply = _Supply(tasks, (stopped, cancelled))

        def serve(lane: Lane) -> None:
            outcome: BaseException | None = None
            try:
                lane.run()
            except BaseException as error:  # noqa: BLE001  raised again by the consumer
                outcome = error
            results.put(outcome)

        count = min(width or self._size, self._size)
        lanes = [
            Lane(self, supply.draw, results.put, lambda: supply.wanted, cancelled, apart=apart)
            for _ in range(count)
        ]
        threads = [
            threading.Thread(target=serve, args=(lane,), name="sightline-index", daemon=True)
            for lane in lanes
        ]
        watch = threading.Thread(target=_watch, args=(lanes, stopped), daemon=True)
        for thread in (watch, *threads):
            thread.start()
        try:
            yield from _collect(results, len(threads))
        finally:
            stopped.set()
            while any(thread.is_alive() for thread in threads):
                _drain(results)

    def shrink(self, size: int) -> None:
        """Keep no more than ``size`` idle processes."""
        with self._lock:
            workers, self._idle = self._idle[size:], self._idle[:size]
        for worker in workers:
            worker.kill()

    def close(self) -> None:
        """Kill the processes. Runs that continue start new ones."""
        with self._lock:
            busy = list(self._busy)
        for worker in busy:
            worker.interrupt()
        self.shrink(0)

    def take(self) -> WorkerProcess:
        """A worker that nobody else uses until it is given back."""
        with self._lock:
            self._idle = [worker for worker in self._idle if worker.is_alive()]
            worker = self._idle.pop() if self._idle else self._start_worker()
            self._busy.append(worker)
            return worker

    def give_back(self, worker: WorkerProcess, *, usable: bool = True) -> None:
        """Return a worker; one that is not usable is killed."""
        with self._lock:
            self._busy.remove(worker)
            if usable:
                self._idle.append(worker)
        if not usable:
            worker.kill()

    def _start_worker(self) -> WorkerProcess:
        return WorkerProcess(self._command, self._file_time_s)


class _Supply:
    """Distributes tasks to several lanes, until one of the events is set. ``wanted`` counts the
    `Finish` orders so far."""

    def __init__(
        self, tasks: Iterable[Task | FileRecord | Finish], ends: Sequence[threading.Event]
    ) -> None:
        self._tasks = iter(tasks)
        self._ends = ends
        self._drawing = threading.Lock()
        self.wanted = 0

    def draw(self) -> Task | FileRecord | None:
        """The next task, or a record to pass through; None when there are no more."""
        with self._drawing:
            if any(end.is_set() for end in self._ends):
                return None
            while isinstance(item := next(self._tasks, None), Finish):
                self.wanted += 1
            return item


def _watch(lanes: Sequence[Lane], stopped: threading.Event) -> None:
    while not stopped.wait(WATCH_S):
        for lane in lanes:
            lane.watch()


def _collect(results: queue.Queue[_Result], threads: int) -> Iterator[Batch | int]:
    while threads:
        result = results.get()
        if isinstance(result, Batch | int):
            yield result
            continue
        threads -= 1
        if result is not None:
            raise result


def _drain(results: queue.Queue[_Result]) -> None:
    try:
        results.get(timeout=0.01)
    except queue.Empty:
        return
