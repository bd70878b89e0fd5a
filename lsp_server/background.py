"""Tasks that nobody awaits where they are started."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


class BackgroundTasks:
    """Keeps tasks alive until they end, since the event loop holds only weak references."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def wait(self, *, at_most_s: float | None = None) -> None:
        """Wait until all tasks have ended, or the time is over."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=at_most_s)

    def cancel(self) -> None:
        """Cancel those that still run."""
        for task in list(self._tasks):
            task.cancel()
