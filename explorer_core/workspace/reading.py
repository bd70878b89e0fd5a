"""The files of a workspace as one question sees them: each is read once."""

from __future__ import annotations

from explorer_core.held import memoised
from explorer_core.workspace.errors import WorkspaceError
from explorer_core.workspace.source import SourceText
from explorer_core.workspace.workspace import Workspace


class Reading:
    """Reads files when they are first asked for. For the time of one question: whoever must know a
    file as it is now reads the workspace itself."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    @memoised
    def source(self, path: str) -> SourceText | None:
        """The text of a file; None for one that cannot be read."""
        try:
            return self._workspace.read(path)
        except WorkspaceError:
            return None
