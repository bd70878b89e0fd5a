"""The server side: the language server answers other processes about its open workspace.

They see what the editor sees: unsaved text, its settings, its compilers. Their reports are kept
with those of the session but not shown, since the editor's user did not ask for them.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from explorer_core.workspace import WorkspaceError
from lsp_server import garbage
from lsp_server.attached.endpoint import LOOPBACK, Endpoint, endpoint_path, publish, withdraw
from lsp_server.attached.wire import (
    HEARTBEAT_S,
    LINE_LIMIT_BYTES,
    Call,
    ExploreCall,
    Hello,
    Proof,
    Reply,
    encode_line,
)
from lsp_server.executing.surveying import survey
from lsp_server.protocol import BadRequest, SurveyParams, error_sentence

if TYPE_CHECKING:
    from explorer_core.events import Event
    from lsp_server.session import Session
    from lsp_server.workspace.opened import OpenedWorkspace

logger = logging.getLogger(__name__)

_FIRST_LINES_LIMIT_S = 5.0
_MAX_CALLS = 32
"""Most concurrent calls; further ones wait."""
_FILE_CHECK_S = 5.0
"""Seconds between checks whether the endpoint file still exists."""

SendReply = Callable[[Reply], None]


def attach(session: Session, opened: OpenedWorkspace) -> None:
    """Listen for calls about a workspace that was just opened, until it is closed."""
    listener = Listener(session, opened)
    starting = asyncio.get_running_loop().create_task(_start(listener))

    async def close() -> None:
        # The file is written by a thread, which cannot be cancelled. Removed before that ends, it
        # would be written again for a closed listener.
        await asyncio.wait({starting})
        await listener.close()

    opened.closers.append(close)


async def _start(listener: Listener) -> None:
    try:
        await listener.start()
    except OSError as error:
        logger.warning("Other programs cannot reach this server: %s", error)
        await listener.close()


async def _send_heartbeats(send: SendReply) -> None:
    """Send the caller heartbeats while it waits, to show that this process is not hung."""
    while True:
        send(Reply(event={}))
        await asyncio.sleep(HEARTBEAT_S)


class Listener:
    """Listens at the endpoint of one workspace."""

    def __init__(self, session: Session, opened: OpenedWorkspace) -> None:
        self._session = session
        self._opened = opened
        self._path = endpoint_path(opened.workspace)
        self._endpoint: Endpoint | None = None
        self._server: asyncio.Server | None = None
        self._call_slots = asyncio.Semaphore(_MAX_CALLS)
        self._running: set[asyncio.Task[None]] = set()
        self._closing = asyncio.Event()
        self._republishing: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Listen and write the endpoint file. Raises OSError."""
        server = await asyncio.start_server(self._serve_client, LOOPBACK, 0, limit=LINE_LIMIT_BYTES)
        self._server = server
        self._endpoint = Endpoint.here(server.sockets[0].getsockname()[1])
        await asyncio.to_thread(publish, self._endpoint, self._path)
        self._republishing = asyncio.create_task(self._keep_published(self._endpoint))

    async def _keep_published(self, endpoint: Endpoint) -> None:
        """Restore the file when it is gone: if several servers have opened one workspace, the last
        one overwrites the file of the others, and removes it when it closes."""
        while not self._closing.is_set():
            with contextlib.suppress(OSError):
                if not await asyncio.to_thread(self._path.exists):
                    await asyncio.to_thread(publish, endpoint, self._path)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), _FILE_CHECK_S)

    async def close(self) -> None:
        """Remove the file, if it was written, and cancel every call."""
        self._closing.set()
        if self._republishing is not None:
            await self._republishing
        if self._endpoint is not None:
            await asyncio.to_thread(withdraw, self._endpoint, self._path)
        if self._server is not None:
            self._server.close()
        for task in self._running:
            task.cancel()
        if self._running:
            await asyncio.wait(self._running, timeout=5)

    async def _serve_client(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        try:
            call = await self._receive_call(reader, writer)
            if call is not None:
                await self._answer_unless_left(call, reader, writer)
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _receive_call(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> Call | None:
        """The call, if it arrives in time and with the right token, otherwise None; other callers
        get no answer."""
        endpoint = self._endpoint
        if endpoint is None:
            return None
        try:
            async with asyncio.timeout(_FIRST_LINES_LIMIT_S):
                hello = Hello.model_validate_json(await reader.readline())
                writer.write(encode_line(Proof(proof=endpoint.proof(hello.nonce))))
                call = Call.model_validate_json(await reader.readline())
        except (TimeoutError, ValueError, ValidationError):
            return None
        return call if endpoint.admits(call.token) else None

    async def _answer_unless_left(
        self, call: Call, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Answer the call, unless the caller disconnects first."""

        def send(reply: Reply) -> None:
            writer.write(encode_line(reply))

        async def answer_in_turn() -> Reply:
            async with self._call_slots:
                return await self._answer(call, send)

        answering = asyncio.ensure_future(answer_in_turn())
        leaving = asyncio.ensure_future(reader.read(1))
        heartbeats = asyncio.ensure_future(_send_heartbeats(send))
        try:
            await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if answering.done():
                writer.write(encode_line(answering.result()))
                await writer.drain()
        finally:
            for each in (answering, leaving, heartbeats):
                each.cancel()
            await asyncio.wait({answering, leaving, heartbeats})

    async def _answer(self, call: Call, send: SendReply) -> Reply:
        from explorer_core.errors import ExploreError

        methods: dict[str, Callable[[dict[str, Any], SendReply], Awaitable[dict[str, Any]]]] = {
            "explore": self._explore,
            "read": self._read,
            "survey": self._survey,
        }
        try:
            return Reply(result=await methods[call.method](call.params, send))
        except ValidationError as error:
            return Reply(problem=error_sentence(error))
        except (BadRequest, ExploreError, WorkspaceError) as error:
            return Reply(problem=str(error))
        except Exception:
            logger.exception("A call from another program failed.")
            return Reply(problem="The language server could not answer; its log says why.")

    async def _explore(self, params: dict[str, Any], send: SendReply) -> dict[str, Any]:
        def on_event(event: Event) -> None:
            send(Reply(event={"message": event.message, "fraction": event.fraction}))

        explore_call = ExploreCall.model_validate(params)
        async with self._session.workspace.using() as opened:
            if explore_call.earlier is not None:
                opened.explorer.remember_report(explore_call.earlier)
            live = await self._session.explore(explore_call.request, on_event=on_event, shown=False)
        return live.report.model_dump(mode="json", by_alias=True)

    async def _read(self, params: dict[str, Any], send: SendReply) -> dict[str, Any]:
        source = await asyncio.to_thread(self._opened.workspace.read, str(params["path"]))
        return {"path": source.path, "lines": list(source.lines)}

    async def _survey(self, params: dict[str, Any], send: SendReply) -> dict[str, Any]:
        def on_progress(message: str, fraction: float | None) -> None:
            send(Reply(event={"message": message, "fraction": fraction}))

        async with self._session.workspace.using() as opened:
            survey_params = SurveyParams.model_validate(params)
            with garbage.collecting_afterwards():
                summary = await survey(opened.explorer, survey_params, on_progress)
        return summary.model_dump(mode="json", by_alias=True)
