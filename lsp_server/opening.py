"""Opening the folders that a client names, of which some may be gone."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from explorer_core.contracts import Settings
from explorer_core.workspace import Workspace, WorkspaceError


def open_workspace(folders: Sequence[str], settings: Settings) -> tuple[Workspace, tuple[str, ...]]:
    """The workspace of the folders that can be opened, and a sentence about each of the others.

    Raises `WorkspaceError` if there is none left.
    """
    usable: list[str] = []
    problems: list[str] = []
    for folder in folders:
        try:
            Workspace.open(folder)
        except WorkspaceError as error:
            problems.append(str(error))
        else:
            usable.append(folder)
    if problems and not usable:
        raise WorkspaceError(problems[0])
    return Workspace.open(*usable, settings=settings), tuple(problems)


def real_path(folder: str | Path) -> Path:
    """Where symbolic links lead to, from the home folder if it begins with ``~``. A path that
    cannot be resolved is left as it is, since whoever opens it says what is wrong."""
    try:
        return Path(os.path.realpath(Path(folder).expanduser()))
    except (OSError, ValueError, RuntimeError):
        return Path(folder)
