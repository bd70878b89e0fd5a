"""Lists the files of one folder: git's own list inside a work tree, a scan elsewhere."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from explorer_core.workspace.git import git_files
from explorer_core.workspace.presence import exists
from explorer_core.workspace.scan import is_version_control, scan

_UNWRITABLE = re.compile("[\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]")
"""Control characters, line ends, and surrogates, which stand for bytes that are not UTF-8."""


def walk(root: Path, roots: Sequence[Path]) -> Iterator[tuple[str, os.stat_result]]:
    """Regular files below ``root``, a resolved folder, as (path relative to it, stat), unsorted.

    ``roots`` are all folders of the workspace; programs inside them are never run. Nested
    repositories and checked-out submodules are walked by their own rules. Names that cannot be
    written on one line of UTF-8 are left out.
    """
    listed = git_files(root, roots)
    found = scan(root) if listed is None else _stat_listed(root, roots, listed)
    for path, status in found:
        # Git lists folders of other version control systems like any.
        if not _UNWRITABLE.search(path) and not is_version_control(path):
            yield path, status


def _stat_listed(
    root: Path, roots: Sequence[Path], listed: list[str]
) -> Iterator[tuple[str, os.stat_result]]:
    """The listed paths that exist as files. Git also lists deleted files, submodules, nested
    repositories, and files below a folder that has since become a symbolic link."""
    prefix = f"{root}{os.sep}" if not str(root).endswith(os.sep) else str(root)
    real_folders: dict[str, bool] = {}
    for path in listed:
        folder = path.rpartition("/")[0]
        if folder not in real_folders:
            real_folders[folder] = _is_real(prefix + folder)
        if not real_folders[folder]:
            continue
        try:
            status = os.lstat(prefix + path)
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode):
            yield path, status
        elif stat.S_ISDIR(status.st_mode):
            inner = path.rstrip("/")
            if exists(Path(prefix + inner, ".git")):
                for below, below_status in walk(Path(prefix + inner), roots):
                    yield f"{inner}/{below}", below_status


def _is_real(folder: str) -> bool:
    """Whether no link leads to a folder. On a file system that ignores case, git's spelling may
    differ from the disk's."""
    real, named = os.path.realpath(folder), os.path.normpath(folder)
    return os.path.normcase(real) == os.path.normcase(named)
