"""Polling for things that happen by themselves."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Callable
from typing import Any

WITHIN_S = 30
"""The machine may be busy with others."""


async def until(ask: Callable[[], Any], holds: Callable[[Any], object] = bool) -> Any:
    """Poll ``ask``, awaiting its result if necessary, until the value ``holds``, and return it.
    Fails if it never does."""
    end = time.monotonic() + WITHIN_S
    while True:
        found = ask()
        if inspect.isawaitable(found):
            found = await found
        if holds(found):
            return found
        assert time.monotonic() < end, f"still {found}"
        await asyncio.sleep(0.02)
