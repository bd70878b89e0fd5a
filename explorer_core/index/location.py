"""Where the index of a workspace is kept; and the workers of one that is still to be built.

What is imported here is little: while workers start, the program that asked for them goes on
loading the rest of itself.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from explorer_core.index.workers.pool import Pool
from explorer_core.workspace import Workspace
from explorer_core.workspace.caches import cache_root

_AHEAD = 2
"""Workers for a workspace of which nothing is known yet, perhaps a small one."""


def workers_ahead(workspace: Workspace) -> Pool | None:
    """Workers that are starting, if the workspace has no index yet."""
    if store_path(workspace).exists():
        return None
    pool = Pool(workspace.settings.index_workers)
    pool.warm(most=_AHEAD)
    return pool


def store_path(workspace: Workspace) -> Path:
    """Where the index of a workspace is kept."""
    roots = "\n".join(f"{root.name}\0{root.path}" for root in workspace.roots)
    digest = hashlib.sha256(roots.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return cache_root(workspace.settings) / "index" / f"{digest}.sqlite"
