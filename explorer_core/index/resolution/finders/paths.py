"""Paths of the indexed files, arranged to answer "which file ends like this?"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from posixpath import basename, dirname, splitext


class PathTable:
    """Files by stem and folder."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths: set[str] = set()
        self._by_stem: dict[str, set[str]] = {}
        self._in_folder: dict[str, set[str]] = {}
        self._files_below: Counter[str] = Counter()
        self._folders_named: dict[str, set[str]] = {}
        self._folders_ending: dict[str, tuple[str, ...]] = {}
        for path in set(paths):
            self._add(path)

    def __contains__(self, path: str) -> bool:
        return path in self._paths

    def _add(self, path: str) -> None:
        self._paths.add(path)
        self._by_stem.setdefault(stem(path), set()).add(path)
        self._in_folder.setdefault(dirname(path), set()).add(path)
        for folder in folders_above(path):
            self._files_below[folder] += 1
            if self._files_below[folder] == 1:
                self._folders_named.setdefault(basename(folder), set()).add(folder)

    def with_suffix(self, suffixes: tuple[str, ...]) -> list[str]:
        """Files that end in one of the suffixes, sorted."""
        return sorted(path for path in self._paths if path.endswith(suffixes))

    def in_folder(self, folder: str) -> list[str]:
        """Files directly in a folder, sorted."""
        return sorted(self._in_folder.get(folder, ()))

    def is_folder(self, folder: str) -> bool:
        """Whether a file lies in the folder, at any depth."""
        return self._files_below[folder] > 0

    def files_below(self, folder: str) -> int:
        """How many files lie in the folder, at any depth."""
        return self._files_below[folder]

    def named(self, name: str) -> list[str]:
        """Files of that name, sorted."""
        return self.ending(name, ("",))

    def with_stem(self, name: str) -> list[str]:
        """Files of that name apart from their last suffix, sorted."""
        return sorted(self._by_stem.get(name, ()))

    def first(self, base: str, suffixes: Iterable[str]) -> str | None:
        """The first of ``base + suffix`` that is a file."""
        return next((base + suffix for suffix in suffixes if base + suffix in self._paths), None)

    def ending(self, tail: str, suffixes: Iterable[str]) -> list[str]:
        """Files whose path ends, at a folder boundary, in ``tail`` plus one of the suffixes."""
        matches: set[str] = set()
        for suffix in suffixes:
            end = tail + suffix
            for path in self._by_stem.get(stem(end), ()):
                if path == end or path.endswith("/" + end):
                    matches.add(path)
        return sorted(matches)

    def folders_ending(self, tail: str) -> tuple[str, ...]:
        """Folders with files in them whose path ends, at a folder boundary, in ``tail``, sorted."""
        folders = self._folders_ending.get(tail)
        if folders is None:
            # Kept: hundreds of folders may be named ``src``, and every import asks for some.
            same_name = self._folders_named.get(basename(tail), ())
            folders = tuple(
                sorted(
                    folder for folder in same_name if folder == tail or folder.endswith("/" + tail)
                )
            )
            self._folders_ending[tail] = folders
        return folders


def stem(path: str) -> str:
    """The file name without its last suffix."""
    return splitext(basename(path))[0]


def nearest(paths: Iterable[str], origin: str) -> list[str]:
    """The paths that share the most leading folders with ``origin``."""
    best: list[str] = []
    most_shared = -1
    for path in paths:
        shared = count_shared_folders(path, origin)
        if shared > most_shared:
            best, most_shared = [], shared
        if shared == most_shared:
            best.append(path)
    return best


def count_shared_folders(path: str, other: str) -> int:
    """How many leading folders two files have in common."""
    return common_prefix_length(path.split("/")[:-1], other.split("/")[:-1])


def common_prefix_length(names: Sequence[str], others: Sequence[str]) -> int:
    """How many of their first names two paths have in common."""
    for index, (name, other) in enumerate(zip(names, others, strict=False)):
        if name != other:
            return index
    return min(len(names), len(others))


def folders_above(path: str) -> Iterator[str]:
    """The folders that a file lies in, from the innermost to the root."""
    folder = dirname(path)
    while folder:
        yield folder
        folder = dirname(folder)
    yield ""
