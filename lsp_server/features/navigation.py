"""``sightline.nextLink`` and ``sightline.previousLink``: along the flow, across files."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from lsp_server.command_names import NEXT_LINK, PREVIOUS_LINK
from lsp_server.convert import as_json
from lsp_server.executing.executing import add_command, report_of
from lsp_server.executing.results import LinkStep
from lsp_server.protocol import BadRequest, LinkParams
from lsp_server.reports.showing import show

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer


def register(server: SightlineServer) -> None:
    """Add the two commands. They wrap around at both ends."""
    add_command(server, NEXT_LINK, LinkParams, partial(_go, 1))
    add_command(server, PREVIOUS_LINK, LinkParams, partial(_go, -1))


async def _go(
    by: int, ls: SightlineServer, params: LinkParams, token: types.ProgressToken | None
) -> LinkStep:
    live = report_of(ls, params.report_id)
    count = len(live.report.links)
    if params.index is not None and params.index >= count:
        raise BadRequest(f"The report has {count} links, none with index {params.index}.")
    step = ls.session.reports.go(live, by, params.index)
    if step is None:
        raise BadRequest("The report has no links to go to.")
    location = ls.session.location(step.link.path, step.link.quote_range)
    shown = location is not None and await show(
        ls, location.uri, location.range, focus=params.take_focus
    )
    return LinkStep(
        report_id=live.id,
        index=step.index,
        count=step.count,
        stale=step.link.stale,
        location=as_json(location),
        shown=shown,
    )
