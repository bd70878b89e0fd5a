"""Safely reads files that somebody else put there: only regular ones, and only up to a size.

Reading a pipe could block forever, a device never ends, and an archive can contain a file of any
length in few bytes.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
)


class NotRegularError(OSError):
    """Not a regular file but a folder, pipe, socket or device."""

    def __init__(self) -> None:
        super().__init__(errno.EINVAL, "it is not a regular file")


class TooLargeError(OSError):
    """A file with more bytes than the limit."""

    def __init__(self, limit: int) -> None:
        super().__init__(errno.EFBIG, f"it is larger than {limit:,} bytes")


def read_regular(file: str | Path, limit: int) -> bytes:
    """The content of a file of at most ``limit`` bytes. It must not be a symbolic link: callers
    that follow links resolve them first and check the target. Raises `OSError`."""
    # Unbuffered, no more than the file's size is allocated.
    with os.fdopen(os.open(file, _OPEN_FLAGS), "rb", buffering=0) as stream:
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise NotRegularError
        if status.st_size > limit:
            raise TooLargeError(limit)
        data = stream.readall()
    if len(data) > limit:
        raise TooLargeError(limit)
    return data
