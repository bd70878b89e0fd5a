"""How messages reach our handlers, where that differs from pygls, each with its reason."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable, Generator
from typing import Any, cast

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import JsonRPCResponseMessage

from lsp_server.report_document import SCHEME

logger = logging.getLogger(__name__)

CommandHandler = Callable[[types.ExecuteCommandParams], Awaitable[Any]]


class SightlineProtocol(LanguageServerProtocol):
    """The LSP of pygls, except where its behaviour would be felt by a user.

    - A command gets the whole of its params and may have any arguments, and ``$/cancelRequest``
      reaches the command itself, not only its response.
    - An unexpected error answers with one sentence; the traceback goes to the log.
    - ``exit`` ends this connection and leaves other clients of the process alone.
    - Requests before ``initialize`` and after ``shutdown`` get the error the protocol asks for.
    """

    exit_code: int | None = None
    initialized: bool = False

    def __init__(self, server: Any, converter: Any) -> None:
        super().__init__(server, converter)
        self._plain: set[str] = set()
        # Our own documents replace those of pygls; see lsp_server/documents.py.
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
        result = yield from super().lsp_initialize(params)
        workspace = params.capabilities.workspace
        if workspace is not None and workspace.text_document_content is not None:
            # pygls cannot advertise this by itself.
            assert result.capabilities.workspace is not None
            options = types.TextDocumentContentOptions(schemes=[SCHEME])
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
            raise JsonRpcInternalError(
                f"Sightline failed at {params.command} ({type(error).__name__});"
                " with SIGHTLINE_DEBUG=1 in its environment its log says more."
            ) from error

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> None:  # type: ignore[override]
        self.exit_code = 0 if self._shutdown else 1

    async def ask_client(self, method: str, params: Any) -> Any:
        """Send a request of ours and return the result as plain JSON; giving up cancels it."""
        msg_id = str(uuid.uuid4())
        self._plain.add(msg_id)
        answer = self.send_request_async(method, params, msg_id)
        try:
            return await answer
        except asyncio.CancelledError:
            self.notify(types.CANCEL_REQUEST, types.CancelParams(msg_id))
            raise
        finally:
            self._plain.discard(msg_id)
            self._request_futures.pop(msg_id, None)
            self._result_types.pop(msg_id, None)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """As pygls does, but plain results for requests of our own."""
        msg_id = data.get("id")
        if isinstance(msg_id, str) and msg_id in self._plain and "result" in data:
            return JsonRPCResponseMessage(msg_id, "2.0", data["result"])
        return super().structure_message(data)  # pyright: ignore[reportUnknownVariableType]

    def forbidden(self, method: str | None) -> JsonRpcException | None:
        """Why a request may not be made now, whatever its params."""
        if self._shutdown:
            return JsonRpcInvalidRequest("The server is shutting down.")
        if not self.initialized and method != types.INITIALIZE:
            return JsonRpcServerNotInitialized("Send initialize first.")
        if self.initialized and method == types.INITIALIZE:
            return JsonRpcInvalidRequest("The server is initialized already.")
        return None

    def handle_message(self, message: Any) -> None:
        """Dispatch one message, unless the connection's state forbids it."""
        method, msg_id = getattr(message, "method", None), getattr(message, "id", None)
        if method is not None and method != types.EXIT:
            if (error := self.forbidden(method)) is not None:
                if msg_id is not None:
                    self.refuse(msg_id, error)
                return
            self.initialized = True
        super().handle_message(message)

    def refuse(self, msg_id: Any, error: JsonRpcException) -> None:
        """Answer a request with an error; an id that could not be read is null."""
        if msg_id is None:
            # lsprotocol leaves out nulls, but JSON-RPC demands this one.
            detail = {"code": error.code, "message": error.message}
            self._send_data({"jsonrpc": "2.0", "id": None, "error": detail})
            return
        self._send_response(msg_id, error=error.to_response_error())
