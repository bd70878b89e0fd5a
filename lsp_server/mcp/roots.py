"""The folders that a client works in."""

from __future__ import annotations

import asyncio
import contextlib
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, cast

from mcp.server.mcpserver import Context, ListRoots, Resolve
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError
from mcp_types import ListRootsResult, Root
from pydantic import ValidationError

from lsp_server.convert import uri_to_path

_ANSWER_LIMIT_S = 2.0
_HANDSHAKE_ENDED = "2026-07-28"
"""The first protocol version in which a server asks for roots by its result, not by a request."""


async def _roots(ctx: Context[Any, Any]) -> ListRoots | ListRootsResult:
    capabilities = ctx.client_capabilities
    if capabilities is None or capabilities.roots is None:
        return ListRootsResult(roots=[])
    session = ctx.request_context.session
    if session.protocol_version >= _HANDSHAKE_ENDED:
        return ListRoots()
    try:
        async with asyncio.timeout(_ANSWER_LIMIT_S):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", MCPDeprecationWarning)
                return await session.list_roots()  # pyright: ignore[reportDeprecated]
    except ValidationError:
        # The protocol's types demand `file:` URIs: a single other root makes all of them invalid.
        outbound = session._connection.outbound  # pyright: ignore[reportPrivateUsage]
        return _valid_roots(await outbound.send_raw_request("roots/list", None))
    except (MCPError, TimeoutError):
        return ListRootsResult(roots=[])


def _valid_roots(answer: dict[str, Any]) -> ListRootsResult:
    """The roots that are valid."""
    roots: list[Root] = []
    for each in cast("Iterable[Any]", answer.get("roots") or ()):
        with contextlib.suppress(ValidationError):
            roots.append(Root.model_validate(each))
    return ListRootsResult(roots=roots)


Roots = Annotated[ListRootsResult, Resolve(_roots)]
"""The client's roots as a parameter of a tool; empty if it has none or does not report them."""


def folders(roots: ListRootsResult) -> Sequence[Path]:
    """The roots that are folders of this machine."""
    paths = (uri_to_path(str(root.uri)) for root in roots.roots)
    return [Path(path) for path in paths if path is not None]
