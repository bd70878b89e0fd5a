"""A report as a document: virtual where the client can show those, else a read-only file.

Repository text in it is escaped, so it can be no markup of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from lsprotocol import types

from explorer_core.contracts import Report
from explorer_core.workspace.caches import cache_root
from explorer_core.workspace.writing import remove, write_whole
from lsp_server.connection.greeting import REPORT_SCHEME
from lsp_server.convert import uri_to_path
from lsp_server.reports.kept import REPORT_ID
from lsp_server.reports.live import LiveReport
from lsp_server.reports.showing import show

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer

_FOLDER = "reports"
_KEPT_FILES = 50
_TITLE_WORDS = 8
_TITLE_CHARS = 60


def _has_virtual_documents(ls: SightlineServer) -> bool:
    """Whether the client asks us for the text of our own URIs."""
    workspace = ls.client_capabilities.workspace
    return workspace is not None and workspace.text_document_content is not None


def virtual_uri(report: Report) -> str:
    """The URI of a report's virtual document; editors show its last part as a title."""
    words = re.findall(r"[^\W_]+", report.query.lower())
    title = "-".join(words[:_TITLE_WORDS])[:_TITLE_CHARS].strip("-") or "report"
    return f"{REPORT_SCHEME}:/{report.id}/{quote(title)}.md"


def report_id_of(ls: SightlineServer, uri: str) -> str | None:
    """The id of the report that a document shows, None for any other document."""
    if uri.startswith(f"{REPORT_SCHEME}:"):
        name = uri.partition(":")[2].strip("/").partition("/")[0]
    else:
        file = uri_to_path(uri)
        if file is None or file.suffix != ".md" or file.parent != folder(ls):
            return None
        name = file.name
    report_id = name.removesuffix(".md")
    return report_id if REPORT_ID.fullmatch(report_id) else None


def folder(ls: SightlineServer) -> Path:
    """Where report files are written."""
    return cache_root(ls.session.settings()) / _FOLDER


def markdown(ls: SightlineServer, live: LiveReport) -> str:
    """The report as of now, its places links into the files."""
    from explorer_core.report import render_markdown

    return render_markdown(live.report, ls.session.link)


async def show_report(ls: SightlineServer, live: LiveReport, *, focus: bool = True) -> str | None:
    """Open the report's document, and return its URI. None where the client cannot open documents,
    or the file cannot be written; a message to the user says so."""
    if _has_virtual_documents(ls):
        uri = virtual_uri(live.report)
        return uri if await show(ls, uri, focus=focus) else None
    file = folder(ls) / f"{live.id}.md"
    if not await written(ls, file, markdown(ls, live)):
        return None
    if await show(ls, file.as_uri(), focus=focus):
        return file.as_uri()
    said = types.ShowMessageParams(types.MessageType.Info, f"The report is in {file}.")
    ls.window_show_message(said)
    return None


async def written(ls: SightlineServer, file: Path, text: str) -> bool:
    """Whether a file could be written; the user is told if not."""
    try:
        await asyncio.to_thread(write, file, text)
    except OSError as error:
        why = error.strerror or type(error).__name__
        said = f"{file} cannot be written ({why}); set cache_dir to a folder that can be."
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Warning, said))
        return False
    return True


def write(file: Path, text: str) -> None:
    """Write a file that is read-only for the user, and forget the oldest ones. Raises OSError."""
    with contextlib.suppress(FileNotFoundError):
        file.chmod(0o644)  # Windows replaces no read-only file
    write_whole(file, text, mode=0o444)
    for old in sorted(file.parent.glob("*.*"), key=_written_at)[:-_KEPT_FILES]:
        with contextlib.suppress(OSError):  # gone, or open in another program
            remove(old)


def _written_at(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except FileNotFoundError:  # another process forgets old ones, too
        return 0.0
