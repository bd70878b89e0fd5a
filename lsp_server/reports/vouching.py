"""Asks compilers, which know better than the symbol graph, to vouch for the hops of a report."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from explorer_core.contracts import Hop, Link
from lsp_server.reports.live import LiveReport
from lsp_server.reports.reports import Reports
from lsp_server.workspace.opened import OpenedWorkspace

if TYPE_CHECKING:
    from explorer_core.channels.compiler import Compiler
    from explorer_core.events import Event
    from explorer_core.vouching import NamePosition

Spawn = Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]


class Vouching:
    """Asks the compilers of a workspace. A late answer upgrades the live report.

    ``trouble`` holds the problems of each compiler when it was last asked, by its name. ``spawn``
    runs background work.
    """

    def __init__(self, reports: Reports, spawn: Spawn) -> None:
        self.trouble: dict[str, tuple[str, ...]] = {}
        self._reports = reports
        self._spawn = spawn

    async def ask_about(
        self, live: LiveReport, opened: OpenedWorkspace, on_event: Callable[[Event], None] | None
    ) -> None:
        """Ask about a report, and wait up to the longest soft deadline of the compilers. Does
        nothing for a workspace that is about to be closed."""
        links = live.report.links
        last = opened.fallback_compiler
        if last is not None and not _has_open_hops(links, last):
            last = None
        if opened.retired or len(links) <= 1 or not (opened.compilers or last):
            return
        if opened.compilers and on_event is not None:
            from explorer_core.events import Event

            on_event(Event("vouch", "Asking for confirmation of the flow", 0.95, live.report))
        declared = await _declared_names(links, opened)
        tasks = [
            self._spawn(self._ask(live, links, compiler, declared)) for compiler in opened.compilers
        ]
        if last is not None:
            self._spawn(self._ask_last(live, last, declared, tasks))
        if tasks:
            timeout_s = max(compiler.soft_deadline_s for compiler in opened.compilers)
            await asyncio.wait(tasks, timeout=timeout_s)

    async def _ask(
        self,
        live: LiveReport,
        links: Sequence[Link],
        compiler: Compiler,
        declared: NamePosition,
        wanted: Callable[[Hop | None], bool] = lambda hop: True,
    ) -> None:
        from explorer_core.vouching import vouch

        result = await vouch(links, compiler, self._reports.lines, declared, wanted)
        self.trouble[compiler.name] = result.trouble
        if live.vouch(result.hops):
            self._reports.notify_change()

    async def _ask_last(
        self,
        live: LiveReport,
        compiler: Compiler,
        declared: NamePosition,
        earlier_tasks: Sequence[asyncio.Task[None]],
    ) -> None:
        """When the others have answered, ask ``compiler`` about hops still known by name only."""
        if earlier_tasks:
            await asyncio.wait(earlier_tasks)
        links = live.report.links
        if _has_open_hops(links, compiler):
            await self._ask(live, links, compiler, declared, _is_by_name)


async def _declared_names(links: Sequence[Link], opened: OpenedWorkspace) -> NamePosition:
    places = [(link.path, link.range.start) for link in links]
    names = dict(zip(places, await opened.explorer.names(places), strict=True))
    return lambda link: names.get((link.path, link.range.start))


def _has_open_hops(links: Sequence[Link], compiler: Compiler) -> bool:
    """Whether any hop is known by name only and has its site in a file that ``compiler`` covers."""
    return any(
        _is_by_name(link.hop) and link.hop.site is not None and compiler.covers(link.hop.site.path)
        for link in links
        if link.hop is not None
    )


def _is_by_name(hop: Hop | None) -> bool:
    """Whether a hop is known by name only, and leads to its target directly."""
    return hop is not None and hop.witness == "graph:name" and not hop.via
