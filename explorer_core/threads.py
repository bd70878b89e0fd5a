"""Work in threads that share something with others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


async def run_to_end(work: Callable[[], T]) -> T:
    """The result of ``work``, run in a thread; returns only when the thread has ended.

    A thread cannot be cancelled. So whoever holds a lock for it keeps it until then, however often
    the caller is cancelled meanwhile.
    """
    running = asyncio.get_running_loop().run_in_executor(None, work)
    cancelled: asyncio.CancelledError | None = None
    while not running.done():
        try:
            await asyncio.wait({running})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        running.exception()  # nobody is left to be told of it
        raise cancelled
    return running.result()
