"""A worker process: tasks on standard input, records on standard output, until input ends.

Its arguments are languages to get ready for before the first task. It imports neither pydantic nor
the workspace, so that it starts fast and stays small.
"""

from __future__ import annotations

import contextlib
import gc
import os
import queue
import sys
import threading
from typing import BinaryIO

from explorer_core.index import analysis, grammars, languages, wire
from explorer_core.index.segments import Tables

_NICENESS = 10
"""Not added to what was inherited: twice as low would be never, on a busy machine."""


def main() -> None:
    """Serve until the parent closes the pipe or is gone."""
    _lower_priority()
    # An analysis leaves hardly a cycle behind; looking for some among a million short-lived matches
    # is what would cost.
    gc.disable()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # A library that prints must not get between the messages.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    tasks: queue.SimpleQueue[wire.Task | wire.Finish | None] = queue.SimpleQueue()
    # Read ahead: else parent and worker could each wait for the other to empty a full pipe.
    threading.Thread(target=_read, args=(sys.stdin.buffer, tasks), daemon=True).start()
    for language in languages.names():
        if language in sys.argv[1:]:
            grammars.parser(language)
    with contextlib.suppress(BrokenPipeError):
        _serve(tasks, answers)


def _serve(tasks: queue.SimpleQueue[wire.Task | wire.Finish | None], answers: BinaryIO) -> None:
    """Answer each task with a record, and each `Finish` with the blocks of all since the last."""
    tables = Tables()
    while (task := tasks.get()) is not None:
        if isinstance(task, wire.Finish):
            wire.send(answers, tables.blocks())
            tables = Tables()
            gc.collect()
        else:
            wire.send(answers, analysis.try_record(task, tables))


def _read(stream: BinaryIO, tasks: queue.SimpleQueue[wire.Task | wire.Finish | None]) -> None:
    while (task := wire.receive_task(stream)) is not None:
        tasks.put(task)
    tasks.put(None)


def _lower_priority() -> None:
    if hasattr(os, "nice"):
        os.nice(max(0, _NICENESS - os.nice(0)))


if __name__ == "__main__":
    main()
