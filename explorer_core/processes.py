"""Ending a child process so that its end is noticed."""

from __future__ import annotations

import asyncio
from contextlib import suppress

_BLOCK = 1 << 16


async def end(process: asyncio.subprocess.Process) -> None:
    """Kill ``process`` unless it has ended, and wait for its end.

    What it wrote is read to its end first: asyncio tells of an end only once the pipes have closed,
    and a pipe whose reader is paused never does (seen on Python 3.11).
    """
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()
    if process.stdout is not None:
        while await process.stdout.read(_BLOCK):
            pass
    await process.wait()
