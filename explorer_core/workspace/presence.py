"""Whether something is at a path: nothing is where nobody may look, or where a name is too long for
the system. `pathlib` raises an OSError there before Python 3.14."""

from __future__ import annotations

import os
from pathlib import Path


def exists(path: Path) -> bool:
    """Whether there is anything."""
    return os.path.exists(path)  # noqa: PTH110


def is_file(path: Path) -> bool:
    """Whether there is a file, or a link to one."""
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: Path) -> bool:
    """Whether there is a folder, or a link to one."""
    return os.path.isdir(path)  # noqa: PTH112
