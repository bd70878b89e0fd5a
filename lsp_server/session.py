"""One client's live state: its folders, open documents, settings, explorer and reports."""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol.types import Location, PositionEncodingKind, TextDocumentContentChangeEvent

from explorer_core.contracts import ExploreRequest, LineRange, Report
from explorer_core.workspace import Workspace, WorkspaceError
from lsp_server import configuration
from lsp_server.convert import Encoding, Folder, Places, split_lines, to_range, uri_to_path
from lsp_server.documents import Documents
from lsp_server.protocol import BadRequest

if TYPE_CHECKING:
    from explorer_core.explorer import Event, Explorer

REPORTS_KEPT = 50


@dataclass(slots=True)
class _Opened:
    """An explorer over the folders and settings of one moment, closed when nobody uses it."""

    workspace: Workspace
    explorer: Explorer
    places: Places
    problems: tuple[str, ...]
    users: int = 0
    retired: bool = False

    def path(self, uri: str) -> str | None:
        """The workspace's own name for the file at ``uri``, however the client spells it."""
        file = uri_to_path(uri)
        given = self.places.path(uri) or (str(file) if file else None)
        if given is None:
            return None
        try:
            return self.workspace.relative(given)
        except WorkspaceError:
            return None


class Session:
    """What one client has open. Everything here runs on the event loop.

    The workspace is opened at the first question and opened anew after folders or settings changed;
    explorations already under way finish on what they started with. ``warn`` shows the user one
    sentence.
    """

    def __init__(self, warn: Callable[[str], None]) -> None:
        self.documents = Documents()
        self.encoding: Encoding = PositionEncodingKind.Utf16
        self.reports: OrderedDict[str, Report] = OrderedDict()
        self._folders: tuple[Folder, ...] = ()
        self._editor_settings: Mapping[str, Any] = {}
        self._warn = warn
        self._warned: set[str] = set()
        self._opening = asyncio.Lock()
        self._opened: _Opened | None = None
        self._closing: set[asyncio.Task[None]] = set()

    async def use_folders(self, folders: Sequence[Folder]) -> None:
        """Replace the workspace's folders."""
        if tuple(folders) != self._folders:
            self._folders = tuple(folders)
            await self._retire()

    @property
    def folders(self) -> tuple[Folder, ...]:
        return self._folders

    async def use_editor_settings(self, values: Mapping[str, Any]) -> None:
        """Replace the settings the editor gave."""
        if dict(values) != dict(self._editor_settings):
            self._editor_settings = dict(values)
            await self._retire()

    def open_document(self, uri: str, text: str) -> None:
        self.documents.open(uri, text)
        self._overlay(uri, text)

    def change_document(self, uri: str, changes: Sequence[TextDocumentContentChangeEvent]) -> None:
        self._overlay(uri, self.documents.change(uri, changes, self.encoding))

    def close_document(self, uri: str) -> None:
        self.documents.close(uri)
        self._overlay(uri, None)

    async def path(self, uri: str) -> str | None:
        """The workspace path of a URI, None outside the workspace."""
        return (await self._open()).path(uri)

    async def explore(
        self,
        request: ExploreRequest,
        *,
        on_event: Callable[[Event], None] | None = None,
        explain_ranking: bool = False,
    ) -> tuple[Report, Callable[[str, LineRange], Location | None]]:
        """A report, and the function that locates its places.

        Raises `BadRequest`, and what `Explorer.explore` raises; each is one sentence.
        """
        opened = await self._open()
        opened.users += 1
        try:
            report = await opened.explorer.explore(
                request, on_event=on_event, explain_ranking=explain_ranking
            )
        finally:
            opened.users -= 1
            self._close_if_unused(opened)
        self._keep(report)
        return report, lambda path, lines: self._locate(opened, path, lines)

    async def close(self) -> None:
        """Stop everything that runs for this client."""
        await self._retire()
        if self._closing:
            await asyncio.wait(self._closing, timeout=5)

    def _keep(self, report: Report) -> None:
        self.reports[report.id] = report
        while len(self.reports) > REPORTS_KEPT:
            self.reports.popitem(last=False)

    async def _open(self) -> _Opened:
        async with self._opening:
            if self._opened is None:
                if not self._folders:
                    raise BadRequest("No folder is open; open the folder you want to ask about.")
                self._opened = await asyncio.to_thread(_build, self._folders, self._editor_settings)
                self._warn_once(self._opened.problems)
                for uri, text in self.documents:
                    self._overlay(uri, text)
            return self._opened

    def _warn_once(self, problems: Sequence[str]) -> None:
        for problem in problems:
            if problem not in self._warned:
                self._warned.add(problem)
                self._warn(problem)

    def _overlay(self, uri: str, text: str | None) -> None:
        if self._opened is None or (path := self._opened.path(uri)) is None:
            return
        if text is None:
            self._opened.workspace.overlays.discard(path)
        else:
            self._opened.workspace.overlays.set(path, text)

    async def _retire(self) -> None:
        async with self._opening:
            opened, self._opened = self._opened, None
        if opened is not None:
            opened.retired = True
            self._close_if_unused(opened)

    def _close_if_unused(self, opened: _Opened) -> None:
        if opened.retired and opened.users == 0:
            closing = asyncio.create_task(opened.explorer.close())
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)

    def _locate(self, opened: _Opened, path: str, lines: LineRange) -> Location | None:
        try:
            uri = opened.places.uri(path)
            text = self.documents.get(uri)
            known = split_lines(text) if text is not None else opened.workspace.read(path).lines
        except (WorkspaceError, ValueError):
            return None
        return Location(uri, to_range(lines, known, self.encoding))


def _build(folders: tuple[Folder, ...], editor_settings: Mapping[str, Any]) -> _Opened:
    # Imported here: the core takes longer to load than a client should wait for `initialize`.
    from explorer_core.explorer import Explorer

    paths = [str(folder.path) for folder in folders]
    loaded = configuration.load(paths, editor=editor_settings)
    try:
        workspace = Workspace.open(*paths, settings=loaded.settings)
    except WorkspaceError as error:
        raise BadRequest(str(error)) from error
    opened_as = {Path(os.path.realpath(folder.path)): folder for folder in reversed(folders)}
    places = Places(tuple((root.name, opened_as[root.path]) for root in workspace.roots))
    problems = tuple(problem.message for problem in loaded.diagnostics)
    return _Opened(workspace, Explorer(workspace), places, problems)
