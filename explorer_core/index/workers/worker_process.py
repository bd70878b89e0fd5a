"""One worker process and its pipes, as the process that started it sees them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, TypeVar, cast

import msgspec

import explorer_core
from explorer_core.index.storage.record import FileRecord
from explorer_core.index.workers import wire
from explorer_core.index.workers.wire import Blocks, Order
from explorer_core.workspace.programs import NO_WINDOW

WATCH_S = 0.1
"""Seconds between checks whether a worker is overdue."""
_GRACE_S = 0.5
"""Seconds that a worker may still spend on a file after its run was cancelled, since starting
another worker costs more."""
_STARVATION_FACTOR = 10
"""Factor by which a file may take longer in wall-clock time than in processor time: on a busy
machine, low-priority processes wait."""

Answer = TypeVar("Answer")


class WorkerProcess:
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
            creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0) | NO_WINDOW,
        )
        self._input = cast("BinaryIO", self._process.stdin)
        self._output = cast("BinaryIO", self._process.stdout)
        self._file_time_s = file_time_s
        self._asked_at = float("inf")
        self._watched_since = 0.0
        self._processor_time_before = 0.0
        self.why = ""

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def send(self, message: Order) -> None:
        """Send an order. Raises nothing if the worker is dead: `receive` will notice."""
        try:
            wire.send(self._input, message)
        except OSError:
            self._process.kill()

    def receive(self) -> FileRecord | None:
        """The next record; None if the worker died or was killed, with the reason in ``why``."""
        return self._receive(wire.receive_record)

    def receive_blocks(self) -> Blocks | None:
        """The blocks requested by `Finish`; None as for `receive`."""
        return self._receive(wire.receive_blocks)

    def end_if_overdue(self, *, wanted: bool) -> None:
        """Kill the process if it has worked on one file for too long, or on one that is no longer
        wanted."""
        asked_at = self._asked_at
        waited = time.monotonic() - asked_at
        if waited < WATCH_S:
            return
        if not wanted and waited > _GRACE_S:
            self._process.kill()
            return
        processor_time = _processor_time(self._process.pid)
        if self._watched_since != asked_at:
            self._watched_since, self._processor_time_before = asked_at, processor_time - WATCH_S
        late = processor_time - self._processor_time_before > self._file_time_s
        if (late and waited > self._file_time_s) or waited > self._file_time_s * _STARVATION_FACTOR:
            self.why = f"was not parsed within {self._file_time_s:g} s"
            self._process.kill()

    def _receive(self, read: Callable[[BinaryIO], Answer | None]) -> Answer | None:
        self.why = "crashed its parser"
        self._asked_at = time.monotonic()
        try:
            return read(self._output)
        except msgspec.MsgspecError:
            return None
        finally:
            self._asked_at = float("inf")

    def interrupt(self) -> None:
        """Kill the process, from any thread; its user will find it dead."""
        self._process.kill()

    def kill(self) -> None:
        """Kill the process and close its pipes."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._input, self._output):
            try:
                pipe.close()
            except OSError:
                continue


def _processor_time(process: int) -> float:
    """Processor time of a process, in seconds; clock time where the system does not provide it."""
    try:
        fields = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return time.monotonic()
