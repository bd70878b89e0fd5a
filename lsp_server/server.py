"""The language server. Wiring only: each feature is a module in `lsp_server/features`."""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from explorer_core import __version__
from lsp_server.attached.serving import attach
from lsp_server.compilers.connect import connect, language_model
from lsp_server.compilers.consent import Consent
from lsp_server.connection.dispatch import SightlineProtocol
from lsp_server.connection.greeting import SERVER_NAME
from lsp_server.features import (
    code_action,
    code_lens,
    documents,
    explore,
    explore_at,
    folders,
    follow_up,
    highlight,
    hover,
    inlay_hint,
    life,
    maintenance,
    navigation,
    report_commands,
    report_content,
    report_links,
    settings,
    survey,
    watching,
)
from lsp_server.features.refresh import Refresher
from lsp_server.session import Session
from lsp_server.workspace.opened import OpenedWorkspace

logger = logging.getLogger(__name__)


_FEATURES = (
    code_action,
    code_lens,
    documents,
    explore,
    explore_at,
    folders,
    follow_up,
    highlight,
    hover,
    inlay_hint,
    life,
    maintenance,
    navigation,
    report_commands,
    report_content,
    report_links,
    settings,
    survey,
    watching,
)


class SightlineServer(LanguageServer):
    """The server for one client. Must be constructed on a running event loop."""

    protocol: SightlineProtocol  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__(SERVER_NAME, __version__, protocol_cls=SightlineProtocol)  # pyright: ignore[reportUnknownMemberType]
        self.refresher = Refresher(self)
        self.session = Session(
            self._warn, self.refresher.schedule, self._opened, partial(language_model, self)
        )
        self.consent = Consent(self)
        self.watcher = watching.Watcher(self)
        for feature in _FEATURES:
            feature.register(self)

    async def close(self) -> None:
        """Stop everything that still runs for this client."""
        self.refresher.stop()
        self.watcher.stop()
        self.consent.stop()
        await self.session.close()
        super().shutdown()

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log an error in a notification. The user did not ask for it, so no message is shown."""
        logger.warning("%s: %s", getattr(source, "__name__", source), error)

    def _opened(self, opened: OpenedWorkspace) -> None:
        connect(self, opened)
        attach(self.session, opened)

    def _warn(self, message: str) -> None:
        self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))
