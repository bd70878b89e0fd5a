"""Asks for the user's consent before a session's first use of the editor's model."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from lsp_server.compilers.editor import asks_for_consent_itself

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer

_ALLOW = "Allow"
_REFUSE = "Do not allow"
_QUESTION = (
    "Sightline is configured to use your editor's model. Your questions and excerpts from this"
    " folder's files would be sent to it. Allow this until the editor is closed?"
)


class NotAllowedError(Exception):
    """The user refused the use of the editor's model; the message is half a sentence."""


class Consent:
    """The user's answer, valid for the session. If the question was dismissed without an answer, it
    is asked again."""

    def __init__(self, ls: SightlineServer) -> None:
        self._ls = ls
        self._asking: asyncio.Task[str | None] | None = None

    async def require(self) -> None:
        """Return once the user has allowed it. Raises `NotAllowedError`.

        If the caller is cancelled, a later answer counts for the next question.
        """
        if asks_for_consent_itself(self._ls.client_capabilities.experimental):
            return
        if self._asking is None or (self._asking.done() and self._asking.result() is None):
            self._asking = asyncio.create_task(self._ask())
        if await asyncio.shield(self._asking) != _ALLOW:
            raise NotAllowedError("you did not allow its use")

    def stop(self) -> None:
        if self._asking is not None:
            self._asking.cancel()

    async def _ask(self) -> str | None:
        actions = [types.MessageActionItem(_ALLOW), types.MessageActionItem(_REFUSE)]
        params = types.ShowMessageRequestParams(types.MessageType.Info, _QUESTION, actions)
        try:
            answer = await self._ls.window_show_message_request_async(params)
        except JsonRpcException:
            return None
        return answer.title if answer else None
