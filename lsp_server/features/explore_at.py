"""``sightline.exploreAt``: how a place is reached, where it is used, what it does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from lsp_server.command_names import EXPLORE_AT
from lsp_server.convert import column
from lsp_server.executing.asking import ask, resolve_anchor, resolve_request
from lsp_server.executing.executing import add_command
from lsp_server.protocol import AnchorParams, BadRequest, ExploreAtParams

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer

WORD = re.compile(r"[^\W\d]\w*")
_QUESTIONS = {
    "reached": "How is `{}` reached?",
    "used": "Where is `{}` used?",
    "does": "What does `{}` do?",
}


def register(server: SightlineServer) -> None:
    """Add the command."""
    add_command(server, EXPLORE_AT, ExploreAtParams, _explore_at)


async def _explore_at(
    ls: SightlineServer, params: ExploreAtParams, token: types.ProgressToken | None
) -> dict[str, Any]:
    anchor = _anchor_of(params)
    query = params.query.strip()
    if not query:
        query = _QUESTIONS[params.ask].format(await _name_at(ls, anchor))
    question = params.model_copy(update={"query": query, "anchor": anchor})
    return await ask(ls, question, await resolve_request(ls, question), token)


def _anchor_of(params: ExploreAtParams) -> AnchorParams:
    if params.uri is None and params.path is None:
        if params.anchor is not None:
            return params.anchor
        raise BadRequest("The place is missing: give uri and position, or path and line.")
    return AnchorParams(
        uri=params.uri, path=params.path, line=params.line, position=params.position
    )


async def _name_at(ls: SightlineServer, anchor: AnchorParams) -> str:
    """The word at a place, otherwise its whole line. Raises `BadRequest`."""
    path, lines = await resolve_anchor(ls, anchor)
    line = lines[anchor.first_line - 1] if lines else ""
    if anchor.position is not None:
        at = column(line, anchor.position.character, ls.session.encoding)
        for word in WORD.finditer(line):
            if word.start() <= at <= word.end():
                return word[0]
    if not line.strip():
        raise BadRequest(f"Line {anchor.first_line} of {path} is empty; choose a line of code.")
    return " ".join(line.replace("`", " ").split())
