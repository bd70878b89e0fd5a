"""Runs work in threads that use something shared."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


async def run_to_end(work: Callable[[], T]) -> T:
    """The result of ``work``, run in a thread; returns only after the thread has finished.

    A thread cannot be cancelled. A lock held around this call therefore stays held until the work
    is done, even if the caller is cancelled meanwhile, once or more often.
    """
    future = asyncio.get_running_loop().run_in_executor(None, work)
    cancelled: asyncio.CancelledError | None = None
    while not future.done():
        try:
            await asyncio.wait({future})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        future.exception()  # mark it as retrieved: there is no caller left to receive it
        raise cancelled
    return future.result()
