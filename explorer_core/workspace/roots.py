"""The root folders of a workspace, and the mapping between its paths and those on disk."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer_core.workspace.errors import OutsideWorkspace, Unreadable, WorkspaceError


@dataclass(frozen=True, slots=True)
class Root:
    """One root folder of the workspace; ``path`` is resolved."""

    name: str
    path: Path


def open_roots(folders: Sequence[str | Path]) -> tuple[Root, ...]:
    """Roots with distinct names, without duplicates. Raises WorkspaceError for an unusable one."""
    if not folders:
        raise WorkspaceError("A workspace needs at least one folder.")
    roots: list[Root] = []
    for path in dict.fromkeys(_open_folder(folder) for folder in folders):
        stem = name = path.name or "root"
        number = 1
        while any(root.name == name for root in roots):
            number += 1
            name = f"{stem}-{number}"
        roots.append(Root(name, path))
    return tuple(roots)


def _open_folder(folder: str | Path) -> Path:
    try:
        path = Path(os.path.realpath(Path(folder).expanduser()))
        if not path.exists():
            raise WorkspaceError(f"There is no folder {str(folder)!r}; check the workspace path.")
        if not path.is_dir():
            raise WorkspaceError(f"{str(folder)!r} is not a folder; name the folder that holds it.")
        if _has_surrogates(str(path)):
            raise WorkspaceError(
                f"The path {str(path)!r} is not UTF-8, so no report can name it; rename the folder."
            )
        with os.scandir(path):
            # A folder may be listable but not enterable; a `Path` would drop the dot.
            os.stat(f"{path}{os.sep}.")  # noqa: PTH116
            return path
    except FileNotFoundError as error:  # the current folder, where a relative path starts, is gone
        raise WorkspaceError(
            f"The folder {str(folder)!r} no longer exists; change to another folder, or name one."
        ) from error
    except (OSError, ValueError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "bad path"
        raise WorkspaceError(
            f"The folder {str(folder)!r} cannot be read ({reason}); check its permissions."
        ) from error


def _has_surrogates(path: str) -> bool:
    """Whether a path contains bytes that are not UTF-8."""
    return any("\ud800" <= character <= "\udfff" for character in path)


def locate(path: str | Path, roots: tuple[Root, ...]) -> tuple[str, Path]:
    """The workspace-relative and the resolved path of a path given either way, existing or not.

    Relative paths are relative to the workspace. Both results are of the symbolic links' target, so
    that each file has one name. Raises OutsideWorkspace, and Unreadable for an unusable path.
    """
    path_text = str(path)
    try:
        resolved = Path(os.path.realpath(_absolute_path(path_text, roots)))
    except (OSError, ValueError) as error:
        raise Unreadable(path_text, "has a path that the system cannot resolve") from error
    inside = [root for root in roots if resolved.is_relative_to(root.path)]
    if not inside:
        raise OutsideWorkspace(path_text)
    root = max(inside, key=lambda root: len(root.path.parts))
    return workspace_path(root, resolved.relative_to(root.path).as_posix(), roots), resolved


def workspace_path(root: Root, below: str, roots: tuple[Root, ...]) -> str:
    """The workspace-relative form of ``below``, a path relative to ``root``."""
    if len(roots) == 1:
        return below
    return root.name if below == "." else f"{root.name}/{below}"


def by_root(
    paths: Collection[str], roots: tuple[Root, ...]
) -> Iterator[tuple[Root, str, list[str]]]:
    """For every root: its prefix in workspace paths, and those of ``paths`` below it, relative to
    it."""
    for root in roots:
        prefix = workspace_path(root, "", roots)
        yield root, prefix, [path.removeprefix(prefix) for path in paths if path.startswith(prefix)]


def _absolute_path(path_text: str, roots: tuple[Root, ...]) -> Path:
    if Path(path_text).is_absolute():
        return Path(path_text)
    if len(roots) == 1:
        return roots[0].path / path_text
    name, _, below = path_text.replace(os.sep, "/").removeprefix("./").partition("/")
    for root in roots:
        if root.name == name:
            return root.path / below
    raise OutsideWorkspace(path_text)
