"""Code lenses at each link of the shown reports: previous, next, refresh, and the link's fact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types

from lsp_server.command_names import EXPLORE, NEXT_LINK, PREVIOUS_LINK, SHOW_REPORT
from lsp_server.convert import width
from lsp_server.reports.reports import Step

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer

_TITLE_CHARS = 100


def register(server: SightlineServer) -> None:
    """Add code lenses. Their commands are resolved when they come into view."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=True))
    def lenses(ls: SightlineServer, params: types.CodeLensParams) -> list[types.CodeLens]:
        return [
            types.CodeLens(range=_first_quoted_line(ls, step), data=data)
            for step in ls.session.steps(params.text_document.uri)
            for data in _parts(step)
        ]

    @server.feature(types.CODE_LENS_RESOLVE)
    def resolve(ls: SightlineServer, lens: types.CodeLens) -> types.CodeLens:
        lens.command = _command(ls, lens.data)
        return lens


def title(step: Step) -> str:
    """``2/5 handler: Click calls switchChannel``."""
    link = step.link
    description = ": ".join(part for part in (link.role, link.fact.replace("`", "")) if part)
    text = f"{step.index + 1}/{step.count} {description}"
    if link.stale:
        text = f"stale: {text}"
    return text if len(text) <= _TITLE_CHARS else text[: _TITLE_CHARS - 1].rstrip() + "…"


def _first_quoted_line(ls: SightlineServer, step: Step) -> types.Range:
    """The range of the first quoted line, which the fact is about."""
    line = step.link.quote_range.start
    lines = ls.session.reports.lines(step.link.path) or ()
    text = lines[line - 1] if line <= len(lines) else ""
    end = types.Position(line - 1, width(text, ls.session.encoding))
    return types.Range(types.Position(line - 1, 0), end)


def _parts(step: Step) -> list[dict[str, Any]]:
    # Clickable parts come first: a narrow editor cuts off the end of a long text.
    parts = ["previous", "next"] if step.count > 1 else []
    if step.link.stale:
        parts.append("refresh")
    parts.append("link")
    place = {"reportId": step.live.id, "index": step.index}
    return [{"part": part, **place} for part in parts]


def _command(ls: SightlineServer, data: Any) -> types.Command:
    """The command of a lens; it does nothing if the report is no longer kept."""
    lens_data = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
    live = ls.session.reports.get(str(lens_data.get("reportId")))
    index = lens_data.get("index")
    if live is None or not isinstance(index, int) or not 0 <= index < len(live.report.links):
        return types.Command(title="gone", command="")
    place = [{"reportId": live.id, "index": index}]
    match lens_data.get("part"):
        case "next":
            return types.Command(title="next →", command=NEXT_LINK, arguments=place)
        case "previous":
            return types.Command(title="← previous", command=PREVIOUS_LINK, arguments=place)
        case "refresh":
            request = live.request.model_dump(mode="json", by_alias=True, exclude_none=True)
            request |= {"forceRefresh": True, "replaces": live.id}
            return types.Command(title="ask again", command=EXPLORE, arguments=[request])
        case _:
            report = [{"reportId": live.id}]
            step = Step(live, index)
            return types.Command(title=title(step), command=SHOW_REPORT, arguments=report)
