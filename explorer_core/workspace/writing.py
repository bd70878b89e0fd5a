"""Writing a file in one piece: whoever reads it sees what was there before, or all of the new."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

_OPEN_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def write_whole(file: Path, text: str, mode: int = 0o666) -> None:
    """Write a text as UTF-8, in the place of the file that may be there; its folder is made where
    there is none. ``mode`` is that of the new file, without what the umask takes away. Several
    threads and processes may write one file at a time. Raises OSError."""
    data = text.encode("utf-8", errors="replace")
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f"{file.name}.{secrets.token_hex(4)}.tmp")
    descriptor = os.open(beside, _OPEN_FLAGS, mode)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
        beside.replace(file)
    except OSError:
        with contextlib.suppress(OSError):
            remove(beside)
        raise


def remove(file: Path) -> None:
    """Delete a file, read-only or not. Raises OSError."""
    file.chmod(0o600)  # Windows deletes no read-only file
    file.unlink()
