"""Programs of the user's: started, and found so that a repository cannot put in its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from explorer_core.workspace.presence import is_file

NO_WINDOW = 0x08000000 if sys.platform == "win32" else 0
"""Creation flag of a program that is to open no console window."""
_WINDOWS_ENDINGS = ".COM;.EXE;.BAT;.CMD"


def find_program(
    name: str, roots: Iterable[Path], *, windows: bool = sys.platform == "win32"
) -> str | None:
    """The first program of that name on PATH that lies outside of ``roots``, resolved folders. What
    it gives is what is to be started: the system would look for a bare name anew, and elsewhere.

    A folder of PATH that is relative is passed over, and the working folder, where Windows looks
    first, is no folder of PATH: both may be inside of the repository that is looked at.
    """
    inside = tuple(roots)
    files = _with_endings(name, os.environ) if windows else (name,)
    for folder in map(Path, os.get_exec_path()):
        for program in (folder / file for file in files):
            if is_file(program) and os.access(program, os.X_OK) and is_outside(program, inside):
                return str(program)
    return None


def is_outside(program: Path, roots: Iterable[Path]) -> bool:
    """Whether a program's path is absolute, and neither it nor what it links to is in a root."""
    if not program.is_absolute():
        return False
    places = (program.parent.resolve() / program.name, program.resolve())
    return not any(place.is_relative_to(root) for root in roots for place in places)


def _with_endings(name: str, environment: Mapping[str, str]) -> Sequence[str]:
    """The files that Windows takes for a program of that name: endings tell it what can be run."""
    listed = environment.get("PATHEXT") or _WINDOWS_ENDINGS
    endings = [each.strip().lower() for each in listed.split(";") if each.strip()]
    if name.lower().endswith(tuple(endings)):
        return (name,)
    return [name + ending for ending in endings]
