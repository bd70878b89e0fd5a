"""An open workspace: an explorer over certain folders and settings."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer_core.contracts import Settings
from explorer_core.workspace import Workspace, WorkspaceError
from lsp_server.convert import Folder, Places, is_outside_workspace, uri_to_path
from lsp_server.protocol import BadRequest
from lsp_server.workspace import configuration
from lsp_server.workspace.opening import globs_within, open_workspace

if TYPE_CHECKING:
    from explorer_core.channels.compiler import Compiler
    from explorer_core.explorer import Explorer
    from explorer_core.judges.models.editor import AskEditor

_MAX_CACHED_PATHS = 4096


@dataclass(slots=True)
class OpenedWorkspace:
    """An open workspace. It is closed once it is ``retired`` and has no ``users`` left.

    ``fallback_compiler`` costs more than it adds to most answers, so it is asked only about what
    the ``compilers`` leave open.
    """

    workspace: Workspace
    explorer: Explorer
    places: Places
    problems: tuple[str, ...]
    users: int = 0
    retired: bool = False
    compilers: list[Compiler] = field(default_factory=list["Compiler"])
    fallback_compiler: Compiler | None = None
    closers: list[Callable[[], Awaitable[None]]] = field(
        default_factory=list["Callable[[], Awaitable[None]]"]
    )
    _paths: dict[str, str | None] = field(default_factory=dict[str, str | None])

    async def close(self) -> None:
        """Close the explorer and everything that was opened with it."""
        await asyncio.gather(self.explorer.close(), *(close() for close in self.closers))

    @property
    def settings(self) -> Settings:
        return self.workspace.settings

    def path(self, uri: str) -> str | None:
        """The workspace path of the file at ``uri``, however the client spells it; None outside the
        workspace."""
        if uri not in self._paths:
            if len(self._paths) >= _MAX_CACHED_PATHS:
                self._paths.clear()
            self._paths[uri] = self._find_path(uri)
        return self._paths[uri]

    def _find_path(self, uri: str) -> str | None:
        file = uri_to_path(uri)
        path_in_client = self.places.path(uri) or (str(file) if file else None)
        if path_in_client is None:
            return None
        try:
            return self.workspace.relative(path_in_client)
        except (WorkspaceError, ValueError):
            return None

    def globs(self, uri: str) -> tuple[str, ...]:
        """Globs for a file, or a folder and its contents; empty outside the workspace."""
        path = self.path(uri)
        return () if path is None else globs_within(self.workspace, path)

    async def texts(self, paths: Collection[str]) -> dict[str, Sequence[str] | None]:
        """The current lines of files, unsaved text first; None for a file that is gone."""
        read = await asyncio.to_thread(self._read, paths)
        # Unsaved text may be newer than what the thread has just read.
        unsaved = {path: self.workspace.overlays.source(path) for path in paths}
        return read | {path: text.lines for path, text in unsaved.items() if text is not None}

    def _read(self, paths: Iterable[str]) -> dict[str, Sequence[str] | None]:
        lines: dict[str, Sequence[str] | None] = {}
        for path in paths:
            try:
                lines[path] = self.workspace.read(path).lines
            except WorkspaceError:
                lines[path] = None
        return lines


def path_moves(
    paths: Iterable[str], before: OpenedWorkspace, now: OpenedWorkspace
) -> dict[str, str]:
    """Maps paths of one workspace to those of the same files in another.

    A file in none of its folders gets its absolute path. That cannot be confused with a path of the
    workspace, and it identifies the file if its folder comes back.
    """
    return {path: _new_path(path, before, now) for path in paths}


def _new_path(path: str, before: OpenedWorkspace, now: OpenedWorkspace) -> str:
    try:
        uri = Path(path).as_uri() if is_outside_workspace(path) else before.places.uri(path)
    except ValueError:
        return path
    file = uri_to_path(uri)
    return now.path(uri) or (path if file is None else file.as_posix())


def build(
    folders: tuple[Folder, ...],
    editor_settings: Mapping[str, Any],
    ask_editor: AskEditor | None = None,
) -> OpenedWorkspace:
    """Open a workspace; blocking. Raises `BadRequest`."""
    # Imported late: the core takes longer to load than a client should wait for `initialize`.
    from explorer_core.explorer import Explorer

    paths = [str(folder.path) for folder in folders]
    loaded = configuration.load(paths, editor=editor_settings)
    try:
        workspace, missing = open_workspace(paths, loaded.settings)
    except WorkspaceError as error:
        raise BadRequest(str(error)) from error
    folder_by_root = {Path(os.path.realpath(folder.path)): folder for folder in reversed(folders)}
    places = Places(tuple((root.name, folder_by_root[root.path]) for root in workspace.roots))
    problems = (*missing, *(problem.message for problem in loaded.diagnostics))
    return OpenedWorkspace(workspace, Explorer(workspace, ask_editor=ask_editor), places, problems)
