"""Globs over workspace-relative paths, as git understands them."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, cast

from pathspec import GitIgnoreSpec

from explorer_core.workspace.errors import WorkspaceError
from explorer_core.workspace.patterns import any_of, spec_of


def in_scope(path: str, scope: Sequence[str]) -> bool:
    """Whether ``path`` matches a glob, and none that starts with ``!``. Without globs all match.

    A folder stands for everything below it. Raises WorkspaceError for a glob that git would reject.
    """
    globs = [glob for glob in (_normalized(glob) for glob in scope) if glob]
    included = tuple(glob for glob in globs if not glob.startswith("!"))
    excluded = tuple(glob[1:] for glob in globs if glob.startswith("!"))
    if excluded and _spec(excluded).match_file(path):
        return False
    return not included or _spec(included).match_file(path)


def matches_any(path: str, globs: tuple[str, ...]) -> bool:
    """Whether any glob matches, ignoring case."""
    prefilter, spec = _case_insensitive_spec(globs)
    path = path.lower()
    return prefilter.match(path) is not None and spec.match_file(path)


def glob_of(path: str) -> str:
    """A glob for a file or folder and everything below it. Characters special in globs become
    ``?``, since they cannot be escaped: a backslash is a separator on some systems."""
    return "/" + re.sub(r"[*?\[\]\\]|\s$", "?", path) if path != "." else "/**"


def _normalized(glob: str) -> str:
    glob = glob.strip()
    if os.sep == "\\":
        glob = glob.replace("\\", "/")
    glob = "" if glob == "!" else glob.removeprefix("./")
    return "\\" + glob if glob.startswith("#") else glob


@lru_cache(maxsize=64)
def _spec(globs: tuple[str, ...]) -> GitIgnoreSpec:
    try:
        return spec_of(globs)
    except (ValueError, re.error) as error:
        raise WorkspaceError(f"A glob in {', '.join(globs)} cannot be read: {error}.") from error


@lru_cache(maxsize=8)
def _case_insensitive_spec(globs: tuple[str, ...]) -> tuple[re.Pattern[str], GitIgnoreSpec]:
    """The globs as a spec, and as one regular expression that rejects most paths much faster."""
    spec = _spec(tuple(glob.lower() for glob in globs))
    regexes = (cast("Any", pattern).regex for pattern in spec.patterns)
    return any_of(regex for regex in regexes if regex is not None), spec
