"""Work-done progress, with the client's token, or one of ours if the client supports that."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer

_CREATE_TIMEOUT_S = 2.0
_TITLE = "Sightline"


class WorkDone:
    """Work whose progress the user can watch and cancel. Silent until the token is accepted."""

    def __init__(self, server: SightlineServer) -> None:
        self._server = server
        self._token: types.ProgressToken | None = None
        self.cancelled = False

    @property
    def _tokens(self) -> dict[types.ProgressToken, Future[None]]:
        """pygls' own table; pygls cancels the future of a token when the client cancels it."""
        return cast("Any", self._server.work_done_progress).tokens

    def report(self, message: str, fraction: float | None) -> None:
        """Report what is being done; ``fraction`` is the share done so far, 0 to 1."""
        if self._token is not None:
            percentage = None if fraction is None else round(100 * min(max(fraction, 0), 1))
            value = types.WorkDoneProgressReport(
                cancellable=True, message=message, percentage=percentage
            )
            self._server.work_done_progress.report(self._token, value)

    def begin(self, token: types.ProgressToken, on_cancel: Callable[[], object]) -> None:
        value = types.WorkDoneProgressBegin(title=_TITLE, cancellable=True, percentage=0)
        self._server.work_done_progress.begin(token, value)
        self._token = token

        def on_done(future: object) -> None:
            if self._token is not None:
                self.cancelled = True
                on_cancel()

        self._tokens[token].add_done_callback(on_done)

    def end(self) -> None:
        token, self._token = self._token, None
        if token is not None:
            self._server.work_done_progress.end(token, types.WorkDoneProgressEnd())
            self._tokens.pop(token, None)


@asynccontextmanager
async def work_done(
    server: SightlineServer,
    token: types.ProgressToken | None,
    on_cancel: Callable[[], object],
) -> AsyncGenerator[WorkDone]:
    """Shows progress for the duration of the body; ``on_cancel`` is called when the user cancels
    it."""
    work = WorkDone(server)
    creating: asyncio.Task[None] | None = None
    if token is not None:
        work.begin(token, on_cancel)
    elif (window := server.client_capabilities.window) and window.work_done_progress:
        creating = asyncio.create_task(_create(server, work, on_cancel))
    try:
        yield work
    finally:
        if creating is not None:
            creating.cancel()
        work.end()


async def _create(server: SightlineServer, work: WorkDone, on_cancel: Callable[[], object]) -> None:
    token = str(uuid.uuid4())
    try:
        creating: Awaitable[Any] = cast("Any", server.work_done_progress).create_async(token)
        await asyncio.wait_for(creating, timeout=_CREATE_TIMEOUT_S)
    except (JsonRpcException, TimeoutError):
        return
    work.begin(token, on_cancel)
