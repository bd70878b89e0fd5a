"""Cache entries on disk, one file each, shared by any number of processes.

A file is written under a temporary name and then renamed, so that readers see all of it or nothing.
A damaged file counts as missing.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from explorer_core.cache.entry import Entry, read, written
from explorer_core.contracts import Settings
from explorer_core.workspace.caches import cache_root

logger = logging.getLogger(__name__)

_LIMIT_BYTES = 64 * 1024 * 1024
_KEPT_SHARE = 0.9
"""The share of the size limit that is kept when old entries are removed."""
_ENTRY_LIMIT_BYTES = 4 * 1024 * 1024
_STATES = 12
"""Maximum number of entries, for different states of the files, per key."""
_ABANDONED_S = 3600.0
"""Age in seconds at which a temporary file counts as left over from a writer that died."""
_NAME = re.compile(r"[0-9a-f]{40}-[0-9a-f]{16}")


def cache_folder(settings: Settings) -> Path:
    """The folder of cached judgements."""
    return cache_root(settings) / "judged"


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking one file; ``entry`` is None if it is unusable."""

    file: Path
    size: int
    used: float
    entry: Entry | None
    state: Literal["ok", "damaged", "abandoned"]


class ReportCache:
    """The cached judgements of one user. Every method blocks. None raises for disk errors: what
    cannot be read is missing, and what cannot be written is logged."""

    def __init__(self, folder: Path, limit_bytes: int = _LIMIT_BYTES) -> None:
        self.folder = folder
        self._limit = limit_bytes

    def find(self, key: str) -> Iterator[Entry]:
        """The entries of a key, the most recently used first."""
        found = [file for file in self._files() if file.name.startswith(f"{key}-")]
        for file in sorted(found, key=_used, reverse=True):
            entry = _entry(file)
            if entry is not None and entry.key == key:
                yield entry

    def keep(self, entry: Entry) -> bool:
        """Write an entry, replacing its file if that exists; returns whether this succeeded."""
        data = written(entry)
        if len(data) > _ENTRY_LIMIT_BYTES:
            return False
        place = self.folder / f"{entry.name}.json"
        beside = self.folder / f"{secrets.token_hex(8)}.part"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                _write(beside, data)
                beside.replace(place)
            except BaseException:
                beside.unlink(missing_ok=True)
                raise
        except OSError as error:
            logger.warning("The report is not in the cache: %s (%s).", error.strerror, place)
            return False
        self._tidy(entry.key)
        return True

    def touch(self, entry: Entry) -> None:
        """Mark an entry as used; the least recently used ones are removed first."""
        with contextlib.suppress(OSError):
            os.utime(self.folder / f"{entry.name}.json")

    def entries(self) -> list[Entry]:
        """Every usable entry, the most recently used first."""
        found = ((_used(file), entry) for file in self._files() if (entry := _entry(file)))
        return [entry for _, entry in sorted(found, key=lambda pair: -pair[0])]

    def verify(self) -> list[Checked]:
        """Read and check every file of the cache."""
        checked: list[Checked] = []
        for file in self._files("*"):
            with contextlib.suppress(OSError):
                status = file.stat()
                entry = _entry(file) if file.suffix == ".json" else None
                in_place = entry is not None and entry.name == file.stem
                state = "abandoned" if file.suffix == ".part" else "ok" if in_place else "damaged"
                checked.append(Checked(file, status.st_size, status.st_mtime, entry, state))
        return checked

    def clear(self, root: str | None = None) -> tuple[int, int]:
        """Remove all entries, or those with this root; returns the number of files and bytes."""
        files = size = 0
        for each in self.verify():
            mine = root is None or (each.entry is not None and root in each.entry.roots)
            if mine and _unlink(each.file):
                files += 1
                size += each.size
        return files, size

    def _tidy(self, key: str) -> None:
        """Remove what exceeds the limits (entries per key, total bytes), and leftover files."""
        aged: list[tuple[float, int, Path]] = []
        for file in self._files("*"):
            with contextlib.suppress(OSError):
                status = file.stat()
                aged.append((status.st_mtime, status.st_size, file))
        aged.sort(reverse=True)
        total = states = 0
        limit = self._limit
        if sum(size for _, size, _ in aged) > limit:
            limit = int(limit * _KEPT_SHARE)
        for used, size, file in aged:
            total += size
            same = file.name.startswith(key)
            states += same
            late = file.suffix == ".part" and time.time() - used > _ABANDONED_S
            if total > limit or late or (same and states > _STATES):
                _unlink(file)

    def _files(self, pattern: str = "*.json") -> list[Path]:
        """The cache's own files; any others in the folder are ignored."""
        try:
            return [
                file
                for file in self.folder.glob(pattern)
                if _NAME.fullmatch(file.stem) or file.suffix == ".part"
            ]
        except OSError:
            return []


def _write(file: Path, data: bytes) -> None:
    with file.open("xb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _entry(file: Path) -> Entry | None:
    try:
        with file.open("rb") as stream:
            return read(stream.read(_ENTRY_LIMIT_BYTES + 1))
    except OSError:
        return None


def _used(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def _unlink(file: Path) -> bool:
    try:
        file.unlink()
    except OSError:
        return False
    return True
