"""Reads JSON-RPC messages from a stream, one per line, and answers lines that are invalid."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, cast

from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

_NOT_JSON = "This line is not JSON; send one JSON-RPC message per line."
_NO_MESSAGE = "This is not a single JSON-RPC message; send one message per line."


class Messages:
    """Iterates over the lines of a stream that are messages, as the SDK requires.

    The SDK ignores invalid lines silently, which would leave their sender waiting for ever.
    """

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self._refuse: Callable[[JSONRPCError], Awaitable[None]] | None = None

    def refuse_by(self, refuse: Callable[[JSONRPCError], Awaitable[None]]) -> None:
        """Set the function that sends the answers to invalid lines."""
        self._refuse = refuse

    async def __aiter__(self) -> AsyncIterator[str]:
        async for line in self._reader:
            message = message_or_refusal(line.decode("utf-8", errors="replace"))
            if isinstance(message, str):
                yield message
            elif message is not None and self._refuse is not None:
                await self._refuse(message)


def message_or_refusal(line: str) -> str | JSONRPCError | None:
    """The line if it is a message, the error response if it is not, None if it is empty.

    The SDK refuses text with half of a surrogate pair, which remains when a text is cut inside a
    character. Such a half is replaced, as invalid bytes are.
    """
    if not line.strip():
        return None
    if _is_message(line):
        return line
    try:
        data: Any = json.loads(line)
        text = json.dumps(data, ensure_ascii=False)
    except (ValueError, RecursionError):
        return _refusal(None, PARSE_ERROR, _NOT_JSON)
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if _is_message(text):
        return text
    request = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
    return _refusal(
        request.get("id") if "method" in request else None, INVALID_REQUEST, _NO_MESSAGE
    )


def _is_message(line: str) -> bool:
    try:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        return False
    return True


def _refusal(request_id: Any, code: int, reason: str) -> JSONRPCError:
    is_valid_id = isinstance(request_id, str | int) and not isinstance(request_id, bool)
    return JSONRPCError(
        jsonrpc="2.0",
        id=request_id if is_valid_id else None,
        error=ErrorData(code=code, message=reason),
    )
