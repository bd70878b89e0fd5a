"""Calling the language server of a workspace."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from lsp_server.attached.endpoint import Endpoint
from lsp_server.attached.wire import LINE_LIMIT_BYTES, Call, Told, line

_CONNECT_S = 2.0


class Gone(Exception):  # noqa: N818 - what happened, not an error of the user's
    """There is no language server behind the endpoint, or no longer."""


class Refused(Exception):  # noqa: N818
    """The language server could not do it; the message is one sentence for the user."""


async def call(
    endpoint: Endpoint,
    method: str,
    params: dict[str, Any],
    on_event: Callable[[dict[str, Any]], None] = lambda event: None,
) -> dict[str, Any]:
    """The result of one call. Raises `Gone` and `Refused`; cancelling cancels it over there."""
    try:
        async with asyncio.timeout(_CONNECT_S):
            reader, writer = await asyncio.open_connection(
                endpoint.host, endpoint.port, limit=LINE_LIMIT_BYTES
            )
    except (OSError, TimeoutError) as error:
        raise Gone from error
    try:
        request = {"token": endpoint.token, "method": method, "params": params}
        writer.write(line(Call.model_validate(request)))
        await writer.drain()
        while data := await reader.readline():
            told = Told.model_validate_json(data)
            if told.problem is not None:
                raise Refused(told.problem)
            if told.result is not None:
                return told.result
            on_event(told.event or {})
        raise Gone
    except (OSError, ValueError, ValidationError) as error:
        raise Gone from error
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
