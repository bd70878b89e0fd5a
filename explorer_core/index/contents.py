"""What an index holds: how much of the workspace, in which languages, and what was set aside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from explorer_core.contracts import Coverage, Diagnostic
from explorer_core.index.languages import language_of
from explorer_core.index.storage.schema import FileRow
from explorer_core.index.storage.store import Store
from explorer_core.index.storage.view import View
from explorer_core.workspace import FileEntry, Workspace, WorkspaceError

_BINARY = "is binary"
_MAX_NAMED = 3
"""Most files that are named for one reason of being set aside."""


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """What ``sightline status`` shows. ``size`` in bytes, ``updated`` in seconds since 1970."""

    location: Path
    size: int
    updated: float
    files: int
    symbols: int
    references: int
    set_aside: int
    languages: dict[str, int]


class Contents:
    """Counts over the rows of one index, as of its last `sync`."""

    def __init__(self, workspace: Workspace, store: Store, view: View) -> None:
        self._workspace = workspace
        self._store = store
        self._view = view
        self._languages: dict[str, bool] = {}
        self._coverage: tuple[list[FileEntry], int, Coverage] | None = None

    def coverage(self) -> Coverage:
        """How many files with a grammar are indexed, of those in the last listing. Files indexed
        only in memory, such as those open in an editor, count."""
        try:
            listing = self._workspace.last_listing()
        except WorkspaceError:
            return Coverage()
        generation = self._view.generation
        cached = self._coverage
        if cached is None or cached[0] is not listing or cached[1] != generation:
            indexed = self._view.stored().keys() | self._view.masks().keys()
            supported = [entry.path for entry in listing if self._has_language(entry.path)]
            covered = Coverage(
                indexed=sum(path in indexed for path in supported), total=len(supported)
            )
            cached = self._coverage = (listing, generation, covered)
        return cached[2]

    def diagnostics(self) -> list[Diagnostic]:
        """The files that were set aside and the reasons, one message for many files with the same
        reason. Binary files are mentioned only if they are named like source files."""
        rows = self._view.visible_rows()
        aside = [row for row in rows if row.set_aside != _BINARY or language_of(row.path)]
        return [
            Diagnostic(source="index", message=message) for message in _set_aside_messages(aside)
        ]

    def reasons_none_searched(self, paths: Collection[str]) -> list[str]:
        """The reasons why none of these files is searched; empty if any of them is."""
        rows = [row for row in self._view.visible_rows() if row.path in paths]
        if len(rows) < len(paths) or not all(row.set_aside for row in rows):
            return []
        return _set_aside_messages(rows)

    def left_to_text_search(self) -> list[str]:
        """The files whose text was read but is not in the index."""
        rows = self._view.visible_rows()
        return [row.path for row in rows if row.set_aside and row.digest]

    def is_blank(self) -> bool:
        """Whether every file was examined and all were set aside."""
        rows = self._view.visible_rows()
        return all(row.set_aside for row in rows) and len(rows) >= len(self._workspace.files())

    def status(self) -> IndexStatus:
        """Size, age and contents."""
        self._view.refresh()
        rows = [row for row in self._view.visible_rows() if row.set_aside != _BINARY]
        location = self._store.path
        return IndexStatus(
            location=location,
            size=self._store.size(),
            updated=location.stat().st_mtime,
            files=len(rows),
            symbols=sum(row.definitions for row in rows),
            references=sum(row.references for row in rows),
            set_aside=sum(bool(row.set_aside) for row in rows),
            languages=dict(Counter(row.language for row in rows if row.language).most_common()),
        )

    def _has_language(self, path: str) -> bool:
        has_language = self._languages.get(path)
        if has_language is None:
            has_language = self._languages[path] = language_of(path) is not None
        return has_language


def _set_aside_messages(rows: Iterable[FileRow]) -> list[str]:
    """The files that were set aside and the reasons, one message for many files with the same
    reason."""
    paths_by_reason: dict[str, list[str]] = {}
    for row in sorted(rows, key=lambda row: row.path):
        if row.set_aside:
            paths_by_reason.setdefault(row.set_aside, []).append(row.path)
    messages: list[str] = []
    for reason, paths in paths_by_reason.items():
        if len(paths) <= _MAX_NAMED:
            messages += [f"{path} {reason}." for path in paths]
        else:
            named, more = ", ".join(paths[:_MAX_NAMED]), len(paths) - _MAX_NAMED
            others = f"{more:,} others" if more > 1 else "one other"
            messages.append(f"{named} and {others}: each {reason}.")
    return messages
