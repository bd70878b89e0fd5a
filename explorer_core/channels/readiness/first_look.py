"""The first look through a workspace that was never indexed: its files, and those that matter.

It may begin before there is an index, while the rest of the program loads.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from explorer_core.channels.question.query import Query
from explorer_core.channels.readiness.first_files import Aside, files_that_matter
from explorer_core.workspace import FileEntry, Workspace

SMALL = 400
"""A workspace of no more files is indexed whole sooner than it is searched."""


@dataclass(frozen=True, slots=True)
class _Begun:
    query: Query
    scope: Sequence[str]
    paths: asyncio.Task[list[str]]


@dataclass(frozen=True, slots=True)
class FirstLook:
    """The files of a workspace, listed once for a question: on a large one that takes its time."""

    workspace: Workspace
    files: Sequence[FileEntry]
    _begun: _Begun | None = None

    @property
    def is_small(self) -> bool:
        return len(self.files) <= SMALL

    def begun(self, query: Query, scope: Sequence[str], aside: Aside) -> FirstLook:
        """The same, and the search for the files that matter to a question is under way, if it
        takes one. There has to be a running event loop."""
        if self.is_small:
            return self
        search = asyncio.create_task(self._search(query, scope, aside))
        return FirstLook(self.workspace, self.files, _Begun(query, scope, search))

    async def files_that_matter(
        self, query: Query, scope: Sequence[str], aside: Aside
    ) -> list[str]:
        """The paths of the files that matter to a question, best first."""
        begun = self._begun
        if begun and (begun.query, begun.scope) == (query, scope):
            return await begun.paths
        return await self._search(query, scope, aside)

    async def _search(self, query: Query, scope: Sequence[str], aside: Aside) -> list[str]:
        return await files_that_matter(
            self.workspace, self.files, query, scope=scope, aside=aside(query.title)
        )


async def first_look(workspace: Workspace) -> FirstLook:
    """List the files. Raises EmptyWorkspace."""
    return FirstLook(workspace, await asyncio.to_thread(workspace.require_files))
