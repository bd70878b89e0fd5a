"""One worker process shared by all tests that index in the test process.

Starting a worker takes a second of CPU time, indexing a fixture a hundredth of that.
"""

from __future__ import annotations

import atexit
from pathlib import Path

import pytest

from explorer_core.channels.readiness.first_look import FirstLook
from explorer_core.explorer import Explorer
from explorer_core.index import index
from explorer_core.index.index import Index
from explorer_core.index.location import store_path
from explorer_core.index.workers import pool
from explorer_core.index.workers.pool import Pool
from explorer_core.judges.models.editor import AskEditor
from explorer_core.workspace import Workspace


class _Lasting(Pool):
    """A shared pool: closing it has no effect."""

    def close(self) -> None: ...


POOL = _Lasting(1)
atexit.register(POOL.shrink, 0)


def index_of(workspace: Workspace, path: Path | None = None) -> Index:
    """The index of a workspace, by default in its usual place. Closing it keeps the worker."""
    return Index(workspace, path or store_path(workspace), POOL)


def explorer_of(
    workspace: Workspace,
    *,
    ask_editor: AskEditor | None = None,
    first_look: FirstLook | None = None,
) -> Explorer:
    """An explorer of a workspace. Closing it keeps the worker running."""
    return Explorer(
        workspace, index=index_of(workspace), ask_editor=ask_editor, first_look=first_look
    )


def serve_all(patch: pytest.MonkeyPatch) -> None:
    """Make code in this process use the shared worker instead of starting its own."""
    for module in (pool, index):
        patch.setattr(module, "Pool", lambda *_: POOL)
