"""Calls the language server of a workspace from another process."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from lsp_server.attached.endpoint import Endpoint
from lsp_server.attached.wire import BEAT_S, LINE_LIMIT_BYTES, Call, Hello, Proof, Told, line

_GREETING_S = 5.0
"""Time limit, needed since the system accepts connections even for a stopped or hung server."""
_SILENCE_S = 5 * BEAT_S


class Gone(Exception):  # noqa: N818 - what happened, not an error of the user's
    """There is no language server at the endpoint, or it has gone."""


class Refused(Exception):  # noqa: N818
    """The language server refused the call; the message is one sentence for the user."""


async def call(
    endpoint: Endpoint,
    method: str,
    params: dict[str, Any],
    on_event: Callable[[dict[str, Any]], None] = lambda event: None,
) -> dict[str, Any]:
    """The result of one call. Raises `Gone` and `Refused`. Cancelling it cancels the server's work,
    too."""
    writer: asyncio.StreamWriter | None = None
    try:
        async with asyncio.timeout(_GREETING_S):
            reader, writer = await asyncio.open_connection(
                endpoint.host, endpoint.port, limit=LINE_LIMIT_BYTES
            )
            await _greet(endpoint, reader, writer)
        request = {"token": endpoint.token, "method": method, "params": params}
        writer.write(line(Call.model_validate(request)))
        return await _result(reader, on_event)
    except (OSError, TimeoutError, ValueError, ValidationError) as error:
        if writer is not None:
            writer.transport.abort()  # unsent data would delay closing
        raise Gone from error
    finally:
        if writer is not None:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()


async def _greet(
    endpoint: Endpoint, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Verify that the server of the endpoint file answers: after that was killed, another process
    may listen on its port. Raises `Gone`."""
    nonce = secrets.token_urlsafe(32)
    writer.write(line(Hello(nonce=nonce)))
    answer = Proof.model_validate_json(await reader.readline())
    if not endpoint.is_proven(nonce, answer.proof):
        raise Gone


async def _result(
    reader: asyncio.StreamReader, on_event: Callable[[dict[str, Any]], None]
) -> dict[str, Any]:
    """The result of the call. Raises `Gone`, `Refused`, and TimeoutError if the server sends
    nothing for `_SILENCE_S`."""
    while True:
        async with asyncio.timeout(_SILENCE_S):
            data = await reader.readline()
        if not data:
            raise Gone
        told = Told.model_validate_json(data)
        if told.problem is not None:
            raise Refused(told.problem)
        if told.result is not None:
            return told.result
        if told.event:
            on_event(told.event)
