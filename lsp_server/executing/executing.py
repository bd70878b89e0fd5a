"""Registers our commands: params are read tolerantly, errors are reported in one sentence."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from pydantic_core import to_jsonable_python
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from explorer_core.errors import ExploreError
from explorer_core.workspace import WorkspaceError
from lsp_server.protocol import BadRequest, Params, command_params
from lsp_server.reports.live import LiveReport

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer

_REQUEST_FAILED = -32803
"""LSP's code for a request that is valid but cannot be answered."""

P = TypeVar("P", bound=Params)


def add_command(
    server: SightlineServer,
    name: str,
    model: type[P],
    run: Callable[[SightlineServer, P, types.ProgressToken | None], Awaitable[Any]],
) -> None:
    """Register ``run`` for the command ``name``, whose argument is parsed as a ``model``."""

    @server.command(name)
    async def execute(ls: SightlineServer, params: types.ExecuteCommandParams) -> Any:
        try:
            argument = command_params(model, params.arguments)
            result = await run(ls, argument, params.work_done_token)
        except BadRequest as error:
            raise JsonRpcInvalidParams(str(error)) from error
        except (ExploreError, WorkspaceError) as error:
            raise JsonRpcException(str(error), code=_REQUEST_FAILED) from error
        return to_jsonable_python(result, by_alias=True)


def report_of(ls: SightlineServer, report_id: str | None) -> LiveReport:
    """The report with an id, or the current one. Raises `BadRequest`."""
    reports = ls.session.reports
    if report_id is None:
        if (current := reports.current) is None:
            raise BadRequest("There is no report yet; ask a question first.")
        return current
    if (live := reports.get(report_id)) is None:
        raise BadRequest(f"There is no report {report_id}; sightline.reports lists them.")
    return live
