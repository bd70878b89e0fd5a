"""Calls the language server of a workspace from another process."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from lsp_server.attached.endpoint import Endpoint
from lsp_server.attached.wire import (
    HEARTBEAT_S,
    LINE_LIMIT_BYTES,
    Call,
    Hello,
    Proof,
    Reply,
    encode_line,
)

_GREETING_LIMIT_S = 5.0
"""Time limit, needed since the system accepts connections even for a stopped or hung server."""
_SILENCE_LIMIT_S = 5 * HEARTBEAT_S


class ServerGone(Exception):  # noqa: N818 - what happened, not an error of the user's
    """There is no language server at the endpoint, or it has gone."""


class CallRefused(Exception):  # noqa: N818
    """The language server refused the call; the message is one sentence for the user."""


async def call(
    endpoint: Endpoint,
    method: str,
    params: dict[str, Any],
    on_event: Callable[[dict[str, Any]], None] = lambda event: None,
) -> dict[str, Any]:
    """The result of one call. Raises `ServerGone` and `CallRefused`. Cancelling it cancels the
    server's work, too."""
    writer: asyncio.StreamWriter | None = None
    try:
        async with asyncio.timeout(_GREETING_LIMIT_S):
            reader, writer = await asyncio.open_connection(
                endpoint.host, endpoint.port, limit=LINE_LIMIT_BYTES
            )
            await _greet(endpoint, reader, writer)
        request = {"token": endpoint.token, "method": method, "params": params}
        writer.write(encode_line(Call.model_validate(request)))
        return await _result(reader, on_event)
    except (OSError, TimeoutError, ValueError, ValidationError) as error:
        if writer is not None:
            writer.transport.abort()  # unsent data would delay closing
        raise ServerGone from error
    finally:
        if writer is not None:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()


async def _greet(
    endpoint: Endpoint, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Verify that the server of the endpoint file answers: after that was killed, another process
    may listen on its port. Raises `ServerGone`."""
    nonce = secrets.token_urlsafe(32)
    writer.write(encode_line(Hello(nonce=nonce)))
    answer = Proof.model_validate_json(await reader.readline())
    if not endpoint.is_proven(nonce, answer.proof):
        raise ServerGone


async def _result(
    reader: asyncio.StreamReader, on_event: Callable[[dict[str, Any]], None]
) -> dict[str, Any]:
    """The result of the call. Raises `ServerGone`, `CallRefused`, and TimeoutError if the server
    sends nothing for `_SILENCE_LIMIT_S`."""
    while True:
        async with asyncio.timeout(_SILENCE_LIMIT_S):
            data = await reader.readline()
        if not data:
            raise ServerGone
        reply = Reply.model_validate_json(data)
        if reply.problem is not None:
            raise CallRefused(reply.problem)
        if reply.result is not None:
            return reply.result
        if reply.event:
            on_event(reply.event)
