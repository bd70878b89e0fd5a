"""The workspace that a client has open at the moment, from its opening to its replacement."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import (
    AsyncGenerator,
    Awaitable,
    Callable,
    Coroutine,
    Generator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

from explorer_core.contracts import Settings
from lsp_server import garbage
from lsp_server.convert import Folder
from lsp_server.protocol import BadRequest
from lsp_server.workspace.configuration import load
from lsp_server.workspace.opened import OpenedWorkspace, build

if TYPE_CHECKING:
    from explorer_core.judges.models.editor import AskEditor


class CurrentWorkspace:
    """The folders and settings of one client, and the workspace that is open over them.

    It is opened when first needed, or by `keep_open`, and reopened after folders or settings have
    changed. Whoever uses the retired one finishes with it; it is closed after its last user.
    ``on_open`` is called with a workspace that was opened; if it fails, the opening has failed.
    ``settle`` is then awaited with that workspace and the previous one, if there was one, before
    anybody gets it. ``spawn`` runs background work.
    """

    def __init__(
        self,
        on_open: Callable[[OpenedWorkspace], None],
        settle: Callable[[OpenedWorkspace, OpenedWorkspace | None], Awaitable[None]],
        spawn: Callable[[Coroutine[Any, Any, None]], object],
        ask_editor: Callable[[], AskEditor | None],
    ) -> None:
        self._on_open = on_open
        self._settle = settle
        self._spawn = spawn
        self._ask_editor = ask_editor
        self._folders: tuple[Folder, ...] = ()
        self._initial_settings: Mapping[str, Any] = {}
        self._editor_settings: Mapping[str, Any] = {}
        self._opening = asyncio.Lock()
        self._opened: OpenedWorkspace | None = None
        self._retired: OpenedWorkspace | None = None
        self._is_kept_open = False

    # folders and settings

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

    async def reload_settings(self) -> None:
        """Handle a changed settings file."""
        await self._retire()

    def settings(self) -> Settings:
        """The settings in force. Before the workspace is opened for the first time, only those of
        the user and the editor are known."""
        opened = self.last_opened
        return opened.settings if opened else load(editor=self._all_editor_settings).settings

    @property
    def _all_editor_settings(self) -> dict[str, Any]:
        return {**self._initial_settings, **self._editor_settings}

    # the open workspace

    @property
    def opened(self) -> OpenedWorkspace | None:
        """The workspace, if it is open."""
        return self._opened

    @property
    def last_opened(self) -> OpenedWorkspace | None:
        """The open workspace, or the previous one until it is reopened."""
        return self._opened or self._retired

    async def open(self) -> OpenedWorkspace:
        """The workspace, opened if it is not. Raises `BadRequest`."""
        async with self._opening:
            if self._opened is None:
                if not self._folders:
                    raise BadRequest("No folder is open; open the folder you want to ask about.")
                opened = await asyncio.to_thread(
                    build, self._folders, self._all_editor_settings, self._ask_editor()
                )
                try:
                    self._on_open(opened)
                except BaseException:
                    await opened.close()
                    raise
                self._opened = opened
                before, self._retired = self._retired, None
                await self._settle(opened, before)
            return self._opened

    @asynccontextmanager
    async def using(self) -> AsyncGenerator[OpenedWorkspace]:
        """Context with the open workspace, which is not closed before the body ends. Raises
        `BadRequest`."""
        opened = await self.open()
        with self.in_use(opened):
            yield opened

    @contextmanager
    def in_use(self, opened: OpenedWorkspace) -> Generator[None]:
        """Context in which a workspace that was open is not closed."""
        opened.users += 1
        try:
            yield
        finally:
            opened.users -= 1
            self._close_if_unused(opened)

    async def keep_open(self) -> None:
        """Keep the workspace open from now on, even before a question and after folders or settings
        have changed. Other programs can query it, and see unsaved text, only while it is open."""
        self._is_kept_open = True
        await self._reopen()

    async def close(self) -> None:
        """Close the workspace, as soon as nobody uses it, and its folders."""
        self._folders = ()
        await self._retire()

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
            await self.open()

    def _close_if_unused(self, opened: OpenedWorkspace) -> None:
        if opened.retired and opened.users == 0:
            self._spawn(_close(opened))


async def _close(opened: OpenedWorkspace) -> None:
    await opened.close()
    garbage.collect_all()
