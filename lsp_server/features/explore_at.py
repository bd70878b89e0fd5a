"""``sightline.exploreAt``: how a place is reached, where it is used, what it does."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from explorer_core.workspace import WorkspaceError
from lsp_server.asking import ask, requested
from lsp_server.command_names import EXPLORE_AT
from lsp_server.convert import column, split_lines
from lsp_server.executing import add_command
from lsp_server.protocol import AnchorParams, BadRequest, ExploreAtParams, PositionParams

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer

_WORD = re.compile(r"[^\W\d]\w*")
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
    anchor = _place(params)
    query = params.query.strip()
    if not query:
        query = _QUESTIONS[params.ask].format(await _named(ls, anchor))
    asked = params.model_copy(update={"query": query, "anchor": anchor})
    return await ask(ls, asked, await requested(ls, asked), token)


def _place(params: ExploreAtParams) -> AnchorParams:
    if params.uri is None and params.path is None:
        if params.anchor is not None:
            return params.anchor
        raise BadRequest("Say where: give uri and position, or path and line.")
    return AnchorParams(
        uri=params.uri, path=params.path, line=params.line, position=params.position
    )


async def _named(ls: SightlineServer, anchor: AnchorParams) -> str:
    """The word at a place, else its whole line. Raises `BadRequest`."""
    path = await ls.session.path(anchor.uri) if anchor.uri else anchor.path
    if path is None:
        raise BadRequest(f"{anchor.uri} is outside the workspace.")
    text = ls.session.documents.get(anchor.uri) if anchor.uri else None
    lines = split_lines(text) if text is not None else await _read(ls, path)
    position = anchor.position or PositionParams(line=(anchor.line or 1) - 1)
    if position.line >= len(lines):
        raise BadRequest(f"{path} has no line {position.line + 1}.")
    line = lines[position.line]
    if anchor.position is not None:
        at = column(line, position.character, ls.session.encoding)
        for word in _WORD.finditer(line):
            if word.start() <= at <= word.end():
                return word[0]
    if not line.strip():
        raise BadRequest(f"Line {position.line + 1} of {path} is empty; choose a line of code.")
    return " ".join(line.replace("`", " ").split())


async def _read(ls: SightlineServer, path: str) -> list[str]:
    async with ls.session.using() as opened:
        try:
            return list((await asyncio.to_thread(opened.workspace.read, path)).lines)
        except WorkspaceError as error:
            raise BadRequest(str(error)) from error
