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
    BEAT_S,
    LINE_LIMIT_BYTES,
    Call,
    ExploreCall,
    Hello,
    Proof,
    Told,
    line,
)
from lsp_server.executing.surveying import survey
from lsp_server.protocol import BadRequest, SurveyParams, error_sentence

if TYPE_CHECKING:
    from explorer_core.events import Event
    from lsp_server.session import Session
    from lsp_server.workspace.opened import OpenedWorkspace

logger = logging.getLogger(__name__)

_FIRST_LINES_S = 5.0
_CALLS = 32
"""Most concurrent calls; further ones wait."""
_LOOK_S = 5.0
"""Seconds between checks whether the endpoint file still exists."""

Tell = Callable[[Told], None]


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


async def _beat(tell: Tell) -> None:
    """Send the caller heartbeats while it waits, to show that this process is not hung."""
    while True:
        tell(Told(event={}))
        await asyncio.sleep(BEAT_S)


class Listener:
    """Listens at the endpoint of one workspace."""

    def __init__(self, session: Session, opened: OpenedWorkspace) -> None:
        self._session = session
        self._opened = opened
        self._path = endpoint_path(opened.workspace)
        self._endpoint: Endpoint | None = None
        self._server: asyncio.Server | None = None
        self._turn = asyncio.Semaphore(_CALLS)
        self._running: set[asyncio.Task[None]] = set()
        self._closing = asyncio.Event()
        self._staying: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Listen and write the endpoint file. Raises OSError."""
        server = await asyncio.start_server(self._client, LOOPBACK, 0, limit=LINE_LIMIT_BYTES)
        self._server = server
        self._endpoint = Endpoint.here(server.sockets[0].getsockname()[1])
        await asyncio.to_thread(publish, self._endpoint, self._path)
        self._staying = asyncio.create_task(self._stay(self._endpoint))

    async def _stay(self, endpoint: Endpoint) -> None:
        """Restore the file when it is gone: if several servers have opened one workspace, the last
        one overwrites the file of the others, and removes it when it closes."""
        while not self._closing.is_set():
            with contextlib.suppress(OSError):
                if not await asyncio.to_thread(self._path.exists):
                    await asyncio.to_thread(publish, endpoint, self._path)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), _LOOK_S)

    async def close(self) -> None:
        """Remove the file, if it was written, and cancel every call."""
        self._closing.set()
        if self._staying is not None:
            await self._staying
        if self._endpoint is not None:
            await asyncio.to_thread(withdraw, self._endpoint, self._path)
        if self._server is not None:
            self._server.close()
        for task in self._running:
            task.cancel()
        if self._running:
            await asyncio.wait(self._running, timeout=5)

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        try:
            asked = await self._asked(reader, writer)
            if asked is not None:
                await self._answer_or_leave(asked, reader, writer)
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _asked(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> Call | None:
        """The call, if it arrives in time and with the right token, otherwise None; other callers
        get no answer."""
        endpoint = self._endpoint
        if endpoint is None:
            return None
        try:
            async with asyncio.timeout(_FIRST_LINES_S):
                hello = Hello.model_validate_json(await reader.readline())
                writer.write(line(Proof(proof=endpoint.proof(hello.nonce))))
                asked = Call.model_validate_json(await reader.readline())
        except (TimeoutError, ValueError, ValidationError):
            return None
        return asked if endpoint.admits(asked.token) else None

    async def _answer_or_leave(
        self, asked: Call, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Answer the call, unless the caller disconnects first."""

        def tell(told: Told) -> None:
            writer.write(line(told))

        async def in_turn() -> Told:
            async with self._turn:
                return await self._answer(asked, tell)

        answering = asyncio.ensure_future(in_turn())
        leaving = asyncio.ensure_future(reader.read(1))
        beating = asyncio.ensure_future(_beat(tell))
        try:
            await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if answering.done():
                writer.write(line(answering.result()))
                await writer.drain()
        finally:
            for each in (answering, leaving, beating):
                each.cancel()
            await asyncio.wait({answering, leaving, beating})

    async def _answer(self, asked: Call, tell: Tell) -> Told:
        from explorer_core.errors import ExploreError

        methods: dict[str, Callable[[dict[str, Any], Tell], Awaitable[dict[str, Any]]]] = {
            "explore": self._explore,
            "read": self._read,
            "survey": self._survey,
        }
        try:
            return Told(result=await methods[asked.method](asked.params, tell))
        except ValidationError as error:
            return Told(problem=error_sentence(error))
        except (BadRequest, ExploreError, WorkspaceError) as error:
            return Told(problem=str(error))
        except Exception:
            logger.exception("A call from another program failed.")
            return Told(problem="The language server could not answer; its log says why.")

    async def _explore(self, params: dict[str, Any], tell: Tell) -> dict[str, Any]:
        def told(event: Event) -> None:
            tell(Told(event={"message": event.message, "fraction": event.fraction}))

        asked = ExploreCall.model_validate(params)
        async with self._session.using() as opened:
            if asked.earlier is not None:
                opened.explorer.recall(asked.earlier)
            live = await self._session.explore(asked.request, on_event=told, shown=False)
        return live.report.model_dump(mode="json", by_alias=True)

    async def _read(self, params: dict[str, Any], tell: Tell) -> dict[str, Any]:
        source = await asyncio.to_thread(self._opened.workspace.read, str(params["path"]))
        return {"path": source.path, "lines": list(source.lines)}

    async def _survey(self, params: dict[str, Any], tell: Tell) -> dict[str, Any]:
        def told(message: str, fraction: float | None) -> None:
            tell(Told(event={"message": message, "fraction": fraction}))

        async with self._session.using() as opened:
            asked = SurveyParams.model_validate(params)
            with garbage.collecting_afterwards():
                summary = await survey(opened.explorer, asked, told)
        return summary.model_dump(mode="json", by_alias=True)
