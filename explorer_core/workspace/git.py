"""Runs git on repositories that somebody else configured. Nothing else in the project runs it.

A `.git` folder that came with an archive, or lies on a network share, may contain settings that
make git start programs. Listing files must start none, whatever is set there. Filters, hooks,
pagers and aliases play no part in a listing; what does is turned off here.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from explorer_core.workspace.programs import NO_WINDOW, find_program

_TIME_S = 30.0

_SETTINGS = {
    "core.fsmonitor": "false",  # a program that git asks what has changed
    # Ignore a folder that merely looks like a bare repository: git would read its settings in place
    # of those of the enclosing repository.
    "safe.bareRepository": "explicit",
    "core.quotePath": "false",
}
"""Passed on the command line, and so stronger than the repository's own settings."""

_ENVIRONMENT = {
    # Do not fetch missing objects: `core.sshCommand` and the helpers for remotes and credentials
    # are programs. Older versions of git know only the second variable, which no setting overrides.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


def _work_tree_of(folder: Path) -> Path | None:
    """The innermost work tree around a folder, recognised by its `.git`."""
    return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)


def git_files(folder: Path, roots: Sequence[Path]) -> list[str] | None:
    """The files that git lists below ``folder``, relative to it; None if git cannot tell. A git
    executable inside ``roots`` (resolved folders) or the work tree is never run."""
    work_tree = _work_tree_of(folder)
    git = work_tree and find_program("git", (*roots, work_tree))
    if work_tree is None or git is None:
        return None
    command = [git]
    for name, value in _SETTINGS.items():
        command += ["-c", f"{name}={value}"]
    command += ["ls-files", "-c", "-o", "--exclude-standard", "-z"]
    try:
        completed = subprocess.run(
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
    # An empty list may also mean that an enclosing repository ignores the whole folder.
    paths = {os.fsdecode(path) for path in completed.stdout.split(b"\0") if path}
    return list(paths) or None


def _environment(work_tree: Path) -> dict[str, str]:
    """The user's environment without variables that refer to another repository. The work tree is
    set, because `core.worktree` could point anywhere; the ceiling stops git from going on to a
    repository above if this `.git` is not one."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    location = {"GIT_WORK_TREE": str(work_tree), "GIT_CEILING_DIRECTORIES": str(work_tree.parent)}
    return inherited | _ENVIRONMENT | location
