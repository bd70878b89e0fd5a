"""``sightline.survey``: surveys the code base from several angles; writes files, returns a
summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from lsp_server import garbage
from lsp_server.command_names import SURVEY
from lsp_server.executing.asking import cancellable, scope_globs
from lsp_server.executing.executing import add_command
from lsp_server.executing.progress import WorkDone
from lsp_server.executing.surveying import survey
from lsp_server.protocol import SurveyParams

if TYPE_CHECKING:
    from explorer_core.contracts.survey import SurveySummary
    from lsp_server.server import SightlineServer


def register(server: SightlineServer) -> None:
    """Add the command."""
    add_command(server, SURVEY, SurveyParams, _survey)


async def _survey(
    ls: SightlineServer, params: SurveyParams, token: types.ProgressToken | None
) -> SurveySummary:
    scope = await scope_globs(ls, params.scope)
    scoped_params = params.model_copy(update={"scope": scope})

    async def work(progress: WorkDone) -> SurveySummary:
        async with ls.session.workspace.using() as opened:
            with garbage.collecting_afterwards():
                return await survey(opened.explorer, scoped_params, progress.report)

    return await cancellable(ls, token, work)
