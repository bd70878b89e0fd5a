"""Finds the user's programs, and makes sure that a repository cannot substitute its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from explorer_core.workspace.presence import is_file

NO_WINDOW = 0x08000000 if sys.platform == "win32" else 0
"""Creation flag for processes that should not open a console window."""
_WINDOWS_ENDINGS = ".COM;.EXE;.BAT;.CMD"


def find_program(
    name: str, roots: Iterable[Path], *, windows: bool = sys.platform == "win32"
) -> str | None:
    """The first program of that name on PATH outside ``roots`` (resolved folders), or None. Start
    the returned path: for a bare name the system would search again, and elsewhere.

    Relative folders on PATH are skipped, and so is the working folder, which Windows searches
    first: either may be inside the repository being examined.
    """
    root_folders = tuple(roots)
    files = _with_endings(name, os.environ) if windows else (name,)
    for folder in map(Path, os.get_exec_path()):
        for program in (folder / file for file in files):
            if (
                is_file(program)
                and os.access(program, os.X_OK)
                and is_outside(program, root_folders)
            ):
                return str(program)
    return None


def is_outside(program: Path, roots: Iterable[Path]) -> bool:
    """Whether a program's path is absolute, and neither it nor its link target is in a root."""
    if not program.is_absolute():
        return False
    places = (program.parent.resolve() / program.name, program.resolve())
    return not any(place.is_relative_to(root) for root in roots for place in places)


def _with_endings(name: str, environment: Mapping[str, str]) -> Sequence[str]:
    """The file names that Windows would try for a program, which it recognises by its suffix."""
    listed = environment.get("PATHEXT") or _WINDOWS_ENDINGS
    endings = [each.strip().lower() for each in listed.split(";") if each.strip()]
    if name.lower().endswith(tuple(endings)):
        return (name,)
    return [name + ending for ending in endings]
