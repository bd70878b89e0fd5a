"""Follows files that are changed, created, deleted or renamed on disk.

A client that supports watching files is asked to. Otherwise we use its notifications of saved,
created, deleted and renamed files, check the files of live reports every few seconds, and let each
question check all files.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from explorer_core.workspace import WorkspaceError
from lsp_server.workspace.configuration import WORKSPACE_FILE

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer
    from lsp_server.workspace.opened import OpenedWorkspace

_PAUSE_S = 0.2
_POLL_INTERVAL_S = 2.0
_ANSWER_TIMEOUT_S = 5.0
_ALL_FILES = types.FileOperationRegistrationOptions(
    filters=[types.FileOperationFilter(types.FileOperationPattern(glob="**/*"), scheme="file")]
)


def register(server: SightlineServer) -> None:
    """Follow the disk."""
    watcher = server.watcher

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def changed(ls: SightlineServer, params: types.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            watcher.note_change(change.uri, listing=change.type != types.FileChangeType.Changed)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE, types.SaveOptions(include_text=False))
    def saved(ls: SightlineServer, params: types.DidSaveTextDocumentParams) -> None:
        watcher.note_change(params.text_document.uri, listing=False)

    @server.feature(types.WORKSPACE_DID_CREATE_FILES, _ALL_FILES)
    def created(ls: SightlineServer, params: types.CreateFilesParams) -> None:
        for file in params.files:
            watcher.note_change(file.uri, listing=True)

    @server.feature(types.WORKSPACE_DID_DELETE_FILES, _ALL_FILES)
    def deleted(ls: SightlineServer, params: types.DeleteFilesParams) -> None:
        for file in params.files:
            watcher.note_change(file.uri, listing=True)

    @server.feature(types.WORKSPACE_DID_RENAME_FILES, _ALL_FILES)
    def renamed(ls: SightlineServer, params: types.RenameFilesParams) -> None:
        for file in params.files:
            ls.session.handle_rename(file.old_uri, file.new_uri)
            watcher.note_change(file.old_uri, listing=True)
            watcher.note_change(file.new_uri, listing=True)


class Watcher:
    """Collects changes for a moment, then reports them to the session together."""

    def __init__(self, ls: SightlineServer) -> None:
        self._ls = ls
        self._changed_uris: set[str] = set()
        self._listing_changed = False
        self._notifying: asyncio.Task[None] | None = None
        self._polling: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Ask the client to watch; if it cannot, poll."""
        if await self._register():
            self._ls.session.watch()
        else:
            self._polling = asyncio.create_task(self._poll())

    def stop(self) -> None:
        for task in (self._notifying, self._polling):
            if task is not None:
                task.cancel()

    def note_change(self, uri: str, *, listing: bool) -> None:
        """Note that something happened to a file; ``listing`` if it was created or deleted."""
        self._changed_uris.add(uri)
        self._listing_changed |= listing
        if self._notifying is None or self._notifying.done():
            self._notifying = asyncio.create_task(self._notify_session())

    async def _notify_session(self) -> None:
        while self._changed_uris:
            await asyncio.sleep(_PAUSE_S)
            uris, self._changed_uris = self._changed_uris, set()
            listing, self._listing_changed = self._listing_changed, False
            if any(uri.endswith(f"/{WORKSPACE_FILE}") for uri in uris):
                await self._ls.session.workspace.reload_settings()
            await self._ls.session.files_changed(uris, listing=listing)

    async def _register(self) -> bool:
        workspace = self._ls.client_capabilities.workspace
        watched = workspace.did_change_watched_files if workspace else None
        if watched is None or not watched.dynamic_registration:
            return False
        options = types.DidChangeWatchedFilesRegistrationOptions(
            watchers=[types.FileSystemWatcher(glob_pattern="**/*")]
        )
        registration = types.Registration(
            "sightline-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options
        )
        try:
            await asyncio.wait_for(
                self._ls.client_register_capability_async(types.RegistrationParams([registration])),
                timeout=_ANSWER_TIMEOUT_S,
            )
        except (JsonRpcException, TimeoutError):
            return False
        return True

    async def _poll(self) -> None:
        stamps: dict[str, int] = {}
        while True:
            await asyncio.sleep(_POLL_INTERVAL_S)
            session = self._ls.session
            paths, opened = session.reports.paths(), session.workspace.opened
            if not paths or opened is None:
                continue
            current_stamps = await asyncio.to_thread(_stamps, opened, paths)
            # A file checked for the first time may have changed since its report was made.
            changed = [path for path in current_stamps if stamps.get(path) != current_stamps[path]]
            stamps = current_stamps
            await session.update_reports(changed)


def _stamps(opened: OpenedWorkspace, paths: list[str]) -> dict[str, int]:
    stamps = dict.fromkeys(paths, 0)
    for path in paths:
        with contextlib.suppress(OSError, WorkspaceError):
            stamps[path] = opened.workspace.absolute(path).stat().st_mtime_ns
    return stamps
