"""The files of a workspace as one question sees them: each is read only once."""

from __future__ import annotations

from explorer_core.memoised import memoised
from explorer_core.workspace.errors import WorkspaceError
from explorer_core.workspace.source import SourceText
from explorer_core.workspace.workspace import Workspace


class CachingReader:
    """Reads files on first use and keeps them for the duration of one question. Code that needs a
    file's present state reads from the workspace instead."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    @memoised
    def source(self, path: str) -> SourceText | None:
        """The text of a file; None if it cannot be read."""
        try:
            return self._workspace.read(path)
        except WorkspaceError:
            return None
