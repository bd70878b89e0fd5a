"""One client's live state: its workspace, open documents and reports."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from lsprotocol.types import Location, PositionEncodingKind, Range, TextDocumentContentChangeEvent

from explorer_core.contracts import ExploreRequest, LineRange, Report
from explorer_core.workspace import WorkspaceError
from lsp_server import garbage
from lsp_server.background import BackgroundTasks
from lsp_server.convert import Encoding, split_lines, to_range, uri_to_path
from lsp_server.reports.drift import LineEdit
from lsp_server.reports.kept import relocate_quotes
from lsp_server.reports.live import LiveReport
from lsp_server.reports.reports import Lines, Reports, Step
from lsp_server.reports.vouching import Vouching
from lsp_server.workspace.current import CurrentWorkspace
from lsp_server.workspace.documents import Documents
from lsp_server.workspace.opened import OpenedWorkspace, path_moves

if TYPE_CHECKING:
    from explorer_core.events import Event
    from explorer_core.judges.models.editor import AskEditor

_CLOSING_LIMIT_S = 5.0


class Session:
    """What one client has open. Everything here runs on the event loop.

    Explorations under way finish on the workspace they started with, even if another is opened
    meanwhile. ``warn`` shows the user one sentence. ``on_reports`` is called whenever a report
    should be redrawn, ``on_open`` when the workspace was opened.
    """

    def __init__(
        self,
        warn: Callable[[str], None],
        on_reports: Callable[[], None] = lambda: None,
        on_open: Callable[[OpenedWorkspace], None] = lambda opened: None,
        ask_editor: Callable[[], AskEditor | None] = lambda: None,
    ) -> None:
        self.documents = Documents()
        self.encoding: Encoding = PositionEncodingKind.Utf16
        self.reports = Reports(on_reports)
        self._background = BackgroundTasks()
        self.vouching = Vouching(self.reports, self._background.start)
        self.is_watched = False
        self.workspace = CurrentWorkspace(
            self._announce, self._settle, self._background.start, ask_editor
        )
        self._warn = warn
        self._on_open = on_open
        self._warned: set[str] = set()

    # documents

    def open_document(self, uri: str, text: str) -> None:
        self._overlay(uri, self.documents.open(uri, text))

    def change_document(self, uri: str, changes: Sequence[TextDocumentContentChangeEvent]) -> None:
        text = self.documents.change(uri, changes, self.encoding)
        if text is not None:
            self._overlay(uri, text)

    def close_document(self, uri: str) -> str | None:
        """Forget an open document. Returns its path; None outside the open workspace."""
        self.documents.close(uri)
        return self._overlay(uri, None)

    # places

    async def path(self, uri: str) -> str | None:
        """The workspace path of a URI; None outside the workspace."""
        return (await self.workspace.open()).path(uri)

    def known_path(self, uri: str) -> str | None:
        """`path` without opening the workspace: None also if it was not opened yet."""
        opened = self.workspace.last_opened
        return opened.path(uri) if opened else None

    def is_inside(self, uri: str) -> bool:
        """Whether a URI names a file of the workspace; judged by its folders until it is open."""
        if self.workspace.last_opened is not None:
            return self.known_path(uri) is not None
        file = uri_to_path(uri)
        return file is not None and any(
            file.is_relative_to(each.path) for each in self.workspace.folders
        )

    def steps(self, uri: str) -> list[Step]:
        """The links of the shown reports in a document."""
        path = self.known_path(uri)
        return [] if path is None else self.reports.steps(path)

    def range(self, path: str, lines: LineRange) -> Range:
        """The LSP range of whole lines in a file that a report refers to."""
        return to_range(lines, self.reports.lines(path) or (), self.encoding)

    def location(self, path: str, lines: LineRange | None) -> Location | None:
        """The LSP location of lines in a file that a report refers to; None if there is none. Never
        reads from disk."""
        opened = self.workspace.last_opened
        try:
            uri = opened.places.uri(path) if opened else None
        except ValueError:
            return None
        span = self.range(path, lines or LineRange(start=1, end=1))
        return None if uri is None else Location(uri, span)

    def link(self, path: str, lines: LineRange | None) -> str | None:
        """`location` as the target of a link in Markdown."""
        location = self.location(path, lines)
        return location and f"{location.uri}#L{lines.start if lines else 1}"

    def locate(self, path: str, lines: LineRange) -> Location | None:
        """The LSP location of whole lines in any file; None if the file is gone. Blocking."""
        opened = self.workspace.last_opened
        if opened is None:
            return None
        try:
            uri = opened.places.uri(path)
            text = self.documents.get(uri)
            all_lines = split_lines(text) if text is not None else opened.workspace.read(path).lines
        except (WorkspaceError, ValueError):
            return None
        return Location(uri, to_range(lines, all_lines, self.encoding))

    # questions

    async def explore(
        self,
        request: ExploreRequest,
        *,
        on_event: Callable[[Event], None] | None = None,
        explain_ranking: bool = False,
        shown: bool = True,
    ) -> LiveReport:
        """Answer a question and keep the report; ``shown`` says whether the editor shows it.

        Raises `BadRequest`, and what `Explorer.explore` raises. Each message is one sentence.
        """
        with garbage.collecting_afterwards():
            async with self.workspace.using() as opened:
                report = await opened.explorer.explore(
                    request, on_event=on_event, explain_ranking=explain_ranking
                )
                texts = await opened.texts(LiveReport(report, request, {}).paths())
                live = LiveReport(report, request, texts)
                await self._add_report(live, texts, opened, shown=shown)
                await self.vouching.ask_about(live, opened, on_event)
            return live

    async def restore_report(self, report: Report, request: ExploreRequest) -> None:
        """Keep a report of an earlier session, and follow edits of its files from now on. It is
        not shown. Raises `BadRequest` if no folder is open."""
        async with self.workspace.using() as opened:
            texts = await opened.texts(LiveReport(report, request, {}).paths())
            live = LiveReport(relocate_quotes(report, texts), request, texts)
            opened.explorer.remember_report(live.report)
            await self._add_report(live, texts, opened, shown=False)

    async def _add_report(
        self,
        live: LiveReport,
        texts: dict[str, Lines | None],
        opened: OpenedWorkspace,
        *,
        shown: bool,
    ) -> None:
        """Add a report that was made in ``opened`` to the others. If folders or settings have
        changed meanwhile, it is first carried over to the current workspace."""
        while opened.retired and self.workspace.folders:
            before, opened = opened, await self.workspace.open()
            moves = path_moves(live.paths(), before, opened)
            live.rename(moves.__getitem__)
            known_lines = {moves[path]: lines for path, lines in texts.items()}
            texts = await opened.texts(live.paths())
            for path, lines in texts.items():
                if lines is None:
                    live.handle_lost_file(path)
                else:
                    live.follow(path, LineEdit.between(known_lines.get(path) or (), lines), lines)
        self.reports.add(live, texts, shown=shown)

    def watch(self) -> None:
        """Note that the client reports every change on disk from now on."""
        self.is_watched = True
        if self.workspace.opened is not None:
            self.workspace.opened.explorer.watch()

    async def files_changed(self, uris: Collection[str], *, listing: bool) -> None:
        """Handle changes on disk; ``listing`` if files were created or deleted."""
        opened = self.workspace.opened
        if opened is None:
            return
        paths = await asyncio.to_thread(lambda: {opened.path(uri) for uri in uris})
        known = {path for path in paths if path is not None}
        below = tuple(f"{path}/" for path in known)
        await self.update_reports(known | {p for p in self.reports.paths() if p.startswith(below)})
        if not opened.retired:
            with self.workspace.in_use(opened):
                await opened.explorer.files_changed(known, listing=listing)

    def handle_rename(self, old_uri: str, new_uri: str) -> None:
        """Handle a renamed file or folder: links move with it."""
        old, new = self.known_path(old_uri), self.known_path(new_uri)
        if old is None or new is None:
            return
        self.reports.rename_files(
            lambda path: new + path[len(old) :] if f"{path}/".startswith(f"{old}/") else path
        )

    async def update_reports(self, paths: Iterable[str]) -> None:
        """Update the reports for files that changed on disk."""
        opened = self.workspace.opened
        affected = {path for path in paths if self.reports.has_file(path)}
        if opened is None or not affected:
            return
        for path, lines in (await opened.texts(affected)).items():
            if lines is None:
                self.reports.forget_file(path)
            else:
                self.reports.update_file(path, lines)

    async def close(self) -> None:
        """Stop everything that runs for this client."""
        await self.workspace.close()
        await self._background.wait(at_most_s=_CLOSING_LIMIT_S)

    # the workspace

    def _announce(self, opened: OpenedWorkspace) -> None:
        """Tell the user what is wrong with a workspace that was opened, and the server of it."""
        self.warn_once(opened.problems)
        self._on_open(opened)

    async def _settle(self, opened: OpenedWorkspace, before: OpenedWorkspace | None) -> None:
        """Carry everything over to a workspace that was opened, in place of the one before."""
        if self.is_watched:
            opened.explorer.watch()
        if before is not None:
            self._move_reports(before, opened)
        for uri, text in self.documents:
            self._overlay(uri, text)
        # Edits were not followed while no workspace was open.
        await self.update_reports(self.reports.paths())

    def _move_reports(self, before: OpenedWorkspace, opened: OpenedWorkspace) -> None:
        """Rename the files of reports after reopening: whether paths begin with a folder's name
        depends on the number of folders."""
        moves = path_moves(self.reports.paths(), before, opened)
        if any(old != new for old, new in moves.items()):
            self.reports.rename_files(lambda path: moves.get(path, path))

    def warn_once(self, problems: Sequence[str]) -> None:
        """Show the user those messages that were not shown before."""
        for problem in problems:
            if problem not in self._warned:
                self._warned.add(problem)
                self._warn(problem)

    def _overlay(self, uri: str, text: str | None) -> str | None:
        if self.workspace.opened is None or (path := self.workspace.opened.path(uri)) is None:
            return None
        overlays = self.workspace.opened.workspace.overlays
        if text is None:
            overlays.discard(path)
        else:
            overlays.set(path, text)
            if (source := overlays.source(path)) is not None:
                self.reports.update_file(path, source.lines)
        return path
