"""Document links in a report's document: every place is a link to its file and line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types

from lsp_server.convert import split_lines, width
from lsp_server.reports.report_document import markdown, report_id_of

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer

_LINK = re.compile(r"\[(?P<shown>`+[^`]+`+)\]\(<(?P<target>[^>]+)>\)")


def register(server: SightlineServer) -> None:
    """Add document links."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    def links(
        ls: SightlineServer, params: types.DocumentLinkParams
    ) -> list[types.DocumentLink] | None:
        uri = params.text_document.uri
        report_id = report_id_of(ls, uri)
        live = ls.session.reports.get(report_id) if report_id else None
        if live is None:
            return None
        text = ls.session.documents.get(uri) or markdown(ls, live)
        return [
            types.DocumentLink(_range(ls, line, text, found), target=found["target"])
            for line, text in enumerate(split_lines(text))
            for found in _LINK.finditer(text)
        ]


def _range(ls: SightlineServer, line: int, text: str, found: re.Match[str]) -> types.Range:
    start, end = (
        types.Position(line, width(text[: found.start("shown")], ls.session.encoding)),
        types.Position(line, width(text[: found.end("shown")], ls.session.encoding)),
    )
    return types.Range(start, end)
