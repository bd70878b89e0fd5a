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
            read = message_or_refusal(line.decode("utf-8", errors="replace"))
            if isinstance(read, str):
                yield read
            elif read is not None and self._refuse is not None:
                await self._refuse(read)


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
        said: Any = json.loads(line)
        whole = json.dumps(said, ensure_ascii=False)
    except (ValueError, RecursionError):
        return _refusal(None, PARSE_ERROR, _NOT_JSON)
    whole = whole.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if _is_message(whole):
        return whole
    asked = cast("dict[str, Any]", said) if isinstance(said, dict) else {}
    return _refusal(asked.get("id") if "method" in asked else None, INVALID_REQUEST, _NO_MESSAGE)


def _is_message(line: str) -> bool:
    try:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        return False
    return True


def _refusal(request_id: Any, code: int, why: str) -> JSONRPCError:
    usable = isinstance(request_id, str | int) and not isinstance(request_id, bool)
    return JSONRPCError(
        jsonrpc="2.0",
        id=request_id if usable else None,
        error=ErrorData(code=code, message=why),
    )
