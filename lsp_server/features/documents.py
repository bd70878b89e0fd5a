"""Unsaved text: text search, graph and emission check see what the user sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer


def register(server: SightlineServer) -> None:
    """Follow the client's open documents."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: SightlineServer, params: types.DidOpenTextDocumentParams) -> None:
        ls.session.open_document(params.text_document.uri, params.text_document.text)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: SightlineServer, params: types.DidChangeTextDocumentParams) -> None:
        ls.session.change_document(params.text_document.uri, params.content_changes)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(ls: SightlineServer, params: types.DidCloseTextDocumentParams) -> None:
        path = ls.session.close_document(params.text_document.uri)
        if path is not None:
            await ls.session.update_reports([path])
