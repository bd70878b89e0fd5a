"""The language server: wiring only. Each feature is a file in `lsp_server/features`."""

from __future__ import annotations

import logging
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from explorer_core import __version__
from lsp_server.dispatch import SightlineProtocol
from lsp_server.features import documents, explore, folders, life, settings
from lsp_server.session import Session

logger = logging.getLogger(__name__)


class SightlineServer(LanguageServer):
    """The server of one client. Build it on a running event loop."""

    protocol: SightlineProtocol  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__("sightline", __version__, protocol_cls=SightlineProtocol)  # pyright: ignore[reportUnknownMemberType]
        self.session = Session(self._warn)
        for feature in (documents, explore, folders, life, settings):
            feature.register(self)

    async def close(self) -> None:
        """End whatever still runs for this client."""
        await self.session.close()
        super().shutdown()

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Trouble with a notification goes to the log: nobody asked, so nobody is interrupted."""
        logger.warning("%s: %s", getattr(source, "__name__", source), error)

    def _warn(self, message: str) -> None:
        self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))
