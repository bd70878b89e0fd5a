"""Inlay hints at the end of quoted lines, if the setting ``inlay_hints`` is on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from lsp_server.convert import to_lines

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer


def register(server: SightlineServer) -> None:
    """Add inlay hints."""

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def hints(ls: SightlineServer, params: types.InlayHintParams) -> list[types.InlayHint] | None:
        opened = ls.session.workspace.opened
        if opened is None or not opened.settings.inlay_hints:
            return None
        requested_lines = to_lines(params.range)
        return [
            types.InlayHint(
                position=ls.session.range(step.link.path, step.link.quote_range).end,
                label=f"{step.index + 1}/{step.count} {step.link.role}".rstrip(),
                padding_left=True,
            )
            for step in ls.session.steps(params.text_document.uri)
            if not step.link.stale and requested_lines.overlaps(step.link.quote_range)
        ]
