"""The writer's lease: an exclusive lock of the operating system on a file beside the store.

This was preferred to a row with a heartbeat: the system releases the lock the moment its holder
dies, so a lease is never stale and never has to be taken over.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Self

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

    def _unlock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


class Lease:
    """Holds the right to write until it is released."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def acquire(cls, store: Path) -> Lease | None:
        """The lease of a store; None while another process or thread holds it."""
        descriptor = os.open(store.with_name(store.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(descriptor)
        except OSError:
            os.close(descriptor)
            return None
        return cls(descriptor)

    def release(self) -> None:
        """Give up the lease. Closing the file is not enough: a child process that is just being
        started has the file open too, until it executes its program."""
        _unlock(self._descriptor)
        os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
