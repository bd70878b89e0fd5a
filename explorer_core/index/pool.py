"""Worker processes that parse: spawned, low-priority, each killable for the file it hangs on."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, TypeVar, cast

import msgspec

import explorer_core
from explorer_core.index import wire
from explorer_core.index.record import Batch, FileRecord, set_aside
from explorer_core.index.wire import FINISH, Blocks, Finish, Order, Prepare, Task

FILE_TIME_S = 10.0
_AHEAD = 32
_AHEAD_CHARS = 100_000
_WATCH_S = 0.1
_FIRST_BATCH_S, _LAST_BATCH_S = 0.1, 5.0
"""Time until a lane's first batch; it doubles up to the last. Larger batches cost less in all."""
_BATCH_CHARS = 6_000_000
_TELL_S = 0.2
_GRACE_S = 0.5
"""How long a worker may finish a file after its run was cancelled: starting another costs more."""
_MOST_STARVED = 10
"""How much longer a file may take on the clock than on a processor: on a busy machine, low-priority
processes wait."""

Source = Callable[[], Task | FileRecord | None]
_Result = Batch | int | BaseException | None
Answer = TypeVar("Answer")


class Pool:
    """Makes records of files in up to ``size`` processes, which start when they are needed.

    A file that takes longer than ``file_time_s``, or whose worker dies, comes back as a record that
    is set aside; its worker is replaced, and makes anew what the other had not handed over yet.
    Runs may overlap, each with workers of its own.
    """

    def __init__(
        self,
        size: int | None = None,
        *,
        file_time_s: float = FILE_TIME_S,
        command: tuple[str, ...] = ("-m", "explorer_core.index.worker"),
    ) -> None:
        self._size = size or os.cpu_count() or 1
        self._file_time_s = file_time_s
        self._command = command
        self._idle: list[_Worker] = []
        self._busy: list[_Worker] = []
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
        """Start the processes, at most ``most``, ahead of their first task, and have them get ready
        for files in ``languages``."""
        with self._lock:
            wanted = min(self._size, most or self._size)
            missing = wanted - len(self._idle) - len(self._busy)
            self._idle += [_Worker(self._command, self._file_time_s) for _ in range(missing)]
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
        """What is made of ``tasks``, in batches as they get ready, and between them how many more
        files have been worked on. Tasks are drawn as workers ask for them; a record among them (a
        file that could not be read) is passed on, and `FINISH` has all that is being worked on
        handed over without waiting for more. ``width`` bounds how many workers are used;
        ``apart`` asks for batches of one file. Setting ``cancelled`` ends the iteration soon; what
        was begun is lost."""
        results: queue.Queue[_Result] = queue.Queue(maxsize=16)
        drawing = threading.Lock()
        iterator = iter(tasks)
        stopped = threading.Event()

        wanted = [0]

        def draw() -> Task | FileRecord | None:
            with drawing:
                if stopped.is_set() or cancelled.is_set():
                    return None
                while isinstance(item := next(iterator, None), Finish):
                    wanted[0] += 1
                return item

        def serve(lane: _Lane) -> None:
            outcome: BaseException | None = None
            try:
                lane.run()
            except BaseException as error:  # noqa: BLE001  raised again by the consumer
                outcome = error
            results.put(outcome)

        count = min(width or self._size, self._size)
        lanes = [
            _Lane(self, draw, results.put, lambda: wanted[0], cancelled, apart=apart)
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
        """End the processes; runs that go on after that begin with new ones."""
        with self._lock:
            busy = list(self._busy)
        for worker in busy:
            worker.interrupt()
        self.shrink(0)

    def take(self) -> _Worker:
        """A worker that nobody else uses until it is given back."""
        with self._lock:
            self._idle = [worker for worker in self._idle if worker.is_alive()]
            worker = self._idle.pop() if self._idle else _Worker(self._command, self._file_time_s)
            self._busy.append(worker)
            return worker

    def give_back(self, worker: _Worker, *, usable: bool = True) -> None:
        """Return a worker; one that is not usable is ended."""
        with self._lock:
            self._busy.remove(worker)
            if usable:
                self._idle.append(worker)
        if not usable:
            worker.kill()


class _Lane:
    """One thread's work: a worker, the tasks it was sent and has not answered, and what it made
    since its last batch."""

    def __init__(
        self,
        pool: Pool,
        draw: Source,
        put: Callable[[Batch | int], None],
        wanted: Callable[[], int],
        cancelled: threading.Event,
        *,
        apart: bool,
    ) -> None:
        """``wanted`` says how often a batch has been asked for."""
        self._pool, self._draw, self._put, self._apart = pool, draw, put, apart
        self._wanted, self._given = wanted, 0
        self._cancelled = cancelled
        self._worker: _Worker | None = None
        self._pending: deque[Task] = deque()
        self._made: list[tuple[Task | None, FileRecord]] = []
        self._chars = 0
        self._interval = _FIRST_BATCH_S
        self._due = time.monotonic() + self._interval
        self._untold, self._told_at = 0, time.monotonic()

    def run(self) -> None:
        """Work until there is no more to do."""
        try:
            while self._step():
                pass
        except BaseException:
            self._abandon()
            raise
        if self._worker is not None:
            self._pool.give_back(self._worker)

    def watch(self) -> None:
        """End the worker if what it is doing is overdue, or wanted by nobody any more."""
        if (worker := self._worker) is not None:
            worker.end_if_overdue(wanted=not self._cancelled.is_set())

    def _step(self) -> bool:
        """Fill up the worker and take one record from it; False when there is no more to do."""
        more = self._fill()
        if self._pending:
            self._take_record()
        last = not (more or self._pending)
        if self._made and (last or self._is_due()):
            self._finish()
        return not last

    def _is_due(self) -> bool:
        wanted = self._wanted() > self._given
        return wanted or self._apart or self._chars > _BATCH_CHARS or time.monotonic() > self._due

    def _fill(self) -> bool:
        while len(self._pending) < (1 if self._apart else _AHEAD):
            if self._pending and self._is_enough():
                return True
            item = self._draw()
            if item is None:
                return False
            if isinstance(item, FileRecord):
                self._made.append((None, item))
                continue
            self._pending.append(item)
            self._chars += len(item.text)
            self._started().send(item)
        return True

    def _is_enough(self) -> bool:
        """Whether the worker has plenty to do, or somebody waits for what it does already."""
        wanted = self._wanted() > self._given
        return wanted or sum(len(task.text) for task in self._pending) > _AHEAD_CHARS

    def _take_record(self) -> None:
        worker = self._started()
        record = worker.receive()
        task = self._pending.popleft()
        if record is not None:
            self._made.append((task, record))
        elif self._cancelled.is_set():
            self._drop()
            return
        else:
            self._replace(set_aside(task.number, task.path, task.digest, worker.why))
        self._untold += 1
        if (now := time.monotonic()) > self._told_at + _TELL_S:
            self._put(self._untold)
            self._untold, self._told_at = 0, now

    def _replace(self, *lost: FileRecord) -> None:
        """Give another worker all that the last one had not handed over, save for what it died
        of."""
        self._abandon()
        known = {record.number for record in lost}
        again = [task for task, _ in self._made if task and task.number not in known]
        self._made = [(None, one) for task, one in self._made if not task]
        self._made += [(None, record) for record in lost]
        self._pending.extendleft(reversed(again))
        for task in self._pending:
            self._started().send(task)

    def _finish(self) -> None:
        """Hand over a batch of all that was made and is being made."""
        self._given = self._wanted()
        blocks = self._blocks()
        if blocks is None and self._cancelled.is_set():
            self._drop()
            return
        if blocks is None:  # once is chance
            self._replace()
            blocks = self._blocks()
        if blocks is None:
            why = "could not be analysed (its worker died)"
            self._replace(
                *(set_aside(one.number, one.path, one.digest, why) for _, one in self._made)
            )
        self._put(Batch(tuple(record for _, record in self._made), blocks or ()))
        self._made, self._chars = [], 0
        self._interval = min(2 * self._interval, _LAST_BATCH_S)
        self._due = time.monotonic() + self._interval

    def _blocks(self) -> Blocks | None:
        """What the worker gathered, after its answers to all it was sent; None if it died."""
        while self._pending or any(task for task, _ in self._made):
            worker = self._started()
            worker.send(FINISH)
            while self._pending and worker is self._worker:
                self._take_record()
            if worker is self._worker:
                return worker.receive_blocks()
        return ()

    def _drop(self) -> None:
        """Forget what was begun, and the worker that holds a part of it."""
        self._abandon()
        self._pending.clear()
        self._made.clear()

    def _abandon(self) -> None:
        """End the worker, whatever it is doing."""
        if self._worker is not None:
            self._pool.give_back(self._worker, usable=False)
            self._worker = None

    def _started(self) -> _Worker:
        if self._worker is None:
            self._worker = self._pool.take()
        return self._worker


class _Worker:
    """One process and its pipes."""

    def __init__(self, command: tuple[str, ...], file_time_s: float) -> None:
        root = str(Path(explorer_core.__file__).parent.parent)
        inherited = os.environ.get("PYTHONPATH")
        # -P: the current folder may be a hostile repository, and nothing is imported from it.
        self._process = subprocess.Popen(
            [sys.executable, "-P", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (root, inherited)))},
            creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
            | getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._input = cast("BinaryIO", self._process.stdin)
        self._output = cast("BinaryIO", self._process.stdout)
        self._file_time_s = file_time_s
        self._asked = float("inf")
        self._watched = 0.0
        self._worked = 0.0
        self.why = ""

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def send(self, message: Order) -> None:
        """A worker that died shows when it is asked for its answer."""
        try:
            wire.send(self._input, message)
        except OSError:
            self._process.kill()

    def receive(self) -> FileRecord | None:
        """The next record; None, with the reason in ``why``, if none came in time."""
        return self._receive(wire.receive_record)

    def receive_blocks(self) -> Blocks | None:
        """The blocks that were asked for; None, with the reason in ``why``."""
        return self._receive(wire.receive_blocks)

    def end_if_overdue(self, *, wanted: bool) -> None:
        """End the process if it has worked on one file for too long, or on one nobody wants."""
        asked = self._asked
        waited = time.monotonic() - asked
        if waited < _WATCH_S:
            return
        if not wanted and waited > _GRACE_S:
            self._process.kill()
            return
        worked = _processor_time(self._process.pid)
        if self._watched != asked:
            self._watched, self._worked = asked, worked - _WATCH_S
        late = worked - self._worked > self._file_time_s
        if (late and waited > self._file_time_s) or waited > self._file_time_s * _MOST_STARVED:
            self.why = f"took its parser longer than {self._file_time_s:g} s"
            self._process.kill()

    def _receive(self, read: Callable[[BinaryIO], Answer | None]) -> Answer | None:
        self.why = "crashed its parser"
        self._asked = time.monotonic()
        try:
            return read(self._output)
        except msgspec.MsgspecError:
            return None
        finally:
            self._asked = float("inf")

    def interrupt(self) -> None:
        """End the process, from any thread; who uses it finds it dead."""
        self._process.kill()

    def kill(self) -> None:
        """End the process and release its pipes."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._input, self._output):
            try:
                pipe.close()
            except OSError:
                continue


def _processor_time(process: int) -> float:
    """Seconds a process has run; where the system does not tell, seconds on the clock."""
    try:
        fields = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return time.monotonic()


def _watch(lanes: Sequence[_Lane], stopped: threading.Event) -> None:
    while not stopped.wait(_WATCH_S):
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
