"""Reading a file that somebody else put there: a regular one and nothing else, up to a size.

A pipe would be waited for without end, a device can be read without end, and an archive may hold a
file of any length in few bytes.
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
    """A folder, pipe, socket or device."""

    def __init__(self) -> None:
        super().__init__(errno.EINVAL, "it is not a regular file")


class TooLargeError(OSError):
    """A file with more bytes than the limit."""

    def __init__(self, limit: int) -> None:
        super().__init__(errno.EFBIG, f"it is larger than {limit:,} bytes")


def read_regular(file: str | Path, limit: int) -> bytes:
    """What a file holds, which must not be a symbolic link: whoever follows links resolves them,
    and asks where they lead. Raises `OSError`."""
    # Without a buffer no more is allocated than the file's size.
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
