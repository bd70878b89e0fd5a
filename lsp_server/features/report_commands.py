"""``sightline.reports``, ``.report``, ``.showReport``, ``.dismissReport`` and ``.export``."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from explorer_core.contracts import Report
from lsp_server.command_names import DISMISS_REPORT, EXPORT, REPORT, REPORTS, SHOW_REPORT
from lsp_server.executing.asking import with_locations
from lsp_server.executing.executing import add_command, report_of
from lsp_server.executing.results import Dismissed, Exported, ReportSummary, ShownReport
from lsp_server.protocol import (
    BadRequest,
    DismissParams,
    ExportParams,
    NoParams,
    ReportNowParams,
    ShowParams,
)
from lsp_server.reports.kept import parse_stored_report
from lsp_server.reports.live import LiveReport
from lsp_server.reports.report_document import markdown, report_folder, show_report, write_or_warn
from lsp_server.reports.showing import show

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer


def register(server: SightlineServer) -> None:
    """Add the commands about reports."""
    add_command(server, REPORTS, NoParams, _reports)
    add_command(server, REPORT, ReportNowParams, _report)
    add_command(server, SHOW_REPORT, ShowParams, _show)
    add_command(server, DISMISS_REPORT, DismissParams, _dismiss)
    add_command(server, EXPORT, ExportParams, _export)


async def _reports(
    ls: SightlineServer, params: NoParams, token: types.ProgressToken | None
) -> list[ReportSummary]:
    """All kept reports, newest first."""
    shown = {live.id for live in ls.session.reports.shown()}
    return [_summary(live, live.id in shown) for live in reversed(list(ls.session.reports))]


def _summary(live: LiveReport, shown: bool) -> ReportSummary:
    report = live.report
    return ReportSummary(
        id=report.id,
        query=report.query,
        intent=report.intent,
        confidence=report.confidence,
        action=report.action,
        created_at=report.created_at,
        links=len(report.links),
        stale=sum(link.stale for link in report.links),
        shown=shown,
    )


async def _report(
    ls: SightlineServer, params: ReportNowParams, token: types.ProgressToken | None
) -> dict[str, Any]:
    """The report as it is now, for a client that draws it itself. A report that the client kept
    from an earlier session is taken back first."""
    reports = ls.session.reports
    report_id = params.report_id
    if params.kept is not None:
        kept, request = parse_stored_report(params.kept)
        report_id = kept.id
        if reports.get(report_id) is None:
            await ls.session.restore_report(kept, request)
    live = report_of(ls, report_id)
    if params.show:
        ls.session.reports.show(live.id)
    return await asyncio.to_thread(with_locations, live.report, ls.session.locate)


async def _show(
    ls: SightlineServer, params: ShowParams, token: types.ProgressToken | None
) -> ShownReport:
    """Open the report's document, and return the report as it is now."""
    live = report_of(ls, params.report_id)
    ls.session.reports.show(live.id)
    uri = await show_report(ls, live, focus=params.take_focus)
    report = await asyncio.to_thread(with_locations, live.report, ls.session.locate)
    return ShownReport(uri=uri, shown=uri is not None, report=report)


async def _dismiss(
    ls: SightlineServer, params: DismissParams, token: types.ProgressToken | None
) -> Dismissed:
    """Remove lenses and hovers from the editor; the reports are kept."""
    reports = ls.session.reports
    reports_to_dismiss = reports.shown() if params.all else [report_of(ls, params.report_id)]
    return Dismissed(
        dismissed=tuple(live.id for live in reports_to_dismiss if reports.dismiss(live.id))
    )


async def _export(
    ls: SightlineServer, params: ExportParams, token: types.ProgressToken | None
) -> Exported:
    """The report in one of its formats; if ``show`` is set, opened as a file in the cache
    folder."""
    live = report_of(ls, params.report_id)
    suffix, content = _render(ls, live, params.format)
    uri = None
    if params.show:
        file = report_folder(ls) / f"{live.id}.{suffix}"
        if await write_or_warn(ls, file, content) and await show(ls, file.as_uri()):
            uri = file.as_uri()
    return Exported(report_id=live.id, format=params.format, content=content, uri=uri)


def _render(ls: SightlineServer, live: LiveReport, form: str) -> tuple[str, str]:
    from explorer_core import report as render

    report: Report = live.report
    match form:
        case "markdown":
            return "md", markdown(ls, live)
        case "json":
            return "json", render.render_json(report)
        case "text":
            return "txt", render.render_text(report, ls.session.workspace.settings().report_chars)
        case "codetour":
            return "tour", render.render_codetour(report, partial(_uri_if_ambiguous, ls))
        case "mermaid":
            return "mmd", render.render_mermaid(report)
        case _:
            raise BadRequest(
                f"There is no format {form}; use markdown, json, text, codetour or mermaid."
            )


def _uri_if_ambiguous(ls: SightlineServer, path: str) -> str | None:
    """A file's URI if there are several folders, since its path alone would be ambiguous."""
    location = ls.session.location(path, None) if len(ls.session.workspace.folders) > 1 else None
    return location and location.uri
