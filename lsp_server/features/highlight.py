"""Document highlights: on a quoted line, all quoted lines of that report in the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer


def register(server: SightlineServer) -> None:
    """Add document highlights. Off quoted lines there are none, which leaves the highlighting to
    the user's language server."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(
        ls: SightlineServer, params: types.DocumentHighlightParams
    ) -> list[types.DocumentHighlight] | None:
        line = params.position.line + 1
        steps = [s for s in ls.session.steps(params.text_document.uri) if not s.link.stale]
        reports = {step.live.id for step in steps if line in step.link.quote_range}
        quoted = {s.link.quote_range.start: s.link for s in steps if s.live.id in reports}
        return [
            types.DocumentHighlight(
                ls.session.range(link.path, link.quote_range), types.DocumentHighlightKind.Text
            )
            for _, link in sorted(quoted.items())
        ] or None
