"""``workspace/textDocumentContent``: the text of a report's virtual document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from lsp_server.reports.report_document import markdown, report_id_of

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer


def register(server: SightlineServer) -> None:
    """Serve virtual documents; the capability is added in `lsp_server.connection.dispatch`."""

    @server.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT)
    def content(
        ls: SightlineServer, params: types.TextDocumentContentParams
    ) -> types.TextDocumentContentResult:
        report_id = report_id_of(ls, params.uri)
        live = ls.session.reports.get(report_id) if report_id else None
        if live is None:
            raise JsonRpcInvalidParams(
                "That report is no longer available; ask its question again."
            )
        ls.refresher.note_sent_document(params.uri)
        return types.TextDocumentContentResult(text=markdown(ls, live))
