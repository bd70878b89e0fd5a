"""Tells the client to redraw lenses, hints and reports, at most a few times a second.

A report document that is a file is rewritten if the client has it open.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from lsp_server.compilers.editor import wants_report_changes
from lsp_server.connection.greeting import REPORT_SCHEME
from lsp_server.reports.report_document import (
    markdown,
    report_folder,
    report_id_of,
    write_report_file,
)

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer

_REPORTS_CHANGED = "sightline/reportsChanged"
_PAUSE_S = 0.15
_ANSWER_TIMEOUT_S = 3.0


class Refresher:
    """Collects changes for a moment, then sends the client one round of refresh requests."""

    def __init__(self, ls: SightlineServer) -> None:
        self._ls = ls
        self._task: asyncio.Task[None] | None = None
        self._is_due_again = False
        self._sent_documents: set[str] = set()

    def note_sent_document(self, uri: str) -> None:
        """Note that the client has the text of this virtual document."""
        self._sent_documents.add(uri)

    def schedule(self) -> None:
        """Schedule a refresh. Must be called on the event loop."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        else:
            self._is_due_again = True

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        while True:
            self._is_due_again = False
            await asyncio.sleep(_PAUSE_S)
            with contextlib.suppress(JsonRpcException, TimeoutError):
                await asyncio.wait_for(self._refresh(), timeout=_ANSWER_TIMEOUT_S)
            if not self._is_due_again:
                return

    async def _refresh(self) -> None:
        ls = self._ls
        if not ls.protocol.initialized:
            return
        if wants_report_changes(ls.client_capabilities.experimental):
            ls.protocol.notify(_REPORTS_CHANGED, None)
        if (workspace := ls.client_capabilities.workspace) is None:
            return
        if workspace.code_lens and workspace.code_lens.refresh_support:
            await ls.workspace_code_lens_refresh_async(None)
        opened = ls.session.workspace.opened
        hints = opened is not None and opened.settings.inlay_hints
        if hints and workspace.inlay_hint and workspace.inlay_hint.refresh_support:
            await ls.workspace_inlay_hint_refresh_async(None)
        await self._refresh_documents()

    async def _refresh_documents(self) -> None:
        ls, reports = self._ls, self._ls.session.reports
        self._sent_documents = {
            uri for uri in self._sent_documents if reports.get(report_id_of(ls, uri) or "")
        }
        for uri in sorted(self._sent_documents):
            params = types.TextDocumentContentRefreshParams(uri)
            await ls.workspace_text_document_content_refresh_async(params)
        for uri, _ in ls.session.documents:
            report_id = report_id_of(ls, uri)
            live = reports.get(report_id) if report_id else None
            if live is not None and not uri.startswith(f"{REPORT_SCHEME}:"):
                # If it could not be written, the user was told so when it was opened.
                with contextlib.suppress(OSError):
                    await asyncio.to_thread(
                        write_report_file, report_folder(ls) / f"{live.id}.md", markdown(ls, live)
                    )
