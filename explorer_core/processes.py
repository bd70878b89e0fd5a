"""Ends child processes in a way that asyncio notices."""

from __future__ import annotations

import asyncio
from contextlib import suppress

_BLOCK_BYTES = 1 << 16


async def kill_and_wait(process: asyncio.subprocess.Process) -> None:
    """Kill ``process`` unless it has exited, and wait for it to exit.

    Its output is read to the end first: asyncio reports an exit only after the pipes have closed,
    and a pipe whose reader is paused never closes (seen on Python 3.11).
    """
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()
    if process.stdout is not None:
        while await process.stdout.read(_BLOCK_BYTES):
            pass
    await process.wait()
