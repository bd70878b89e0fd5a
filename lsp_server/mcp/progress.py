"""Reports the progress of a call to its client."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, Self

from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError

_QUEUE_LIMIT = 16
"""Most messages queued for a slow client; further ones are dropped."""

_LAST_VALUE = 0.9
"""Overall progress that is shown for a reported fraction of 1."""
_LEAST_ADVANCE = 0.05
"""Least advance per message, as a share of the remaining progress."""


class Progress:
    """Sends progress messages in order, without blocking the caller. The value never decreases."""

    def __init__(self, ctx: Context[Any, Any]) -> None:
        self._ctx = ctx
        self._queue: asyncio.Queue[tuple[str, float]] = asyncio.Queue(_QUEUE_LIMIT)
        self._done = 0.0
        self._sending: asyncio.Task[None] | None = None

    def report(self, message: str, fraction: float | None) -> None:
        """Queue a message; ``fraction`` is 0 to 1, None if unknown."""
        with contextlib.suppress(asyncio.QueueFull):
            # The protocol requires every value to be larger than the one before.
            self._done = max(
                _LAST_VALUE * (fraction or 0.0), self._done + (1 - self._done) * _LEAST_ADVANCE
            )
            self._queue.put_nowait((message, self._done))

    async def __aenter__(self) -> Self:
        self._sending = asyncio.create_task(self._send())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._sending is not None:
            self._sending.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._sending

    async def _send(self) -> None:
        with contextlib.suppress(MCPError, OSError):
            while True:
                message, fraction = await self._queue.get()
                await self._ctx.report_progress(fraction, 1.0, message)
