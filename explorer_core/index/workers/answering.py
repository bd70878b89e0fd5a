"""The loop of a worker: reads orders and writes records until there are no more orders.

It imports neither pydantic nor the workspace, so that it starts fast and stays small.
"""

from __future__ import annotations

import contextlib
import gc
import os
import queue
import sys
import threading
from typing import BinaryIO

from explorer_core.index.extraction import grammars
from explorer_core.index.storage.segments import Tables
from explorer_core.index.workers import analysis, wire


def answer_orders() -> None:
    """Read orders from standard input and answer on what was standard output, until the parent
    closes the pipe or is gone."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # What a library prints must not end up between the messages.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    orders: queue.SimpleQueue[wire.Order | None] = queue.SimpleQueue()
    # Read ahead: otherwise parent and worker could each wait for the other to empty a full pipe.
    threading.Thread(target=_read_orders, args=(sys.stdin.buffer, orders), daemon=True).start()
    with contextlib.suppress(BrokenPipeError):
        _answer(orders, answers)


def _answer(orders: queue.SimpleQueue[wire.Order | None], answers: BinaryIO) -> None:
    """Answer each task with a record, and each `Finish` with the blocks of all files since the
    last."""
    tables = Tables()
    while (order := orders.get()) is not None:
        if isinstance(order, wire.Prepare):
            for language in order.languages:
                grammars.parser(language)
        elif isinstance(order, wire.Finish):
            wire.send(answers, tables.blocks())
            tables = Tables()
            gc.collect(1)  # survivors move to the oldest generation and are not scanned again
        else:
            wire.send(answers, analysis.try_record(order, tables))


def _read_orders(stream: BinaryIO, orders: queue.SimpleQueue[wire.Order | None]) -> None:
    while (order := wire.receive_order(stream)) is not None:
        orders.put(order)
    orders.put(None)
