"""Routes an agent's question to the workspace's language server, or answers it here without one."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer_core.contracts import ExploreRequest, Report
from explorer_core.contracts.survey import SurveySummary
from explorer_core.workspace import Workspace, WorkspaceError
from lsp_server.attached import client, endpoint
from lsp_server.attached.wire import ExploreCall
from lsp_server.background import BackgroundTasks
from lsp_server.executing.surveying import survey
from lsp_server.mcp.kept import Lines, listed_places
from lsp_server.protocol import BadRequest, SurveyParams
from lsp_server.workspace import configuration
from lsp_server.workspace.opening import globs_within, open_workspace, real_path

if TYPE_CHECKING:
    from explorer_core.events import Event
    from explorer_core.explorer import Explorer

logger = logging.getLogger(__name__)

_MAX_IDLE = 3
"""Most idle workspaces that are kept open."""

OnProgress = Callable[[str, float | None], None]


class Unanswerable(Exception):  # noqa: N818 - an ordinary outcome, told in one sentence
    """The question cannot be answered as asked; the message says what to do."""


@dataclass(slots=True)
class OpenWorkspace:
    """One workspace and, once it was needed, our own explorer for it."""

    workspace: Workspace
    explorer: Explorer | None = None
    starting: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def name(self) -> str:
        """The folders, as every answer names them."""
        return ", ".join(str(root.path) for root in self.workspace.roots)

    def path(self, path: str) -> str:
        """The workspace path of a file; unchanged if it is outside the workspace."""
        try:
            return self.workspace.relative(path)
        except WorkspaceError:
            return path

    def globs(self, scope: Sequence[str]) -> tuple[str, ...]:
        """Globs relative to the workspace. Those in ``scope`` may begin with the absolute path of
        the workspace."""
        return tuple(glob for scope_entry in scope for glob in self._globs(scope_entry))

    def _globs(self, scope_entry: str) -> tuple[str, ...]:
        path = scope_entry.removeprefix("!")
        if not Path(path).is_absolute():
            return (scope_entry,)
        folders = Path(path).as_posix().split("/")
        plain = list(takewhile(lambda folder: not set("*?[\\") & set(folder), folders))
        literal_path, rest = "/".join(plain), folders[len(plain) :]
        try:
            if rest in ([], ["**"]):
                globs = globs_within(self.workspace, literal_path)
            else:
                relative = self.workspace.relative(literal_path)
                globs = ("/".join(["", *([relative] if relative != "." else []), *rest]),)
        except WorkspaceError:
            return (scope_entry,)
        return tuple(f"!{glob}" if scope_entry != path else glob for glob in globs)

    async def explore(
        self, request: ExploreRequest, earlier: Report | None, on_progress: OnProgress
    ) -> tuple[Report, dict[str, Lines]]:
        """The report, and its files by path as the process that made it sees them. ``earlier`` is
        the report that the question follows up, if it is kept. Raises `Unanswerable`."""
        request = request.model_copy(update={"scope": self.globs(request.scope)})
        call = ExploreCall(request=request, earlier=earlier)
        answer = await self._ask_server("explore", call.model_dump(mode="json"), on_progress)
        if answer is not None:
            report = Report.model_validate(answer)
            return report, await _readable_texts(report, self.lines)
        report = await self._explore_here(call, on_progress)
        return report, await _readable_texts(report, self._lines_here)

    async def survey(self, params: SurveyParams, on_progress: OnProgress) -> SurveySummary:
        """The summary of a survey. Raises `Unanswerable`."""
        from explorer_core.errors import ExploreError

        params = params.model_copy(update={"scope": self.globs(params.scope)})
        answer = await self._ask_server("survey", params.model_dump(mode="json"), on_progress)
        if answer is not None:
            return SurveySummary.model_validate(answer)
        try:
            return await survey(await self._own_explorer(), params, on_progress)
        except (BadRequest, ExploreError, WorkspaceError) as error:
            raise Unanswerable(str(error)) from error

    async def lines(self, path: str) -> Lines:
        """The current lines of a file, unsaved text first. Raises `Unanswerable`."""
        answer = await self._ask_server("read", {"path": path})
        if answer is not None:
            return list(map(str, answer["lines"]))
        return await self._lines_here(path)

    async def _lines_here(self, path: str) -> Lines:
        try:
            return (await asyncio.to_thread(self.workspace.read, path)).lines
        except WorkspaceError as error:
            raise Unanswerable(str(error)) from error

    async def close(self) -> None:
        """Close our own explorer, if there is one."""
        if self.explorer is not None:
            await self.explorer.close()

    async def _ask_server(
        self, method: str, params: dict[str, Any], on_progress: OnProgress | None = None
    ) -> dict[str, Any] | None:
        """The answer of this workspace's language server; None if there is none. Raises
        `Unanswerable`."""
        path = endpoint.endpoint_path(self.workspace)
        found = await asyncio.to_thread(endpoint.read, path)
        if found is None:
            return None

        def on_event(event: dict[str, Any]) -> None:
            if on_progress is not None:
                on_progress(str(event.get("message")), event.get("fraction"))

        try:
            return await client.call(found, method, params, on_event)
        except client.CallRefused as error:
            raise Unanswerable(str(error)) from error
        except client.ServerGone:
            # A server that is alive will write its file again.
            await asyncio.to_thread(endpoint.withdraw, found, path)
            return None

    async def _explore_here(self, call: ExploreCall, on_progress: OnProgress) -> Report:
        from explorer_core.errors import ExploreError

        def on_event(event: Event) -> None:
            on_progress(event.message, event.fraction)

        explorer = await self._own_explorer()
        if call.earlier is not None:
            explorer.remember_report(call.earlier)
        try:
            return await explorer.explore(call.request, on_event=on_event)
        except (ExploreError, WorkspaceError) as error:
            raise Unanswerable(str(error)) from error

    async def _own_explorer(self) -> Explorer:
        from explorer_core.explorer import Explorer

        async with self.starting:
            if self.explorer is None:
                self.explorer = await asyncio.to_thread(Explorer, self.workspace)
            return self.explorer


async def _readable_texts(
    report: Report, read: Callable[[str], Awaitable[Lines]]
) -> dict[str, Lines]:
    """The lines of a report's files, without files that can no longer be read."""
    texts: dict[str, Lines] = {}

    async def read_file(path: str) -> None:
        with contextlib.suppress(Unanswerable):
            texts[path] = await read(path)

    await asyncio.gather(*map(read_file, {path for path, _ in listed_places(report)}))
    return texts


