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
    return Path(settings.cache_dir).expanduser() if settings.cache_dir else _of_user()


def folder_around(cache_dir: str, folders: Iterable[Path]) -> Path | None:
    """The folder of a workspace that a cache folder would lie in, links resolved; whoever loads
    settings refuses such a one. None for a folder that the user's own cache folder lies in as well
    (the home folder): there is nothing better to go by. None, too, where the current folder is
    gone that they are relative to: such a workspace cannot be opened, which is told then."""
    try:
        chosen, own = os.path.realpath(Path(cache_dir).expanduser()), os.path.realpath(_of_user())
        for folder in folders:
            real = os.path.realpath(folder)
            if Path(chosen).is_relative_to(real) and not Path(own).is_relative_to(real):
                return folder
    except OSError:
        pass
    return None


def _of_user() -> Path:
    return platformdirs.user_cache_path("sightline", appauthor=False)
