"""The files of one folder: git's own answer inside a work tree, a scan elsewhere."""

from __future__ import annotations

import os
import re
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

from explorer_core.workspace.programs import NO_WINDOW, find_program
from explorer_core.workspace.scan import is_version_control, scan

_GIT_TIME_S = 30.0
_UNSPEAKABLE = re.compile("[\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]")
"""Control characters, line ends, and the surrogates that stand for bytes that are not UTF-8."""


def walk(root: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Regular files below ``root``, a resolved folder, as (path relative to it, stat), unsorted.

    Nested repositories and checked-out submodules are walked by their own rules. Names that cannot
    be written on one line of UTF-8 are left out.
    """
    listed = _git_files(root)
    found = scan(root) if listed is None else _stat_listed(root, listed)
    for path, status in found:
        # Git lists the folders of other systems like any.
        if not _UNSPEAKABLE.search(path) and not is_version_control(path):
            yield path, status


def _git_files(root: Path) -> list[str] | None:
    """What git lists below ``root``; None when it is not for git to say."""
    work_tree = next((each for each in (root, *root.parents) if (each / ".git").exists()), None)
    git = work_tree and find_program("git", (work_tree,))
    if git is None:
        return None
    # A repository's own configuration may name a program to run as its file system monitor.
    command = [git, "-c", "core.fsmonitor=false", "-c", "core.quotePath=false"]
    command += ["ls-files", "-c", "-o", "--exclude-standard", "-z"]
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("GIT_")
    } | {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            command,
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_GIT_TIME_S,
            check=True,
            creationflags=NO_WINDOW,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    # Nothing listed also means a folder that an enclosing repository ignores as a whole.
    paths = {os.fsdecode(path) for path in done.stdout.split(b"\0") if path}
    return list(paths) or None


def _stat_listed(root: Path, listed: list[str]) -> Iterator[tuple[str, os.stat_result]]:
    """Listed paths that are there: git also lists deleted files, submodules, nested repositories
    and files below a folder that has become a symbolic link since."""
    top = f"{root}{os.sep}" if not str(root).endswith(os.sep) else str(root)
    real_folders: dict[str, bool] = {}
    for path in listed:
        folder = path.rpartition("/")[0]
        if folder not in real_folders:
            real_folders[folder] = os.path.realpath(top + folder) == os.path.normpath(top + folder)
        if not real_folders[folder]:
            continue
        try:
            status = os.lstat(top + path)
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode):
            yield path, status
        elif stat.S_ISDIR(status.st_mode):
            inner = path.rstrip("/")
            if Path(top + inner, ".git").exists():
                for below, below_status in walk(Path(top + inner)):
                    yield f"{inner}/{below}", below_status
