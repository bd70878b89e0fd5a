"""One client's live state: its folders, open documents, settings, explorer and reports."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import (
    AsyncGenerator,
    Callable,
    Collection,
    Coroutine,
    Generator,
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

from lsprotocol.types import (
    Location,
    PositionEncodingKind,
    Range,
    TextDocumentContentChangeEvent,
)

from explorer_core.contracts import ExploreRequest, LineRange, Report, Settings
from explorer_core.workspace import WorkspaceError
from lsp_server import garbage
from lsp_server.convert import Encoding, Folder, split_lines, to_range, uri_to_path
from lsp_server.protocol import BadRequest
from lsp_server.reports.drift import LineEdit
from lsp_server.reports.kept import relocate_quotes
from lsp_server.reports.live import LiveReport
from lsp_server.reports.reports import Lines, Reports, Step
from lsp_server.reports.vouching import Vouching
from lsp_server.workspace.configuration import load
from lsp_server.workspace.documents import Documents
from lsp_server.workspace.opened import OpenedWorkspace, build, path_moves

if TYPE_CHECKING:
    from explorer_core.events import Event
    from explorer_core.judges.models.editor import AskEditor


class Session:
    """What one client has open. Everything here runs on the event loop.

    The workspace is opened by the first question or by `keep_open`, and reopened after folders or
    settings have changed. Explorations under way finish on the workspace they started with.
    ``warn`` shows the user one sentence. ``on_reports`` is called whenever a report should be
    redrawn, ``on_open`` when the workspace was opened.
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
        self.vouching = Vouching(self.reports, self._spawn)
        self.is_watched = False
        self._folders: tuple[Folder, ...] = ()
        self._initial_settings: Mapping[str, Any] = {}
        self._editor_settings: Mapping[str, Any] = {}
        self._warn = warn
        self._on_open = on_open
        self._ask_editor = ask_editor
        self._warned: set[str] = set()
        self._opening = asyncio.Lock()
        self._opened: OpenedWorkspace | None = None
        self._retired: OpenedWorkspace | None = None
        self._is_kept_open = False
        self._tasks: set[asyncio.Task[None]] = set()

    # folders, settings, documents

    async def use_folders(self, folders: Sequence[Folder]) -> None:
        """Replace the workspace's folders."""
        if tuple(folders) != self._folders:
            self._folders = tuple(folders)
            await self._retire()

    @property
    def folders(self) -> tuple[Folder, ...]:
        return self._folders

    def use_initial_settings(self, values: Mapping[str, Any]) -> None:
        """Set the settings given in ``initialize``; those given later take precedence."""
        self._initial_settings = dict(values)

    async def use_editor_settings(self, values: Mapping[str, Any]) -> None:
        """Replace the settings that the editor gave after ``initialize``."""
        if dict(values) != dict(self._editor_settings):
            self._editor_settings = dict(values)
            await self._retire()

    def settings(self) -> Settings:
        """The settings in force. Before the workspace is opened for the first time, only those of
        the user and the editor are known."""
        opened = self._last_opened
        return opened.settings if opened else load(editor=self._all_editor_settings).settings

    @property
    def _all_editor_settings(self) -> dict[str, Any]:
        return {**self._initial_settings, **self._editor_settings}

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
        return (await self._open()).path(uri)

    def known_path(self, uri: str) -> str | None:
        """`path` without opening the workspace: None also if it was not opened yet."""
        opened = self._last_opened
        return opened.path(uri) if opened else None

    def is_inside(self, uri: str) -> bool:
        """Whether a URI names a file of the workspace; judged by its folders until it is open."""
        if self._last_opened is not None:
            return self.known_path(uri) is not None
        file = uri_to_path(uri)
        return file is not None and any(file.is_relative_to(each.path) for each in self._folders)

    @property
    def opened(self) -> OpenedWorkspace | None:
        """The workspace, if it is open."""
        return self._opened

    @property
    def _last_opened(self) -> OpenedWorkspace | None:
        """The open workspace, or the previous one until it is reopened."""
        return self._opened or self._retired

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
        opened = self._last_opened
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
        opened = self._last_opened
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
            async with self.using() as opened:
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
        async with self.using() as opened:
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
        while opened.retired and self._folders:
            before, opened = opened, await self._open()
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

    @asynccontextmanager
    async def using(self) -> AsyncGenerator[OpenedWorkspace]:
        """Context with the open workspace, which is not closed before the body ends. Raises
        `BadRequest`."""
        opened = await self._open()
        with self._in_use(opened):
            yield opened

    @contextmanager
    def _in_use(self, opened: OpenedWorkspace) -> Generator[None]:
        opened.users += 1
        try:
            yield
        finally:
            opened.users -= 1
            self._close_if_unused(opened)

    def watch(self) -> None:
        """Note that the client reports every change on disk from now on."""
        self.is_watched = True
        if self._opened is not None:
            self._opened.explorer.watch()

    async def files_changed(self, uris: Collection[str], *, listing: bool) -> None:
        """Handle changes on disk; ``listing`` if files were created or deleted."""
        opened = self._opened
        if opened is None:
            return
        paths = await asyncio.to_thread(lambda: {opened.path(uri) for uri in uris})
        known = {path for path in paths if path is not None}
        below = tuple(f"{path}/" for path in known)
        await self.update_reports(known | {p for p in self.reports.paths() if p.startswith(below)})
        if not opened.retired:
            with self._in_use(opened):
                await opened.explorer.files_changed(known, listing=listing)

    def handle_rename(self, old_uri: str, new_uri: str) -> None:
        """Handle a renamed file or folder: links move with it."""
        old, new = self.known_path(old_uri), self.known_path(new_uri)
        if old is None or new is None:
            return
        self.reports.rename_files(
            lambda path: new + path[len(old) :] if f"{path}/".startswith(f"{old}/") else path
        )

    async def reload_settings(self) -> None:
        """Handle a changed settings file."""
        await self._retire()

    async def update_reports(self, paths: Iterable[str]) -> None:
        """Update the reports for files that changed on disk."""
        opened = self._opened
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
        self._folders = ()
        await self._retire()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=5)

    # the workspace

    async def keep_open(self) -> None:
        """Keep the workspace open from now on, even before a question and after folders or settings
        have changed. Other programs can query it, and see unsaved text, only while it is open."""
        self._is_kept_open = True
        await self._reopen()

    async def _open(self) -> OpenedWorkspace:
        async with self._opening:
            if self._opened is None:
                if not self._folders:
                    raise BadRequest("No folder is open; open the folder you want to ask about.")
                opened = await asyncio.to_thread(
                    build, self._folders, self._all_editor_settings, self._ask_editor()
                )
                try:
                    self.warn_once(opened.problems)
                    self._on_open(opened)
                except BaseException:
                    await opened.close()
                    raise
                if self.is_watched:
                    opened.explorer.watch()
                self._opened = opened
                self._move_reports(opened)
                for uri, text in self.documents:
                    self._overlay(uri, text)
                # Edits were not followed while no workspace was open.
                await self.update_reports(self.reports.paths())
            return self._opened

    def _move_reports(self, opened: OpenedWorkspace) -> None:
        """Rename the files of reports after reopening: whether paths begin with a folder's name
        depends on the number of folders."""
        before, self._retired = self._retired, None
        if before is None:
            return
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
        if self._opened is None or (path := self._opened.path(uri)) is None:
            return None
        overlays = self._opened.workspace.overlays
        if text is None:
            overlays.discard(path)
        else:
            overlays.set(path, text)
            if (source := overlays.source(path)) is not None:
                self.reports.update_file(path, source.lines)
        return path

    async def _retire(self) -> None:
        async with self._opening:
            opened, self._opened = self._opened, None
        if opened is not None:
            self._retired = opened
            opened.retired = True
            self._close_if_unused(opened)
        if self._folders and self._is_kept_open:
            self._spawn(self._reopen())

    async def _reopen(self) -> None:
        """Open the workspace without waiting for a question, so that other programs find it and
        reports follow edits."""
        with contextlib.suppress(BadRequest):
            await self._open()

    def _close_if_unused(self, opened: OpenedWorkspace) -> None:
        if opened.retired and opened.users == 0:
            self._spawn(self._close(opened))

    async def _close(self, opened: OpenedWorkspace) -> None:
        await opened.close()
        garbage.collect_all()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
