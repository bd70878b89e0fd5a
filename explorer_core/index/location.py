"""Where the index of a workspace is kept."""

from __future__ import annotations

import hashlib
from pathlib import Path

from explorer_core.workspace import Workspace
from explorer_core.workspace.caches import cache_root


def store_path(workspace: Workspace) -> Path:
    """Where the index of a workspace is kept."""
    roots = "\n".join(f"{root.name}\0{root.path}" for root in workspace.roots)
    digest = hashlib.sha256(roots.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return cache_root(workspace.settings) / "index" / f"{digest}.sqlite"
