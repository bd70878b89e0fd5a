"""What can go wrong with a workspace, one sentence each.

WorkspaceError
├── EmptyWorkspace
├── OutsideWorkspace
├── FileMissing       carries near matches
└── Unreadable        carries the reason
"""

from __future__ import annotations

from collections.abc import Sequence

from explorer_core.contracts import Suggestion


class WorkspaceError(Exception):
    """Base of them all; ``str(error)`` is a sentence for the user."""


class EmptyWorkspace(WorkspaceError):  # noqa: N818 - the name is the fact
    """The workspace holds no file that may be read."""


class OutsideWorkspace(WorkspaceError):  # noqa: N818 - the name is the fact
    """A path that leaves the workspace, by itself or through a symbolic link."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path!r} is outside the workspace; name a path inside it.")
        self.path = path


class FileMissing(WorkspaceError):  # noqa: N818 - the name is the fact
    """A path where there is no file. ``suggestions`` are near matches, best first."""

    def __init__(self, path: str, suggestions: Sequence[Suggestion] = ()) -> None:
        hint = f"; did you mean {suggestions[0].path!r}?" if suggestions else "."
        super().__init__(f"There is no file {path!r} in the workspace{hint}")
        self.path = path
        self.suggestions = tuple(suggestions)


class Unreadable(WorkspaceError):  # noqa: N818 - the name is the fact
    """A file that exists but is not read; ``why`` completes "it ..."."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path!r} is not read: it {why}.")
        self.path = path
        self.why = why
