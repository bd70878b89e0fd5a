"""A report as a document: virtual if the client supports that, otherwise a read-only file.

Repository text is escaped, so that it cannot act as markup.
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
from explorer_core.workspace.writing import remove, write_atomically
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


def _supports_virtual_documents(ls: SightlineServer) -> bool:
    """Whether the client can request the text of URIs with our scheme."""
    workspace = ls.client_capabilities.workspace
    return workspace is not None and workspace.text_document_content is not None


def virtual_uri(report: Report) -> str:
    """The URI of a report's virtual document; editors show its last part as the title."""
    words = re.findall(r"[^\W_]+", report.query.lower())
    title = "-".join(words[:_TITLE_WORDS])[:_TITLE_CHARS].strip("-") or "report"
    return f"{REPORT_SCHEME}:/{report.id}/{quote(title)}.md"


def report_id_of(ls: SightlineServer, uri: str) -> str | None:
    """The id of the report that a document shows; None for any other document."""
    if uri.startswith(f"{REPORT_SCHEME}:"):
        name = uri.partition(":")[2].strip("/").partition("/")[0]
    else:
        file = uri_to_path(uri)
        if file is None or file.suffix != ".md" or file.parent != report_folder(ls):
            return None
        name = file.name
    report_id = name.removesuffix(".md")
    return report_id if REPORT_ID.fullmatch(report_id) else None


def report_folder(ls: SightlineServer) -> Path:
    """The folder for report files."""
    return cache_root(ls.session.workspace.settings()) / _FOLDER


def markdown(ls: SightlineServer, live: LiveReport) -> str:
    """The report in its current state, with places as links into the files."""
    from explorer_core.report import render_markdown

    return render_markdown(live.report, ls.session.link)


async def show_report(ls: SightlineServer, live: LiveReport, *, focus: bool = True) -> str | None:
    """Open the report's document and return its URI. None if the client does not open it, or the
    file cannot be written; in the case of a file the user gets a message."""
    if _supports_virtual_documents(ls):
        uri = virtual_uri(live.report)
        return uri if await show(ls, uri, focus=focus) else None
    file = report_folder(ls) / f"{live.id}.md"
    if not await write_or_warn(ls, file, markdown(ls, live)):
        return None
    if await show(ls, file.as_uri(), focus=focus):
        return file.as_uri()
    message = types.ShowMessageParams(types.MessageType.Info, f"The report is in {file}.")
    ls.window_show_message(message)
    return None


async def write_or_warn(ls: SightlineServer, file: Path, text: str) -> bool:
    """Write a file. Returns whether that worked; if not, the user gets a message."""
    try:
        await asyncio.to_thread(write_report_file, file, text)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        message = f"{file} cannot be written ({reason}); set cache_dir to a writable folder."
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))
        return False
    return True


def write_report_file(file: Path, text: str) -> None:
    """Write a read-only file, and delete the oldest ones. Raises OSError."""
    with contextlib.suppress(FileNotFoundError):
        file.chmod(0o644)  # Windows does not replace read-only files
    write_atomically(file, text, mode=0o444)
    for old in sorted(file.parent.glob("*.*"), key=_written_at)[:-_KEPT_FILES]:
        with contextlib.suppress(OSError):  # gone, or open in another program
            remove(old)


def _written_at(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except FileNotFoundError:  # another process deletes old ones, too
        return 0.0
