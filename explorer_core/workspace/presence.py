"""Checks for files and folders that never raise: what may not be accessed, or has too long a name
for the system, does not exist. `pathlib` raises an OSError in these cases before Python 3.14."""

from __future__ import annotations

import os
from pathlib import Path


def exists(path: Path) -> bool:
    """Whether the path exists."""
    return os.path.exists(path)  # noqa: PTH110


def is_file(path: Path) -> bool:
    """Whether the path is a file, or a link to one."""
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: Path) -> bool:
    """Whether the path is a folder, or a link to one."""
    return os.path.isdir(path)  # noqa: PTH112
