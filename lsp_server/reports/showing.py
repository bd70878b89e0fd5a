"""Opens a place in the editor, if the editor supports that."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer

_ANSWER_TIMEOUT_S = 5.0


async def show(
    ls: SightlineServer, uri: str, selection: types.Range | None = None, *, focus: bool = True
) -> bool:
    """Open ``uri`` in the editor. False if that failed or is not supported."""
    window = ls.client_capabilities.window
    if window is None or window.show_document is None or not window.show_document.support:
        return False
    params = types.ShowDocumentParams(uri, take_focus=focus, selection=selection)
    try:
        answer = await asyncio.wait_for(
            ls.window_show_document_async(params), timeout=_ANSWER_TIMEOUT_S
        )
    except (JsonRpcException, TimeoutError):
        return False
    return bool(answer and answer.success)
