"""``sightline.explore``: the report as JSON, each place with the LSP location that opens it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams, JsonRpcRequestCancelled

from explorer_core.contracts import LineRange, Report
from explorer_core.workspace import WorkspaceError
from lsp_server.progress import work_done
from lsp_server.protocol import EXPLORE, BadRequest, explore_params, explore_request

if TYPE_CHECKING:
    from explorer_core.explorer import Event
    from lsp_server.server import SightlineServer

REQUEST_FAILED = -32803
"""LSP's code for a request that is well-formed and cannot be answered."""

Locate = Callable[[str, LineRange], types.Location | None]


def register(server: SightlineServer) -> None:
    """Add the explore command."""

    @server.command(EXPLORE)
    async def explore(ls: SightlineServer, params: types.ExecuteCommandParams) -> dict[str, Any]:
        try:
            wanted = explore_params(params.arguments)
            uri = wanted.anchor.uri if wanted.anchor else None
            path = await ls.session.path(uri) if uri else None
            request = explore_request(wanted, lambda _: path)
        except BadRequest as error:
            raise JsonRpcInvalidParams(str(error)) from error

        async def answer(on_event: Callable[[Event], None]) -> dict[str, Any]:
            report, locate = await ls.session.explore(
                request, on_event=on_event, explain_ranking=wanted.explain_ranking
            )
            return await asyncio.to_thread(with_locations, report, locate)

        return await _cancellable(ls, params.work_done_token, answer)


async def _cancellable(
    ls: SightlineServer,
    token: types.ProgressToken | None,
    answer: Callable[[Callable[[Event], None]], Any],
) -> dict[str, Any]:
    """Await ``answer``, and let go of it at once when the client or the user cancels."""
    from explorer_core.explorer import ExploreError

    work = asyncio.create_task(answer(lambda event: progress.report(event.message, event.fraction)))
    async with work_done(ls, token, "Sightline", work.cancel) as progress:
        try:
            # Shielded so that the response need not wait for the work to wind down.
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            work.cancel()
            if progress.cancelled:
                raise JsonRpcRequestCancelled("The exploration was cancelled.") from None
            raise
        except BadRequest as error:
            raise JsonRpcInvalidParams(str(error)) from error
        except (ExploreError, WorkspaceError) as error:
            raise JsonRpcException(str(error), code=REQUEST_FAILED) from error


def with_locations(report: Report, locate: Locate) -> dict[str, Any]:
    """The report's JSON form, with ``location: {uri, range}`` at every place.

    A link also has ``quoteLocation``. Blocking: it may read files.
    """
    content: dict[str, Any] = report.model_dump(mode="json", by_alias=True)
    if report.candidates is None:
        content.pop("candidates")
    for kind in ("primary", "links", "readTargets", "candidates"):
        for place in content.get(kind, ()):
            _add(place, "location", place["path"], place["range"], locate)
    for link in content["links"]:
        _add(link, "quoteLocation", link["path"], link["quoteRange"], locate)
        if link["hop"] and (site := link["hop"]["site"]):
            line = {"start": site["line"], "end": site["line"]}
            _add(site, "location", site["path"], line, locate)
    return content


def _add(
    place: dict[str, Any], key: str, path: str, lines: dict[str, int] | None, locate: Locate
) -> None:
    """A place without a range is a whole file, opened at its first line."""
    location = locate(path, LineRange.model_validate(lines or {"start": 1, "end": 1}))
    place[key] = None if location is None else get_converter().unstructure(location)
