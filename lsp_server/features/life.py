"""The beginning and the end of a session."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from lsp_server.features.folders import initial_folders
from lsp_server.features.settings import ask_settings, editor_settings

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer


def register(server: SightlineServer) -> None:
    """Start the session with ``initialize``; stop everything at ``shutdown``."""

    @server.feature(types.INITIALIZE)
    async def initialize(ls: SightlineServer, params: types.InitializeParams) -> None:
        ls.session.encoding = (
            ls.protocol.workspace.position_encoding or types.PositionEncodingKind.Utf16
        )
        ls.session.workspace.use_initial_settings(editor_settings(params.initialization_options))
        await ls.session.workspace.use_folders(initial_folders(params))

    @server.feature(types.INITIALIZED)
    async def initialized(ls: SightlineServer, params: types.InitializedParams) -> None:
        await asyncio.gather(ask_settings(ls), ls.watcher.start())
        await ls.session.workspace.keep_open()

    @server.feature(types.SHUTDOWN)
    async def shutdown(ls: SightlineServer, params: None) -> None:
        await ls.session.close()
