"""Asking git about a repository that somebody else configured: the only place that runs it.

A `.git` folder that came with an archive, or lies on a share, has settings by which git starts
programs. Whatever is set there, listing must start none. Filters, hooks, pagers and aliases have no
part in a listing; what has is turned off here.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from explorer_core.workspace.programs import NO_WINDOW, find_program

_TIME_S = 30.0

_SETTINGS = {
    "core.fsmonitor": "false",  # a program that is asked what has changed
    # A folder that looks like a repository is none: its settings would be read in place of those
    # of the one around it.
    "safe.bareRepository": "explicit",
    "core.quotePath": "false",
}
"""Given on the command line, so stronger than the repository's own."""

_ENVIRONMENT = {
    # What is missing is not fetched: `core.sshCommand` and the helpers of remotes and credentials
    # are programs. Older versions of git know only the second, which no setting can widen.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


def _work_tree_of(folder: Path) -> Path | None:
    """The innermost work tree that a folder is in, by its `.git`."""
    return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)


def git_files(folder: Path, roots: Sequence[Path]) -> list[str] | None:
    """What git lists below ``folder``, relative to it; None when it is not for git to say. Neither
    ``roots``, resolved folders, nor the work tree can put in a program of theirs for git."""
    work_tree = _work_tree_of(folder)
    git = work_tree and find_program("git", (*roots, work_tree))
    if work_tree is None or git is None:
        return None
    command = [git]
    for name, value in _SETTINGS.items():
        command += ["-c", f"{name}={value}"]
    command += ["ls-files", "-c", "-o", "--exclude-standard", "-z"]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=_environment(work_tree),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIME_S,
            check=True,
            creationflags=NO_WINDOW,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    # Nothing listed also means a folder that an enclosing repository ignores as a whole.
    paths = {os.fsdecode(path) for path in done.stdout.split(b"\0") if path}
    return list(paths) or None


def _environment(work_tree: Path) -> dict[str, str]:
    """The user's, without what speaks of another repository. `core.worktree` can lead to a tree
    that is anywhere, a `.git` that is none to a repository above."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    place = {"GIT_WORK_TREE": str(work_tree), "GIT_CEILING_DIRECTORIES": str(work_tree.parent)}
    return inherited | _ENVIRONMENT | place
