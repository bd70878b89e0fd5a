"""Programs of the user's: started, and found so that a repository cannot put in its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

NO_WINDOW = 0x08000000 if sys.platform == "win32" else 0
"""Creation flag of a program that is to open no console window."""
_SUFFIX = ".exe" if sys.platform == "win32" else ""


def find_program(name: str, roots: Iterable[Path]) -> str | None:
    """The first program of that name on PATH that lies outside of ``roots``, resolved folders.

    A folder of PATH that is relative is passed over, and the working folder, where Windows looks
    first, is no folder of PATH: both may be inside of the repository that is looked at.
    """
    inside = tuple(roots)
    for folder in map(Path, os.get_exec_path()):
        program = folder / (name + _SUFFIX)
        if program.is_file() and os.access(program, os.X_OK) and is_outside(program, inside):
            return str(program)
    return None


def is_outside(program: Path, roots: Iterable[Path]) -> bool:
    """Whether a program's path is absolute, and neither it nor what it links to is in a root."""
    if not program.is_absolute():
        return False
    places = (program.parent.resolve() / program.name, program.resolve())
    return not any(place.is_relative_to(root) for root in roots for place in places)
