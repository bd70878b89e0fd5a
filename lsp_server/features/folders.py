"""The workspace's folders: those given in ``initialize``, and those added or removed later."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from lsp_server.convert import Folder

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer


def register(server: SightlineServer) -> None:
    """Follow the client's workspace folders."""

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def changed(ls: SightlineServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
        removed = {folder.uri.rstrip("/") for folder in params.event.removed}
        remaining = [folder for folder in ls.session.workspace.folders if folder.uri not in removed]
        await ls.session.workspace.use_folders([*remaining, *_folders(params.event.added)])


def initial_folders(params: types.InitializeParams) -> list[Folder]:
    """The folders in an ``initialize`` request, which may also name its root in older ways."""
    if params.workspace_folders:
        return _folders(params.workspace_folders)
    if params.root_uri:
        folder = Folder.of(params.root_uri)
        return [folder] if folder else []
    if params.root_path and Path(params.root_path).is_absolute():
        path = Path(params.root_path)
        return [Folder(path.as_uri(), path)]
    return []


def _folders(folders: Sequence[types.WorkspaceFolder]) -> list[Folder]:
    return [found for folder in folders if (found := Folder.of(folder.uri)) is not None]
