"""The folders that a client names: opening those that are there, and globs for what is below."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from explorer_core.contracts import Settings
from explorer_core.workspace import Workspace, WorkspaceError
from explorer_core.workspace.globs import glob_of
from explorer_core.workspace.roots import spell


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


def globs_within(workspace: Workspace, path: str) -> tuple[str, ...]:
    """Globs for a file or folder of the workspace, given whole or as the workspace names it, and
    what is below it. Raises `WorkspaceError`."""
    named = workspace.relative(path)
    folder = workspace.absolute(named)
    # The files of a folder within a folder are named by the inner one.
    below = [root for root in workspace.roots if root.path.is_relative_to(folder)]
    names = (named, *(spell(root, ".", workspace.roots) for root in below))
    return tuple(dict.fromkeys(map(glob_of, names)))


def real_path(folder: str | Path) -> Path:
    """Where symbolic links lead to, from the home folder if it begins with ``~``. A path that
    cannot be resolved is left as it is, since whoever opens it says what is wrong."""
    try:
        return Path(os.path.realpath(Path(folder).expanduser()))
    except (OSError, ValueError, RuntimeError):
        return Path(folder)
