"""Where Sightline keeps what it writes: never inside of a workspace, where it would be listed and
searched like code."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import platformdirs

from explorer_core.contracts import Settings


def cache_root(settings: Settings) -> Path:
    """The folder that these settings name, else the user's cache folder."""
    if settings.cache_dir:
        return Path(settings.cache_dir).expanduser()
    return platformdirs.user_cache_path("sightline", appauthor=False)


def folder_around(cache_dir: str, folders: Iterable[Path]) -> Path | None:
    """The folder of a workspace that a cache folder would lie in, links resolved; whoever loads
    settings refuses such a one. None where the current folder is gone that they are relative to:
    that workspace cannot be opened, which is told where it is tried."""
    try:
        real = Path(os.path.realpath(Path(cache_dir).expanduser()))
        return next((each for each in folders if real.is_relative_to(os.path.realpath(each))), None)
    except OSError:
        return None
