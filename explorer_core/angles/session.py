"""The files of a session: explorations, their index, and the manifest that merges them.

An exploration is reused for the same angle, question and keywords, if its file exists and was made
from the same state of the code. An entry whose file is gone is removed; an unreadable index counts
as empty.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import threading
from pathlib import Path

from pydantic import BaseModel, ValidationError

from explorer_core.contracts.survey import (
    CachedExploration,
    CacheIndex,
    Exploration,
    Manifest,
)
from explorer_core.workspace.regular import read_regular
from explorer_core.workspace.writing import write_atomically

logger = logging.getLogger(__name__)

_FOLDER = "explorations"
_INDEX = "cache-index.json"
_MANIFEST = "manifest.json"
_FILE_LIMIT_BYTES = 8 * 1024 * 1024


class Session:
    """A session's folder, created on the first write. Blocking; never raises for disk errors."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / _FOLDER
        self._lock = threading.Lock()

    def find(
        self, angle: str, query: str, keywords: tuple[str, ...], cache_key: str
    ) -> tuple[Exploration, Path] | None:
        """The exploration of this angle and question with its file, if it is still valid."""
        with self._lock:
            entries = self.index().entries
            for entry in entries:
                if (entry.angle, entry.query, entry.keywords) != (angle, query, keywords):
                    continue
                file = self.folder / Path(entry.file).name
                exploration = _read_exploration(file)
                if exploration is None:
                    self._write_index([each for each in entries if each != entry])
                elif exploration.metadata.cache_key == cache_key:
                    return exploration, file
        return None

    def keep(self, exploration: Exploration, keywords: tuple[str, ...]) -> Path | None:
        """Write an exploration and its index entry; None if the file could not be written."""
        with self._lock:
            return self._keep(exploration, keywords)

    def _keep(self, exploration: Exploration, keywords: tuple[str, ...]) -> Path | None:
        name = f"explore-{exploration.angle}.json"
        # Two questions for one angle get two files; the plain name is that of the first.
        others = [
            each
            for each in self.index().entries
            if (each.angle, each.query, each.keywords)
            != (exploration.angle, exploration.query, keywords)
        ]
        if any(each.file == name for each in others):
            key = "\n".join((exploration.query, *keywords)).encode("utf-8", "replace")
            name = f"explore-{exploration.angle}-{hashlib.sha256(key).hexdigest()[:8]}.json"
        file = self._write(name, exploration)
        if file is None:
            return None
        entry = CachedExploration(
            angle=exploration.angle,
            keywords=keywords,
            query=exploration.query,
            file=name,
            created_by=exploration.metadata.created_by,
            created_at=exploration.metadata.timestamp,
            file_count=len(exploration.relevant_files),
        )
        self._write_index([*others, entry])
        return file

    def keep_manifest(self, manifest: Manifest) -> Path | None:
        """Write the merged manifest; None if that failed."""
        return self._write(_MANIFEST, manifest)

    def index(self) -> CacheIndex:
        """The index; empty if there is none or it is unreadable."""
        with contextlib.suppress(OSError, ValidationError, ValueError):
            return CacheIndex.model_validate_json(_read_bytes(self.folder / _INDEX))
        return CacheIndex()

    def _write_index(self, entries: list[CachedExploration]) -> None:
        self._write(_INDEX, CacheIndex(entries=tuple(entries)))

    def _write(self, name: str, content: BaseModel) -> Path | None:
        file = self.folder / name
        text = json.dumps(content.model_dump(mode="json", by_alias=True), indent=1)
        try:
            write_atomically(file, text + "\n")
        except OSError as error:
            logger.warning("%s cannot be written: %s", file, error.strerror)
            return None
        return file


def _read_exploration(file: Path) -> Exploration | None:
    try:
        return Exploration.model_validate_json(_read_bytes(file))
    except (OSError, ValidationError, ValueError):
        return None


def _read_bytes(file: Path) -> bytes:
    return read_regular(os.path.realpath(file), _FILE_LIMIT_BYTES)
