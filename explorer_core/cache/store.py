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

from explorer_core.cache.entry import Entry, deserialize, serialize
from explorer_core.contracts import Settings
from explorer_core.workspace.caches import cache_root

logger = logging.getLogger(__name__)

_LIMIT_BYTES = 64 * 1024 * 1024
_KEPT_AFTER_EVICTION = 0.9
"""The share of the size limit that is kept when old entries are removed."""
_ENTRY_LIMIT_BYTES = 4 * 1024 * 1024
_MAX_ENTRIES_PER_KEY = 12
"""Maximum number of entries, for different states of the files, per key."""
_ABANDONED_S = 3600.0
"""Age in seconds at which a temporary file counts as left over from a writer that died."""
_NAME = re.compile(r"[0-9a-f]{40}-[0-9a-f]{16}")


def cache_folder(settings: Settings) -> Path:
    """The folder of cached judgements."""
    return cache_root(settings) / "judged"


@dataclass(frozen=True, slots=True)
class CheckedFile:
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
        files = [file for file in self._files() if file.name.startswith(f"{key}-")]
        for file in sorted(files, key=_last_used, reverse=True):
            entry = _read_entry(file)
            if entry is not None and entry.key == key:
                yield entry

    def keep(self, entry: Entry) -> bool:
        """Write an entry, replacing its file if that exists; returns whether this succeeded."""
        data = serialize(entry)
        if len(data) > _ENTRY_LIMIT_BYTES:
            return False
        target = self.folder / f"{entry.name}.json"
        temporary = self.folder / f"{secrets.token_hex(8)}.part"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                _write(temporary, data)
                temporary.replace(target)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
        except OSError as error:
            logger.warning("The report is not in the cache: %s (%s).", error.strerror, target)
            return False
        self._evict(entry.key)
        return True

    def touch(self, entry: Entry) -> None:
        """Mark an entry as used; the least recently used ones are removed first."""
        with contextlib.suppress(OSError):
            os.utime(self.folder / f"{entry.name}.json")

    def entries(self) -> list[Entry]:
        """Every usable entry, the most recently used first."""
        by_use = (
            (_last_used(file), entry) for file in self._files() if (entry := _read_entry(file))
        )
        return [entry for _, entry in sorted(by_use, key=lambda pair: -pair[0])]

    def verify(self) -> list[CheckedFile]:
        """Read and check every file of the cache."""
        checked: list[CheckedFile] = []
        for file in self._files("*"):
            with contextlib.suppress(OSError):
                status = file.stat()
                entry = _read_entry(file) if file.suffix == ".json" else None
                is_well_named = entry is not None and entry.name == file.stem
                state = (
                    "abandoned" if file.suffix == ".part" else "ok" if is_well_named else "damaged"
                )
                checked.append(CheckedFile(file, status.st_size, status.st_mtime, entry, state))
        return checked

    def clear(self, root: str | None = None) -> tuple[int, int]:
        """Remove all entries, or those with this root; returns the number of files and bytes."""
        files = size = 0
        for each in self.verify():
            is_selected = root is None or (each.entry is not None and root in each.entry.roots)
            if is_selected and _unlink(each.file):
                files += 1
                size += each.size
        return files, size

    def _evict(self, key: str) -> None:
        """Remove what exceeds the limits (entries per key, total bytes), and leftover files."""
        by_age: list[tuple[float, int, Path]] = []
        for file in self._files("*"):
            with contextlib.suppress(OSError):
                status = file.stat()
                by_age.append((status.st_mtime, status.st_size, file))
        by_age.sort(reverse=True)
        total = key_entries = 0
        limit = self._limit
        if sum(size for _, size, _ in by_age) > limit:
            limit = int(limit * _KEPT_AFTER_EVICTION)
        for last_used, size, file in by_age:
            total += size
            has_key = file.name.startswith(key)
            key_entries += has_key
            is_abandoned = file.suffix == ".part" and time.time() - last_used > _ABANDONED_S
            if total > limit or is_abandoned or (has_key and key_entries > _MAX_ENTRIES_PER_KEY):
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


def _read_entry(file: Path) -> Entry | None:
    try:
        with file.open("rb") as stream:
            return deserialize(stream.read(_ENTRY_LIMIT_BYTES + 1))
    except OSError:
        return None


def _last_used(file: Path) -> float:
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
