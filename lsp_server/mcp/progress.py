"""Progress of a call, as its client sees it."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, Self

from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError

_WAITING = 16
"""Messages that wait for a slow client; further ones are left out."""

_KNOWN = 0.9
"""Where a stage that says it is done stands in the whole."""
_STEP = 0.05
"""Share of what is left that a message without more to say moves on."""


class Progress:
    """Sends what is told, in order, without holding up whoever tells it. Never goes back."""

    def __init__(self, ctx: Context[Any, Any]) -> None:
        self._ctx = ctx
        self._queue: asyncio.Queue[tuple[str, float]] = asyncio.Queue(_WAITING)
        self._done = 0.0
        self._sending: asyncio.Task[None] | None = None

    def told(self, message: str, fraction: float | None) -> None:
        """Take a message; ``fraction`` is 0 to 1 where it is known."""
        with contextlib.suppress(asyncio.QueueFull):
            # The protocol wants every value larger than the last, and nobody knows the last one.
            self._done = max(_KNOWN * (fraction or 0.0), self._done + (1 - self._done) * _STEP)
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
