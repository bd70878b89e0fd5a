"""Where Sightline keeps what it writes: never inside of a workspace."""

from __future__ import annotations

from pathlib import Path

import platformdirs

from explorer_core.contracts import Settings


def cache_root(settings: Settings) -> Path:
    """The folder that these settings name, else the user's cache folder."""
    if settings.cache_dir:
        return Path(settings.cache_dir).expanduser()
    return platformdirs.user_cache_path("sightline", appauthor=False)
