"""Asks a question on behalf of a command: progress, cancellation, and the report over LSP."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcRequestCancelled

from explorer_core.contracts import ExploreRequest, LineRange, Report
from explorer_core.workspace import WorkspaceError
from lsp_server.convert import as_json, split_lines
from lsp_server.executing.progress import WorkDone, work_done
from lsp_server.protocol import (
    AnchorParams,
    BadRequest,
    ExploreParams,
    check_line,
    explore_request,
)
from lsp_server.reports.live import LiveReport
from lsp_server.reports.report_document import show_report

if TYPE_CHECKING:
    from explorer_core.events import Event
    from lsp_server.server import SightlineServer
    from lsp_server.workspace.opened import OpenedWorkspace

_URI = re.compile(r"(?P<not>!?)(?P<uri>[A-Za-z][A-Za-z0-9+.-]+://.*)", re.DOTALL)
Locate = Callable[[str, LineRange], types.Location | None]


async def resolve_request(ls: SightlineServer, params: ExploreParams) -> ExploreRequest:
    """The core's request, with URIs replaced by paths and globs. Raises `BadRequest`."""
    anchor = params.anchor
    if anchor is not None and (anchor.uri is not None or anchor.path):
        path, _ = await resolve_anchor(ls, anchor)
        anchor = anchor.model_copy(update={"path": path})
    scope = await scope_globs(ls, params.scope)
    return explore_request(params.model_copy(update={"anchor": anchor, "scope": scope}))


async def scope_globs(ls: SightlineServer, scope: tuple[str, ...]) -> tuple[str, ...]:
    """The globs of a scope, in which clients may also name files and folders by URI. Raises
    `BadRequest`."""
    if not any(_URI.match(each) for each in scope):
        return scope
    async with ls.session.workspace.using() as opened:
        return tuple(glob for each in scope for glob in _globs(opened, each))


def _globs(opened: OpenedWorkspace, scope_entry: str) -> tuple[str, ...]:
    if not (uri := _URI.match(scope_entry)):
        return (scope_entry,)
    globs = opened.globs(uri["uri"])
    if not globs:
        raise BadRequest(f"The scope {uri['uri']} is outside the workspace.")
    return tuple(uri["not"] + glob for glob in globs)


async def resolve_anchor(ls: SightlineServer, anchor: AnchorParams) -> tuple[str, Sequence[str]]:
    """The workspace path of an anchor and the lines of its file.

    Raises `BadRequest`, also if the file does not have the anchor's line.
    """
    path = await ls.session.path(anchor.uri) if anchor.uri else anchor.path
    if path is None:
        raise BadRequest(f"{anchor.uri} is outside the workspace.")
    text = ls.session.documents.get(anchor.uri) if anchor.uri else None
    lines = split_lines(text) if text is not None else await _read(ls, path)
    check_line(path, anchor.first_line, lines)
    return path, lines


async def _read(ls: SightlineServer, path: str) -> Sequence[str]:
    async with ls.session.workspace.using() as opened:
        try:
            return (await asyncio.to_thread(opened.workspace.read, path)).lines
        except WorkspaceError as error:
            raise BadRequest(str(error)) from error


async def ask(
    ls: SightlineServer,
    params: ExploreParams,
    request: ExploreRequest,
    token: types.ProgressToken | None,
) -> dict[str, Any]:
    """Explore, keep the report, show it if wanted, and return its JSON with locations."""

    async def answer(progress: WorkDone) -> LiveReport:
        async with _EventForwarder(ls, progress, params.partial_result_token) as forwarder:
            return await ls.session.explore(
                request, on_event=forwarder, explain_ranking=params.explain_ranking
            )

    live = await cancellable(ls, token, answer)
    if params.replaces:
        ls.session.reports.dismiss(params.replaces)
    if params.show:
        await show_report(ls, live)
    return await asyncio.to_thread(with_locations, live.report, ls.session.locate)


async def cancellable(
    ls: SightlineServer,
    token: types.ProgressToken | None,
    answer: Callable[[WorkDone], Any],
) -> Any:
    """Await ``answer``, but return at once if the client or the user cancels."""
    tasks: list[asyncio.Task[Any]] = []
    async with work_done(ls, token, lambda: tasks and tasks[0].cancel()) as progress:
        work = asyncio.create_task(answer(progress))
        tasks.append(work)
        try:
            # Shielded, so that the response need not wait for the work to wind down.
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            work.cancel()
            if progress.cancelled:
                raise JsonRpcRequestCancelled("The exploration was cancelled.") from None
            raise


class _EventForwarder:
    """Forwards the events of an exploration as progress, and the flow so far as partial results.

    Partial results are sent in order, and all before the end of the context.
    """

    def __init__(
        self, ls: SightlineServer, progress: WorkDone, token: types.ProgressToken | None
    ) -> None:
        self._ls = ls
        self._progress = progress
        self._token = token
        self._sending: asyncio.Task[None] | None = None

    async def __aenter__(self) -> _EventForwarder:
        return self

    async def __aexit__(self, kind: object, *_: object) -> None:
        if self._sending is not None:
            if kind is not None:
                self._sending.cancel()
            await asyncio.wait({self._sending})

    def __call__(self, event: Event) -> None:
        self._progress.report(event.message, event.fraction)
        if event.partial is not None and self._token is not None:
            sending = self._send(self._token, event.partial, self._sending)
            self._sending = asyncio.create_task(sending)

    async def _send(
        self, token: types.ProgressToken, partial: Report, previous: asyncio.Task[None] | None
    ) -> None:
        if previous is not None:
            await previous
        value = await asyncio.to_thread(with_locations, partial, self._ls.session.locate)
        self._ls.protocol.notify(types.PROGRESS, types.ProgressParams(token, value))


def with_locations(report: Report, locate: Locate) -> dict[str, Any]:
    """The report's JSON form, with ``location: {uri, range}`` added to every place.

    A link also has ``quoteLocation``. Blocking: it may read files.
    """
    content: dict[str, Any] = report.model_dump(mode="json", by_alias=True)
    if report.candidates is None:
        content.pop("candidates")
    for kind in ("primary", "links", "readTargets", "candidates"):
        for place in content.get(kind, ()):
            _add_location(place, "location", place["path"], place["range"], locate)
    for link in content["links"]:
        _add_location(link, "quoteLocation", link["path"], link["quoteRange"], locate)
        if link["hop"] and (site := link["hop"]["site"]):
            line = {"start": site["line"], "end": site["line"]}
            _add_location(site, "location", site["path"], line, locate)
    return content


def _add_location(
    place: dict[str, Any], key: str, path: str, lines: dict[str, int] | None, locate: Locate
) -> None:
    """Add a location. A place without a range is a whole file and opens at its first line."""
    place[key] = as_json(locate(path, LineRange.model_validate(lines or {"start": 1, "end": 1})))