@dataclass(slots=True)
class _WorkspaceEntry:
    """A workspace that is open or being opened, and the number of calls that use it."""

    opening: asyncio.Task[OpenWorkspace]
    users: int = 0


async def _close(entry: _WorkspaceEntry) -> None:
    try:
        await (await entry.opening).close()
    except Unanswerable:
        pass  # it could not be opened, which its callers were told
    except Exception:
        logger.exception("A workspace could not be closed.")


class Workspaces:
    """The workspaces of agents, each opened by the first call that uses it.

    ``folders`` are used if a client names none; with ``confined`` a client may only name folders
    inside of them. ``flags`` are settings from the command line.
    """

    def __init__(
        self, folders: Sequence[str], flags: dict[str, Any], *, confined: bool = False
    ) -> None:
        self._folders = [real_path(folder) for folder in folders]
        self._flags = flags
        self._confined = confined
        self._entries: OrderedDict[tuple[str, ...], _WorkspaceEntry] = OrderedDict()
        self._closing = BackgroundTasks()
        """What closes workspaces: cancelling the call that started it does not stop it."""

    @asynccontextmanager
    async def using(self, roots: Sequence[Path]) -> AsyncGenerator[OpenWorkspace]:
        """Context with the workspace of a client's roots, which is not closed before the body ends.

        A folder that takes long to open delays only calls that use it. Raises `Unanswerable`.
        """
        key = await self._folders_of(roots)
        entry = self._entries.get(key) or self._begin_opening(key)
        self._entries.move_to_end(key)
        entry.users += 1
        try:
            idle = [each for each, other in self._entries.items() if not other.users]
            for each in idle[:-_MAX_IDLE]:
                self._closing.start(_close(self._entries.pop(each)))
            # Shielded: another call may wait for the same folder when this one is cancelled.
            yield await asyncio.shield(entry.opening)
        finally:
            entry.users -= 1

    async def name(self, roots: Sequence[Path]) -> str:
        """The folders for a client's roots, as answers name them."""
        return ", ".join(await self._folders_of(roots))

    async def close(self) -> None:
        """Close every workspace."""
        while self._entries:
            self._closing.start(_close(self._entries.popitem()[1]))
        await self._closing.wait()

    def _begin_opening(self, key: tuple[str, ...]) -> _WorkspaceEntry:
        """Begin to open a workspace. If that fails, the next call tries again."""
        opening = asyncio.create_task(asyncio.to_thread(self._open, key))
        entry = self._entries[key] = _WorkspaceEntry(opening)

        def forget_if_failed(task: asyncio.Task[OpenWorkspace]) -> None:
            if (task.cancelled() or task.exception()) and self._entries.get(key) is entry:
                del self._entries[key]

        opening.add_done_callback(forget_if_failed)
        return entry

    async def _folders_of(self, roots: Sequence[Path]) -> tuple[str, ...]:
        allowed = await asyncio.to_thread(self._allowed_roots, roots)
        return tuple(str(each) for each in allowed or self._folders)

    def _allowed_roots(self, roots: Sequence[Path]) -> list[Path]:
        resolved = [real_path(root) for root in roots]
        if not self._confined:
            return resolved
        return [
            root
            for root in resolved
            if any(root.is_relative_to(folder) for folder in self._folders)
        ]

    def _open(self, key: tuple[str, ...]) -> OpenWorkspace:
        loaded = configuration.load(key, flags=self._flags)
        try:
            workspace, missing = open_workspace(key, loaded.settings)
        except WorkspaceError as error:
            raise Unanswerable(str(error)) from error
        for problem in (*missing, *(each.message for each in loaded.diagnostics)):
            logger.warning("%s", problem)
        return OpenWorkspace(workspace)
