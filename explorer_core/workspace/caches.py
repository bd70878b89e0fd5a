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
    """The workspace folder that a cache folder would lie in, links resolved; settings with such a
    cache folder are refused. A folder that holds the user's own cache folder too (the home folder)
    is no reason to refuse one. None as well where the current folder, which the paths are relative
    to, is gone: such a workspace cannot be opened, and that is reported then."""
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
