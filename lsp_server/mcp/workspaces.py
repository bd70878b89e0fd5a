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
from lsp_server.executing.surveying import survey
from lsp_server.mcp.kept import Lines, listed
from lsp_server.protocol import BadRequest, SurveyParams
from lsp_server.workspace import configuration
from lsp_server.workspace.opening import globs_within, open_workspace, real_path

if TYPE_CHECKING:
    from explorer_core.events import Event
    from explorer_core.explorer import Explorer

logger = logging.getLogger(__name__)

_OPEN = 3
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

    def path(self, given: str) -> str:
        """The workspace path of a file; unchanged if it is outside the workspace."""
        try:
            return self.workspace.relative(given)
        except WorkspaceError:
            return given

    def globs(self, scope: Sequence[str]) -> tuple[str, ...]:
        """Globs relative to the workspace. Those in ``scope`` may begin with the absolute path of
        the workspace."""
        return tuple(glob for given in scope for glob in self._globs(given))

    def _globs(self, given: str) -> tuple[str, ...]:
        path = given.removeprefix("!")
        if not Path(path).is_absolute():
            return (given,)
        folders = Path(path).as_posix().split("/")
        plain = list(takewhile(lambda folder: not set("*?[\\") & set(folder), folders))
        whole, below = "/".join(plain), folders[len(plain) :]
        try:
            if below in ([], ["**"]):
                globs = globs_within(self.workspace, whole)
            else:
                inside = self.workspace.relative(whole)
                globs = ("/".join(["", *([inside] if inside != "." else []), *below]),)
        except WorkspaceError:
            return (given,)
        return tuple(f"!{glob}" if given != path else glob for glob in globs)

    async def explore(
        self, request: ExploreRequest, earlier: Report | None, on_progress: OnProgress
    ) -> tuple[Report, dict[str, Lines]]:
        """The report, and its files by path as the process that made it sees them. ``earlier`` is
        the report that the question follows up, if it is kept. Raises `Unanswerable`."""
        request = request.model_copy(update={"scope": self.globs(request.scope)})
        asked = ExploreCall(request=request, earlier=earlier)
        told = await self._asked("explore", asked.model_dump(mode="json"), on_progress)
        if told is not None:
            report = Report.model_validate(told)
            return report, await _texts(report, self.lines)
        report = await self._explore_here(asked, on_progress)
        return report, await _texts(report, self._lines_here)

    async def survey(self, params: SurveyParams, on_progress: OnProgress) -> SurveySummary:
        """The summary of a survey. Raises `Unanswerable`."""
        from explorer_core.errors import ExploreError

        params = params.model_copy(update={"scope": self.globs(params.scope)})
        told = await self._asked("survey", params.model_dump(mode="json"), on_progress)
        if told is not None:
            return SurveySummary.model_validate(told)
        try:
            return await survey(await self._own_explorer(), params, on_progress)
        except (BadRequest, ExploreError, WorkspaceError) as error:
            raise Unanswerable(str(error)) from error

    async def lines(self, path: str) -> Lines:
        """The current lines of a file, unsaved text first. Raises `Unanswerable`."""
        told = await self._asked("read", {"path": path})
        if told is not None:
            return list(map(str, told["lines"]))
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

    async def _asked(
        self, method: str, params: dict[str, Any], on_progress: OnProgress | None = None
    ) -> dict[str, Any] | None:
        """The answer of this workspace's language server; None if there is none. Raises
        `Unanswerable`."""
        path = endpoint.endpoint_path(self.workspace)
        found = await asyncio.to_thread(endpoint.read, path)
        if found is None:
            return None

        def told(event: dict[str, Any]) -> None:
            if on_progress is not None:
                on_progress(str(event.get("message")), event.get("fraction"))

        try:
            return await client.call(found, method, params, told)
        except client.CallRefused as error:
            raise Unanswerable(str(error)) from error
        except client.ServerGone:
            # A server that is alive will write its file again.
            await asyncio.to_thread(endpoint.withdraw, found, path)
            return None

    async def _explore_here(self, asked: ExploreCall, on_progress: OnProgress) -> Report:
        from explorer_core.errors import ExploreError

        def told(event: Event) -> None:
            on_progress(event.message, event.fraction)

        explorer = await self._own_explorer()
        if asked.earlier is not None:
            explorer.recall(asked.earlier)
        try:
            return await explorer.explore(asked.request, on_event=told)
        except (ExploreError, WorkspaceError) as error:
            raise Unanswerable(str(error)) from error

    async def _own_explorer(self) -> Explorer:
        from explorer_core.explorer import Explorer

        async with self.starting:
            if self.explorer is None:
                self.explorer = await asyncio.to_thread(Explorer, self.workspace)
            return self.explorer


async def _texts(report: Report, read: Callable[[str], Awaitable[Lines]]) -> dict[str, Lines]:
    """The lines of a report's files, without files that can no longer be read."""
    texts: dict[str, Lines] = {}

    async def take(path: str) -> None:
        with contextlib.suppress(Unanswerable):
            texts[path] = await read(path)

    await asyncio.gather(*map(take, {path for path, _ in listed(report)}))
    return texts


@dataclass(slots=True)
class _Place:
    """A workspace that is open or being opened, and the number of calls that use it."""

    opening: asyncio.Task[OpenWorkspace]
    users: int = 0


async def _close(place: _Place) -> None:
    try:
        await (await place.opening).close()
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
        self._places: OrderedDict[tuple[str, ...], _Place] = OrderedDict()
        self._closing: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def using(self, roots: Sequence[Path]) -> AsyncGenerator[OpenWorkspace]:
        """Context with the workspace of a client's roots, which is not closed before the body ends.

        A folder that takes long to open delays only calls that use it. Raises `Unanswerable`.
        """
        key = await self._meant(roots)
        place = self._places.get(key) or self._place(key)
        self._places.move_to_end(key)
        place.users += 1
        try:
            idle = [each for each, other in self._places.items() if not other.users]
            for each in idle[:-_OPEN]:
                self._close_soon(self._places.pop(each))
            # Shielded: another call may wait for the same folder when this one is cancelled.
            yield await asyncio.shield(place.opening)
        finally:
            place.users -= 1

    async def name(self, roots: Sequence[Path]) -> str:
        """The folders for a client's roots, as answers name them."""
        return ", ".join(await self._meant(roots))

    async def close(self) -> None:
        """Close every workspace."""
        while self._places:
            self._close_soon(self._places.popitem()[1])
        if self._closing:
            await asyncio.wait(self._closing)

    def _place(self, key: tuple[str, ...]) -> _Place:
        """Begin to open a workspace. If that fails, the next call tries again."""
        opening = asyncio.create_task(asyncio.to_thread(self._open, key))
        place = self._places[key] = _Place(opening)

        def ended(task: asyncio.Task[OpenWorkspace]) -> None:
            if (task.cancelled() or task.exception()) and self._places.get(key) is place:
                del self._places[key]

        opening.add_done_callback(ended)
        return place

    def _close_soon(self, place: _Place) -> None:
        """Close a workspace in the background, so that cancelling the current call does not stop
        that."""
        closing = asyncio.create_task(_close(place))
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    async def _meant(self, roots: Sequence[Path]) -> tuple[str, ...]:
        allowed = await asyncio.to_thread(self._allowed, roots)
        return tuple(str(each) for each in allowed or self._folders)

    def _allowed(self, roots: Sequence[Path]) -> list[Path]:
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
