"""The first look through a never-indexed workspace: lists its files, and selects those that matter.

It can start before there is an index, while the rest of the program loads.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from explorer_core.channels.question.query import Query
from explorer_core.channels.readiness.first_files import Aside, files_that_matter
from explorer_core.workspace import FileEntry, Workspace

SMALL = 400
"""A workspace with at most this many files is faster to index completely than to search first."""


@dataclass(frozen=True, slots=True)
class _RunningSearch:
    query: Query
    scope: Sequence[str]
    paths: asyncio.Task[list[str]]


@dataclass(frozen=True, slots=True)
class FirstLook:
    """The files of a workspace, listed once for a question, since that is slow on a large one."""

    workspace: Workspace
    files: Sequence[FileEntry]
    _running: _RunningSearch | None = None

    @property
    def is_small(self) -> bool:
        return len(self.files) <= SMALL

    def started(self, query: Query, scope: Sequence[str], aside: Aside) -> FirstLook:
        """A copy whose search for the files that matter to a question is already running, unless
        the workspace is small. Needs a running event loop."""
        if self.is_small:
            return self
        search = asyncio.create_task(self._search(query, scope, aside))
        return FirstLook(self.workspace, self.files, _RunningSearch(query, scope, search))

    async def files_that_matter(
        self, query: Query, scope: Sequence[str], aside: Aside
    ) -> list[str]:
        """The paths of the files that matter to a question, best first."""
        started = self._running
        if started and (started.query, started.scope) == (query, scope):
            return await started.paths
        return await self._search(query, scope, aside)

    async def _search(self, query: Query, scope: Sequence[str], aside: Aside) -> list[str]:
        return await files_that_matter(
            self.workspace, self.files, query, scope=scope, aside=aside(query.title)
        )


async def first_look(workspace: Workspace) -> FirstLook:
    """List the files. Raises EmptyWorkspace."""
    return FirstLook(workspace, await asyncio.to_thread(workspace.require_files))
