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
_NAMED_ASIDE = 3
"""Files that are named of those set aside for one reason."""


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
        """How many of the files with a grammar, as last listed, are indexed, be it in memory only,
        as one that an editor has open."""
        try:
            listing = self._workspace.last_listing()
        except WorkspaceError:
            return Coverage()
        generation = self._view.generation
        counted = self._coverage
        if counted is None or counted[0] is not listing or counted[1] != generation:
            held = self._view.stored().keys() | self._view.masks().keys()
            known = [entry.path for entry in listing if self._has_language(entry.path)]
            covered = Coverage(indexed=sum(path in held for path in known), total=len(known))
            counted = self._coverage = (listing, generation, covered)
        return counted[2]

    def diagnostics(self) -> list[Diagnostic]:
        """The files that were set aside, and why; many of one kind together. Binaries are not worth
        mentioning unless they are called like source."""
        rows = self._view.visible_rows()
        aside = [row for row in rows if row.set_aside != _BINARY or language_of(row.path)]
        return [Diagnostic(source="index", message=each) for each in _why_aside(aside)]

    def why_none(self, paths: Collection[str]) -> list[str]:
        """Why the text of none of these files is searched; nothing where that of one is."""
        rows = [row for row in self._view.visible_rows() if row.path in paths]
        if len(rows) < len(paths) or not all(row.set_aside for row in rows):
            return []
        return _why_aside(rows)

    def left_to_text_search(self) -> list[str]:
        """The files whose text was read and is not in the index."""
        rows = self._view.visible_rows()
        return [row.path for row in rows if row.set_aside and row.digest]

    def is_blank(self) -> bool:
        """Whether every file was looked at and none holds text."""
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
        known = self._languages.get(path)
        if known is None:
            known = self._languages[path] = language_of(path) is not None
        return known


def _why_aside(rows: Iterable[FileRow]) -> list[str]:
    """The files that were set aside, and why; many of one kind together."""
    aside: dict[str, list[str]] = {}
    for row in sorted(rows, key=lambda row: row.path):
        if row.set_aside:
            aside.setdefault(row.set_aside, []).append(row.path)
    messages: list[str] = []
    for why, paths in aside.items():
        if len(paths) <= _NAMED_ASIDE:
            messages += [f"{path} {why}." for path in paths]
        else:
            named = ", ".join(paths[:_NAMED_ASIDE])
            messages.append(f"{named} and {len(paths) - _NAMED_ASIDE:,} others: each {why}.")
    return messages
