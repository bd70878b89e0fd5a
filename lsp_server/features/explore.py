"""``sightline.explore``: the report as JSON, in which each place has its LSP location."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from lsp_server.command_names import EXPLORE
from lsp_server.executing.asking import ask, resolve_request
from lsp_server.executing.executing import add_command
from lsp_server.protocol import ExploreParams

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer


def register(server: SightlineServer) -> None:
    """Add the explore command."""
    add_command(server, EXPLORE, ExploreParams, _explore)


async def _explore(
    ls: SightlineServer, params: ExploreParams, token: types.ProgressToken | None
) -> dict[str, Any]:
    return await ask(ls, params, await resolve_request(ls, params), token)
