"""Errors of a workspace; each message is one sentence.

WorkspaceError
├── EmptyWorkspace
├── OutsideWorkspace
├── FileMissing       finds near matches
└── Unreadable        carries the reason
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from explorer_core.contracts import Suggestion


class WorkspaceError(Exception):
    """Base class; ``str(error)`` is a sentence for the user."""


class EmptyWorkspace(WorkspaceError):  # noqa: N818 - the name is the fact
    """The workspace contains no file that may be read."""


class OutsideWorkspace(WorkspaceError):  # noqa: N818 - the name is the fact
    """A path that leaves the workspace, by itself or through a symbolic link."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path!r} is outside the workspace; name a path inside it.")
        self.path = path


class FileMissing(WorkspaceError):  # noqa: N818 - the name is the fact
    """A path without a file. Near matches are searched only when they are shown: that is slow on a
    large repository, and code that reads many files ignores those that are gone."""

    def __init__(self, path: str, suggest: Callable[[], Sequence[Suggestion]] = tuple) -> None:
        super().__init__(path)
        self.path = path
        self._suggest = suggest

    @cached_property
    def suggestions(self) -> tuple[Suggestion, ...]:
        """Near matches, best first. Blocking."""
        return tuple(self._suggest())

    def __str__(self) -> str:
        near = self.suggestions
        hint = f"; did you mean {near[0].path!r}?" if near else "."
        return f"There is no file {self.path!r} in the workspace{hint}"


class Unreadable(WorkspaceError):  # noqa: N818 - the name is the fact
    """A file that exists but is not read; ``why`` completes "it ..."."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path!r} is not read: it {why}.")
        self.path = path
        self.why = why
