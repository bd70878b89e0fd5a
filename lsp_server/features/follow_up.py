"""``sightline.followUp``: a further question that keeps a report's candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from lsp_server.command_names import FOLLOW_UP
from lsp_server.executing.asking import ask, resolve_request
from lsp_server.executing.executing import add_command, report_of
from lsp_server.protocol import FollowUpParams, FollowUpQuestion

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer


def register(server: SightlineServer) -> None:
    """Add the command."""
    add_command(server, FOLLOW_UP, FollowUpQuestion, _follow_up)


async def _follow_up(
    ls: SightlineServer, params: FollowUpQuestion, token: types.ProgressToken | None
) -> dict[str, Any]:
    report_id = params.report_id or (params.follow_up and params.follow_up.report_id)
    live = report_of(ls, report_id or None)
    question = params.model_copy(update={"follow_up": FollowUpParams(report_id=live.id)})
    return await ask(ls, question, await resolve_request(ls, question), token)
