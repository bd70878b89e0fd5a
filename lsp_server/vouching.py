"""Asking the compilers of a workspace whether they vouch for the hops of a report."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from lsp_server.live import LiveReport
from lsp_server.opened import Opened
from lsp_server.reports import Reports

if TYPE_CHECKING:
    from explorer_core.channels.compiler import Compiler
    from explorer_core.contracts import Link
    from explorer_core.events import Event
    from explorer_core.validation.vouching import Declared

Spawn = Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]


class Vouching:
    """Of one client's reports. ``trouble`` is what the compilers last failed at, by their names."""

    def __init__(self, reports: Reports, spawn: Spawn) -> None:
        self.trouble: dict[str, tuple[str, ...]] = {}
        self._reports = reports
        self._spawn = spawn

    async def ask(
        self, live: LiveReport, opened: Opened, on_event: Callable[[Event], None] | None
    ) -> None:
        """Ask who knows better than the graph; who answers later upgrades the live report. Nobody
        is asked for a workspace that is about to be closed."""
        links = live.report.links
        if opened.retired or not opened.compilers or len(links) <= 1:
            return
        if on_event is not None:
            from explorer_core.events import Event

            on_event(Event("vouch", "Asking who vouches for the flow", 0.95, live.report))
        places = [(link.path, link.range.start) for link in links]
        names = dict(zip(places, await opened.explorer.names(places), strict=True))

        def declared(link: Link) -> tuple[int, int] | None:
            return names[link.path, link.range.start]

        patience = max(compiler.soft_deadline_s for compiler in opened.compilers)
        asked = [
            self._spawn(self._ask(live, links, compiler, declared)) for compiler in opened.compilers
        ]
        await asyncio.wait(asked, timeout=patience)

    async def _ask(
        self, live: LiveReport, links: Sequence[Link], compiler: Compiler, declared: Declared
    ) -> None:
        from explorer_core.validation.vouching import vouch

        said = await vouch(links, compiler, self._reports.lines, declared)
        self.trouble[compiler.name] = said.trouble
        if live.vouch(said.hops):
            self._reports.changed()
