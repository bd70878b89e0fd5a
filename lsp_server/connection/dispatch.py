"""Dispatches messages to our handlers, where that differs from pygls, with the reasons."""

from __future__ import annotations

import asyncio
import json
import logging
import time
import uuid
from collections.abc import Awaitable, Callable, Generator, Iterator
from concurrent.futures import Future
from typing import Any, cast

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
    JsonRpcRequestCancelled,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import JsonRPCResponseMessage

from lsp_server import garbage
from lsp_server.connection.greeting import REPORT_SCHEME, position_encoding

logger = logging.getLogger(__name__)

CommandHandler = Callable[[types.ExecuteCommandParams], Awaitable[Any]]


class SightlineProtocol(LanguageServerProtocol):
    """The LSP implementation of pygls, with these differences that matter to users:

    - A command gets its complete params and may have any arguments. ``$/cancelRequest`` cancels the
      command itself, not only its response.
    - An unexpected error is answered with one sentence; the traceback goes to the log.
    - ``exit`` ends this connection only, not those of other clients of the process.
    - Requests before ``initialize`` or after ``shutdown`` get the error that the protocol demands.
    """

    exit_code: int | None = None
    initialized: bool = False

    def __init__(self, server: Any, converter: Any) -> None:
        super().__init__(server, converter)
        self._plain_json_ids: set[str] = set()
        self._initialize_done: asyncio.Future[None] | None = None
        self._initialize_id: Any = None
        self._traced_requests: dict[Any, tuple[str, float]] = {}
        # Our own documents replace those of pygls; see lsp_server/workspace/documents.py.
        for method in (
            types.TEXT_DOCUMENT_DID_OPEN,
            types.TEXT_DOCUMENT_DID_CHANGE,
            types.TEXT_DOCUMENT_DID_CLOSE,
        ):
            cast("Any", self.fm).builtin_features.pop(method)

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(  # type: ignore[override]
        self, params: types.InitializeParams
    ) -> Generator[Any, Any, types.InitializeResult]:
        self.trace = params.trace or types.TraceValue.Off
        result = yield from super().lsp_initialize(params)
        workspace = params.capabilities.workspace
        if workspace is not None and workspace.text_document_content is not None:
            # pygls does not advertise this.
            assert result.capabilities.workspace is not None
            options = types.TextDocumentContentOptions(schemes=[REPORT_SCHEME])
            result.capabilities.workspace.text_document_content = options
        return result

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]
        self, params: types.ExecuteCommandParams
    ) -> Any:
        commands: dict[str, CommandHandler] = cast("Any", self.fm).commands
        handler = commands.get(params.command)
        if handler is None:
            raise JsonRpcInvalidParams(f"There is no command {params.command}.")
        try:
            return await handler(params)
        except JsonRpcException:
            raise
        except Exception as error:
            logger.exception("%s failed", params.command)
            raise _internal_error(params.command, error) from error

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> None:  # type: ignore[override]
        self.exit_code = 0 if self._shutdown else 1

    async def ask_client(self, method: str, params: Any) -> Any:
        """Send a request to the client and return the result as plain JSON. If the caller is
        cancelled, so is the request."""
        msg_id = str(uuid.uuid4())
        self._plain_json_ids.add(msg_id)
        answer = self.send_request_async(method, params, msg_id)
        try:
            return await answer
        except asyncio.CancelledError:
            self.notify(types.CANCEL_REQUEST, types.CancelParams(msg_id))
            raise
        finally:
            self._plain_json_ids.discard(msg_id)
            self._request_futures.pop(msg_id, None)
            self._result_types.pop(msg_id, None)

    # receiving

    def _handle_response(self, msg_id: Any, result: Any = None, error: Any = None) -> None:
        """Handle a response. One to a request that was cancelled is ignored silently."""
        waiting = self._request_futures.get(msg_id)
        if waiting is not None and waiting.cancelled():
            del self._request_futures[msg_id]
            return
        super()._handle_response(msg_id, result, error)

    def receive(self, body: bytes) -> None:
        """Handle one message."""
        garbage.note_activity()
        try:
            data: Any = json.loads(body)
        except (ValueError, RecursionError):
            self.refuse(None, JsonRpcParseError("The message is not JSON."))
            return
        if not isinstance(data, dict) or "jsonrpc" not in data:
            self.refuse(None, JsonRpcInvalidRequest("The message is not JSON-RPC 2.0."))
            return
        message = cast("dict[str, Any]", data)
        if not isinstance(message.get("id"), int | float | str | None):
            self.refuse(None, JsonRpcInvalidRequest("The id of a message is a number or a string."))
            return
        is_request = "method" in message and message.get("id") is not None
        try:
            structured = self.structure_message(message)
            if is_request and not hasattr(structured, "id"):
                raise JsonRpcInvalidRequest(
                    f"{message['method']} is a notification; send it without id."
                )
            self.handle_message(structured)
        except JsonRpcException as error:
            if is_request:
                self.refuse(message["id"], self.state_error(message["method"]) or error)
        except Exception as error:  # no message may keep the next one from being handled
            logger.exception("A message could not be handled.")
            if is_request:
                self.refuse(message["id"], _internal_error(message["method"], error))

    async def handle_answered_initialize(self, body: bytes) -> None:
        """Handle an ``initialize`` that `lsp_server.connection.greeting` has answered already."""
        message: dict[str, Any] = json.loads(body)
        self._initialize_id = message["id"]
        self._initialize_done = asyncio.get_running_loop().create_future()
        for params in _simplified_params(message["params"]):
            try:
                structured = self.structure_message({**message, "params": params})
            except JsonRpcException:
                logger.warning("Parts of initialize are invalid; the rest is used.")
                continue
            self.handle_message(structured)
            await self._initialize_done
            return

    def structure_message(self, data: dict[str, Any]) -> Any:
        """As in pygls, except that results of `ask_client` stay plain JSON."""
        msg_id = data.get("id")
        if isinstance(msg_id, str) and msg_id in self._plain_json_ids and "result" in data:
            return JsonRPCResponseMessage(msg_id, "2.0", data["result"])
        return super().structure_message(data)  # pyright: ignore[reportUnknownVariableType]

    def state_error(self, method: str | None) -> JsonRpcException | None:
        """The error if a method may not be called in the present state, otherwise None."""
        if self._shutdown:
            return JsonRpcInvalidRequest("The server is shutting down.")
        if not self.initialized and method != types.INITIALIZE:
            return JsonRpcServerNotInitialized("Send initialize first.")
        if self.initialized and method == types.INITIALIZE:
            return JsonRpcInvalidRequest("The server is already initialized.")
        return None

    def handle_message(self, message: Any) -> None:
        """Dispatch one message, unless the state of the connection forbids it."""
        method, msg_id = getattr(message, "method", None), getattr(message, "id", None)
        if method is not None and method != types.EXIT:
            if (error := self.state_error(method)) is not None:
                if msg_id is not None:
                    self.refuse(msg_id, error)
                return
            self.initialized = True
        super().handle_message(message)

    def _execute_handler(
        self, msg_id: Any, handler: Any, callback: Any, args: Any = None, kwargs: Any = None
    ) -> None:
        """As in pygls, except that handled notifications are forgotten, too."""
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        future = self._request_futures.get(msg_id)
        if asyncio.isfuture(future):  # its callbacks do not run while pygls iterates to cancel all
            future.add_done_callback(lambda _: self._forget(msg_id, future))

    def _forget(self, msg_id: Any, future: object) -> None:
        if self._request_futures.get(msg_id) is future:
            del self._request_futures[msg_id]

    # answering

    def _handle_request(self, msg_id: Any, method_name: str, params: Any) -> None:
        if self.trace != types.TraceValue.Off:
            self._traced_requests[msg_id] = method_name, time.perf_counter()
        super()._handle_request(msg_id, method_name, params)

    def _send_handler_result(self, future: Future[Any], *, msg_id: Any) -> None:
        if future.cancelled():
            self._request_futures.pop(msg_id, None)
            error = JsonRpcRequestCancelled("The request was cancelled.")
            self._send_response(msg_id, error=error.to_response_error())
        else:
            super()._send_handler_result(future, msg_id=msg_id)
        if (traced := self._traced_requests.pop(msg_id, None)) is not None:
            self._trace(*traced, future)

    def _trace(self, method: str, started: float, future: Future[Any]) -> None:
        """Tell a client that has tracing on how long a request took."""
        if self.trace == types.TraceValue.Off:
            return
        duration_ms = (time.perf_counter() - started) * 1000
        failed = not future.cancelled() and future.exception() is not None
        outcome = "cancelled" if future.cancelled() else "refused" if failed else "answered"
        verbose = None
        if self.trace == types.TraceValue.Verbose:
            verbose = f"Requests running: {len(self._request_futures)}."
        message = f"{method} {outcome} after {duration_ms:.1f} ms."
        self.notify(types.LOG_TRACE, types.LogTraceParams(message, verbose))

    def _send_response(self, msg_id: Any, result: Any = None, error: Any = None) -> None:
        done = self._initialize_done
        if done is not None and not done.done() and msg_id == self._initialize_id:
            if error is not None:
                logger.error("initialize failed: %s", error.message)
            done.set_result(None)
            return
        super()._send_response(msg_id, result, error)

    def refuse(self, msg_id: Any, error: JsonRpcException) -> None:
        """Answer a request with an error; the id is None if it could not be read."""
        if msg_id is None:
            # lsprotocol omits nulls, but JSON-RPC requires this one.
            detail = {"code": error.code, "message": error.message}
            self._send_data({"jsonrpc": "2.0", "id": None, "error": detail})
            return
        self._send_response(msg_id, error=error.to_response_error())


def _internal_error(action: object, error: Exception) -> JsonRpcInternalError:
    return JsonRpcInternalError(
        f"Sightline failed at {action} ({type(error).__name__});"
        " set SIGHTLINE_DEBUG=1 in its environment for details in its log."
    )


def _simplified_params(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The params of ``initialize``, then versions of them with fewer and fewer members that may be
    invalid."""
    yield params
    folders = ("rootUri", "rootPath", "workspaceFolders")
    folder_params = {name: params.get(name) for name in (*folders, "initializationOptions")}
    simplified = {"processId": None} | folder_params
    yield simplified | {"capabilities": params["capabilities"]}
    general = {"positionEncodings": [position_encoding(params["capabilities"])]}
    yield simplified | {"capabilities": {"general": general}}
    yield {"processId": None, "rootUri": None, "capabilities": {"general": general}}
