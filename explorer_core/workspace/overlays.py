"""Unsaved text, which takes precedence over the file on disk."""

from __future__ import annotations

import threading

from explorer_core.workspace.source import SourceText


class Overlays:
    """Unsaved buffers by workspace-relative path. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sources: dict[str, SourceText] = {}

    def set(self, path: str, text: str) -> None:
        source = SourceText.of_text(path, text)
        with self._lock:
            self._sources[path] = source

    def discard(self, path: str) -> None:
        """Remove the overlay of ``path``, if there is one."""
        with self._lock:
            self._sources.pop(path, None)

    def get(self, path: str) -> str | None:
        """The unsaved text of ``path`` with ``\\n`` line ends, or None."""
        source = self.source(path)
        return None if source is None else source.text

    def source(self, path: str) -> SourceText | None:
        with self._lock:
            return self._sources.get(path)

    def paths(self) -> list[str]:
        with self._lock:
            return sorted(self._sources)
