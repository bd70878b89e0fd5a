"""Opens the folders that a client names, and makes globs for files and folders in them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from explorer_core.contracts import Settings
from explorer_core.workspace import Workspace, WorkspaceError
from explorer_core.workspace.globs import glob_of
from explorer_core.workspace.roots import workspace_path


def open_workspace(folders: Sequence[str], settings: Settings) -> tuple[Workspace, tuple[str, ...]]:
    """The workspace of those folders that can be opened, and a sentence about each of the others.

    Raises `WorkspaceError` if none can be opened.
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
    """Globs for a file, or a folder and its contents, given by its absolute or workspace path.
    Raises `WorkspaceError`."""
    relative_path = workspace.relative(path)
    folder = workspace.absolute(relative_path)
    # If a root lies inside another one, the paths of its files begin with the inner root's name.
    inner_roots = [root for root in workspace.roots if root.path.is_relative_to(folder)]
    names = (relative_path, *(workspace_path(root, ".", workspace.roots) for root in inner_roots))
    return tuple(dict.fromkeys(map(glob_of, names)))


def real_path(folder: str | Path) -> Path:
    """The path with symbolic links and a leading ``~`` resolved. A path that cannot be resolved is
    returned unchanged; opening it will report what is wrong."""
    try:
        return Path(os.path.realpath(Path(folder).expanduser()))
    except (OSError, ValueError, RuntimeError):
        return Path(folder)
