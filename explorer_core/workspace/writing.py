"""Writes files atomically: readers see either the old content or all of the new."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

_OPEN_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def write_atomically(file: Path, text: str, mode: int = 0o666) -> None:
    """Write a text as UTF-8, replacing the file if it exists; creates its folder if necessary.

    ``mode`` is the new file's mode, before the umask is applied. Several threads and processes may
    write the same file at the same time. Raises OSError."""
    data = text.encode("utf-8", errors="replace")
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_name(f"{file.name}.{secrets.token_hex(4)}.tmp")
    descriptor = os.open(temporary, _OPEN_FLAGS, mode)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
        temporary.replace(file)
    except OSError:
        with contextlib.suppress(OSError):
            remove(temporary)
        raise


def remove(file: Path) -> None:
    """Delete a file, even a read-only one. Raises OSError."""
    file.chmod(0o600)  # Windows deletes no read-only file
    file.unlink()
