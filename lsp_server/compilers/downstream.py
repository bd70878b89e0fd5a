"""Runs one language server over standard streams.

It is started by the first request, restarted after a crash with growing pauses, and ended with its
workspace. Its standard error is drained.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import os
import signal
import sys
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, cast

from lsprotocol.types import PositionEncodingKind

from explorer_core.index.languages import language_of
from explorer_core.workspace import SourceText
from lsp_server.background import BackgroundTasks
from lsp_server.convert import Encoding

logger = logging.getLogger(__name__)

_START_LIMIT_S = 30.0
_SHUTDOWN_LIMIT_S = 2.0
_FIRST_PAUSE_S = 1.0
_LONGEST_PAUSE_S = 60.0
_OPEN_FILES = 20
_LIMIT_BYTES = 64 * 1024 * 1024
_NO_METHOD = -32601
_NO_LANGUAGE = "plaintext"
_HIERARCHIES = {
    "incomingCalls": ("textDocument/prepareCallHierarchy", "callHierarchy/incomingCalls"),
    "outgoingCalls": ("textDocument/prepareCallHierarchy", "callHierarchy/outgoingCalls"),
    "supertypes": ("textDocument/prepareTypeHierarchy", "typeHierarchy/supertypes"),
    "subtypes": ("textDocument/prepareTypeHierarchy", "typeHierarchy/subtypes"),
}
_METHODS = {
    "definition": "textDocument/definition",
    "references": "textDocument/references",
    "implementations": "textDocument/implementation",
    "documentSymbols": "textDocument/documentSymbol",
    "workspaceSymbols": "workspace/symbol",
}
SUPPORTED_METHODS = frozenset(_METHODS) | frozenset(_HIERARCHIES)

ReadText = Callable[[str], Awaitable[SourceText | None]]


class LanguageServer:
    """One language server process. ``text_of`` returns the text of a document by its URI, unsaved
    text first."""

    def __init__(
        self, command: Sequence[str], root: Path, root_uri: str, text_of: ReadText
    ) -> None:
        self.command = tuple(command)
        self.encoding: Encoding = PositionEncodingKind.Utf16
        self._root, self._root_uri = root, root_uri
        self._text_of = text_of
        self._process: asyncio.subprocess.Process | None = None
        self._background = BackgroundTasks()
        self._pending: dict[int, asyncio.Future[Any]] = {}
        self._request_ids = itertools.count(1)
        self._open_documents: OrderedDict[str, str] = OrderedDict()
        self._starting = asyncio.Lock()
        self._crashes = 0
        self._earliest_restart = 0.0
        self._started_at = 0.0
        self._closed = False

    @property
    def is_running(self) -> bool:
        return self._process is not None

    async def ask(self, method: str, params: dict[str, Any]) -> Any:
        """Send one request, given by its short name, and return the result. Raises OSError if the
        server does not run."""
        await self._ensure_started()
        if (document := params.get("textDocument")) is not None:
            await self._open(document["uri"])
        if method not in _HIERARCHIES:
            return await self._request(_METHODS[method], params)
        prepare, follow = _HIERARCHIES[method]
        items = await self._request(prepare, params)
        if not isinstance(items, list):  # null, or an invalid answer
            return []
        return [await self._request(follow, {"item": item}) for item in cast("list[Any]", items)]

    async def close(self) -> None:
        """End the server: first as the protocol prescribes, then by force."""
        self._closed = True
        process = self._process
        if process is not None:
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(_SHUTDOWN_LIMIT_S):
                    await self._request("shutdown", None)
                    self._send({"method": "exit"})
                    await process.wait()
            await self._kill(process)
        await self._background.wait(at_most_s=_SHUTDOWN_LIMIT_S)  # they end with the server
        self._background.cancel()

    # life

    async def _ensure_started(self) -> None:
        async with self._starting:
            if self._closed:
                raise OSError("it was closed")
            if self.is_running:
                return
            if time.monotonic() < self._earliest_restart:
                raise OSError("it crashed and will be restarted later")
            try:
                async with asyncio.timeout(_START_LIMIT_S):
                    await self._start()
            except (OSError, TimeoutError, ValueError) as error:
                if (process := self._process) is not None:
                    self._note_end()
                    await self._kill(process)
                raise OSError(f"{self.command[0]} does not start") from error

    async def _start(self) -> None:
        self._open_documents.clear()
        try:
            self._process = process = await asyncio.create_subprocess_exec(
                *self.command,
                cwd=self._root,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=_LIMIT_BYTES,
                start_new_session=sys.platform != "win32",
            )
        except (OSError, ValueError):
            self._note_end()
            raise
        if self._closed:  # `close` ran before there was a process
            raise OSError("it was closed")
        self._background.start(self._listen(process))
        self._background.start(self._drain(process))
        folder = {"uri": self._root_uri, "name": self._root.name}
        result = await self._request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": self._root_uri,
                "workspaceFolders": [folder],
                "capabilities": _CAPABILITIES,
            },
        )
        offered = _member(_member(result, "capabilities"), "positionEncoding")
        self.encoding = offered if isinstance(offered, str) else PositionEncodingKind.Utf16
        self._send({"method": "initialized", "params": {}})
        self._started_at = time.monotonic()

    def _note_end(self) -> None:
        """Note that the server ended or did not start. Unless it was closed, it may be started
        again later."""
        self._process = None
        if not self._closed:
            self._note_crash()
        for future in self._pending.values():
            if not future.done():
                future.set_exception(OSError("it ended"))

    def _note_crash(self) -> None:
        if time.monotonic() - self._started_at > _LONGEST_PAUSE_S:
            self._crashes = 0
        pause = min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2**self._crashes)
        self._crashes += 1
        self._earliest_restart = time.monotonic() + pause

    async def _kill(self, process: asyncio.subprocess.Process) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
        await process.wait()

    # documents

    async def _open(self, uri: str) -> None:
        source = await self._text_of(uri)
        if source is None or self._open_documents.get(uri) == source.digest:
            return
        if uri in self._open_documents:
            self._close_document(uri)
        language = language_of(uri) or _NO_LANGUAGE
        item = {"uri": uri, "languageId": language, "version": 1, "text": source.text}
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": item}})
        self._open_documents[uri] = source.digest
        while len(self._open_documents) > _OPEN_FILES:
            self._close_document(next(iter(self._open_documents)))

    def _close_document(self, uri: str) -> None:
        del self._open_documents[uri]
        params = {"textDocument": {"uri": uri}}
        self._send({"method": "textDocument/didClose", "params": params})

    # messages

    async def _request(self, method: str, params: Any) -> Any:
        request_id = next(self._request_ids)
        future = self._pending[request_id] = asyncio.get_running_loop().create_future()
        try:
            self._send({"id": request_id, "method": method, "params": params})
            return await future
        except asyncio.CancelledError:
            with contextlib.suppress(OSError):
                self._send({"method": "$/cancelRequest", "params": {"id": request_id}})
            raise
        finally:
            self._pending.pop(request_id, None)

    def _send(self, message: dict[str, Any]) -> None:
        process = self._process
        if process is None or process.stdin is None:
            raise OSError("it is not running")
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        try:
            while (body := await _read_message(process.stdout)) is not None:
                message = json.loads(body)
                if isinstance(message, dict):
                    self._handle_message(cast("dict[str, Any]", message))
        except (ValueError, RecursionError, OSError, asyncio.IncompleteReadError):
            logger.warning("%s sent invalid LSP messages.", self.command[0])
        finally:
            # Its output ends before its exit is noticed; requests sent in between get no answer.
            if self._process is process:  # otherwise a failed start has noted that already
                self._note_end()
            await self._kill(process)

    def _handle_message(self, message: dict[str, Any]) -> None:
        request_id = message.get("id")
        if "method" in message:
            if request_id is not None:
                self._send({"id": request_id, **_reply(message)})
            return
        future = self._pending.get(request_id) if isinstance(request_id, int) else None
        if future is not None and not future.done():
            future.set_result(message.get("result"))

    async def _drain(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        while data := await process.stderr.read(64 * 1024):
            logger.debug("%s: %s", self.command[0], data.decode("utf-8", "replace"))


_DYNAMIC = {"dynamicRegistration": False}
_CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-32", "utf-16", "utf-8"]},
    "workspace": {"workspaceFolders": True, "configuration": True, "symbol": _DYNAMIC},
    "textDocument": {
        "definition": {"linkSupport": True},
        "references": _DYNAMIC,
        "implementation": {"linkSupport": True},
        "callHierarchy": _DYNAMIC,
        "typeHierarchy": _DYNAMIC,
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    },
}


def _reply(message: dict[str, Any]) -> dict[str, Any]:
    """The response to a request of a server to its client."""
    match message["method"]:
        case "workspace/configuration":
            items = _member(message.get("params"), "items")
            requested_items = cast("list[Any]", items) if isinstance(items, list) else []
            return {"result": [None] * len(requested_items)}
        case "client/registerCapability" | "window/workDoneProgress/create":
            return {"result": None}
        case _:
            return {"error": {"code": _NO_METHOD, "message": "Not supported."}}


def _member(value: Any, name: str) -> Any:
    """A member of a JSON object; None if there is none, or the value is no object."""
    return cast("dict[str, Any]", value).get(name) if isinstance(value, dict) else None


async def _read_message(stream: asyncio.StreamReader) -> bytes | None:
    length = 0
    while line := await stream.readline():
        if not line.strip():
            return await stream.readexactly(length)
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            length = int(value)
            if not 0 <= length <= _LIMIT_BYTES:
                raise ValueError("length")
    return None
