"""Walks a folder without git: yields every file that its ignore files allow."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from pathspec import GitIgnoreSpec

from explorer_core.workspace.patterns import any_of, spec_of
from explorer_core.workspace.regular import read_regular

_VCS_FOLDERS = frozenset({".git", ".hg", ".svn", ".jj", ".bzr", "_darcs"})
_CASED_VCS_FOLDERS = frozenset({"CVS"})
"""Only in upper case: a folder named ``cvs`` may be code."""

_IGNORE_FILES = (".gitignore", ".ignore")
_IGNORE_FILE_BYTES = 512 * 1024
_DISPOSABLE_MARKS = frozenset({"CACHEDIR.TAG", "pyvenv.cfg"})
"""A folder that contains one declares that a tool made it and can make it again."""


@dataclass(frozen=True, slots=True)
class _Rules:
    """One ignore file. ``patterns``, the last one first, are relative to ``base``, a path ending in
    ``/``; each says whether what it matches is ignored. ``quick_test`` matches wherever one of
    the patterns may."""

    base: str
    patterns: tuple[tuple[bool, re.Pattern[str]], ...]
    quick_test: re.Pattern[str]

    @classmethod
    def of(cls, base: str, spec: GitIgnoreSpec) -> _Rules:
        patterns = tuple(
            (each.include, cast("re.Pattern[str]", each.regex))  # pyright: ignore[reportUnknownMemberType]
            for each in reversed(list(spec.patterns))
            if each.include is not None
        )
        # Few paths are ignored; the quick test settles all others.
        return cls(base, patterns, any_of(regex for _, regex in patterns))


def scan(root: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Regular files below ``root`` as (path relative to it, stat), in no particular order.

    Symbolic links are not followed: their targets have paths of their own, or are outside. Folders
    that cannot be listed are skipped.
    """
    prefix = f"{root.as_posix().rstrip('/')}/"
    pending = [(prefix, _rules_above(root))]
    while pending:
        folder, rules = pending.pop()
        entries = _entries(folder)
        names = {entry.name for entry in entries}
        if folder != prefix and names & _DISPOSABLE_MARKS:
            continue
        rules = rules + _rules_in(folder, names)
        for entry in entries:
            path = folder + entry.name
            if _is_folder(entry):
                if not is_version_control(entry.name) and not _ignored(path + "/", rules):
                    pending.append((path + "/", rules))
            elif entry.is_file(follow_symlinks=False) and not _ignored(path, rules):
                try:
                    yield path[len(prefix) :], entry.stat(follow_symlinks=False)
                except OSError:
                    continue


def is_version_control(path: str) -> bool:
    """Whether any part of ``path`` is a folder of a version control system; ignores case where such
    a name cannot be code, since many file systems do."""
    return not (
        _CASED_VCS_FOLDERS.isdisjoint(path.split("/"))
        and _VCS_FOLDERS.isdisjoint(path.lower().split("/"))
    )


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    is_junction = getattr(entry, "is_junction", None)
    return entry.is_dir(follow_symlinks=False) and not (is_junction and is_junction())


def _rules_above(root: Path) -> tuple[_Rules, ...]:
    """The ignore rules of the enclosing work tree, unless they ignore ``root`` as a whole."""
    above: list[Path] = []
    for folder in (root, *root.parents):
        if folder != root:
            above.append(folder)
        if (folder / ".git").exists():
            rules: tuple[_Rules, ...] = ()
            for parent in reversed(above):
                names = {name for name in _IGNORE_FILES if (parent / name).is_file()}
                rules += _rules_in(f"{parent.as_posix().rstrip('/')}/", names)
            return () if _ignored(f"{root.as_posix()}/", rules) else rules
    return ()


def _rules_in(folder: str, names: set[str]) -> tuple[_Rules, ...]:
    rules: list[_Rules] = []
    for name in _IGNORE_FILES:
        if name in names:
            try:
                data = read_regular(folder + name, _IGNORE_FILE_BYTES)  # git follows no links here
            except OSError:
                continue
            lines = data.decode("utf-8", "replace").splitlines()
            rules.append(_Rules.of(folder, _lenient_spec(lines)))
    return tuple(rules)


def _lenient_spec(lines: list[str]) -> GitIgnoreSpec:
    """A spec without invalid lines, which git skips too."""
    try:
        return spec_of(lines)
    except (ValueError, re.error):
        return spec_of(line for line in lines if _is_pattern(line))


def _is_pattern(line: str) -> bool:
    try:
        spec_of([line])
    except (ValueError, re.error):
        return False
    return True


def _ignored(path: str, rules: tuple[_Rules, ...]) -> bool:
    for rule in reversed(rules):
        verdict = _verdict(rule, path[len(rule.base) :])
        if verdict is not None:
            return verdict
    return False


def _verdict(rules: _Rules, path: str) -> bool | None:
    """The verdict of the last pattern that matches ``path`` itself; folder paths end with ``/``.

    `GitIgnoreSpec.check_file` also applies patterns that match only a folder above, and orders them
    so that ``*`` wins over a later ``!*/``. Here, folders above have been judged before."""
    if not any(map(rules.quick_test.match, {path, path.rstrip("/")})):
        return None
    for ignores, regex in rules.patterns:
        if _matches_whole_path(regex, path):
            return ignores
    return None


def _matches_whole_path(regex: re.Pattern[str], path: str) -> bool:
    """Whether a pattern matches the whole path, not just a folder in it or what is below."""
    bare = regex.search(path.rstrip("/"))
    if bare and not bare.groupdict().get("ps_d"):
        return True
    if "ps_d" not in regex.groupindex or not path.endswith("/"):
        return False
    return any(match.end("ps_d") == len(path) for match in regex.finditer(path))
