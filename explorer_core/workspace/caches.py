"""Where Sightline stores what it writes: never inside a workspace, where it would be listed and
searched like code."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import platformdirs

from explorer_core.contracts import Settings


def cache_root(settings: Settings) -> Path:
    """The cache folder in the settings, else the user's cache folder."""
    return Path(settings.cache_dir).expanduser() if settings.cache_dir else _user_cache_folder()


def workspace_folder_containing(cache_dir: str, folders: Iterable[Path]) -> Path | None:
    """The workspace folder that would contain a cache folder, with links resolved, or None.

    Settings with a cache folder inside a workspace are refused. A workspace folder that contains
    the user's own cache folder too (such as the home folder) is accepted. None also if the current
    folder, which relative paths start from, is gone: such a workspace cannot be opened, and that is
    reported then."""
    try:
        chosen, user_cache = (
            os.path.realpath(Path(cache_dir).expanduser()),
            os.path.realpath(_user_cache_folder()),
        )
        for folder in folders:
            real = os.path.realpath(folder)
            if Path(chosen).is_relative_to(real) and not Path(user_cache).is_relative_to(real):
                return folder
    except OSError:
        pass
    return None


def _user_cache_folder() -> Path:
    return platformdirs.user_cache_path("sightline", appauthor=False)
