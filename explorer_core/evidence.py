"""Retrieves the evidence for a question: what the index, the compilers, an earlier report and the
place to start from have to say."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from explorer_core.channels.compiler import Compiler
from explorer_core.channels.compilers import Asking
from explorer_core.channels.earlier import EarlierPlaces
from explorer_core.channels.freshness import Freshness
from explorer_core.channels.index import search_index
from explorer_core.channels.query import Query, understand
from explorer_core.contracts import (
    Anchor,
    ChannelResult,
    Diagnostic,
    ExploreRequest,
    FileRead,
    LineRange,
    Observation,
)
from explorer_core.events import Event, OnEvent
from explorer_core.index.index import Index
from explorer_core.index.sync import Progress
from explorer_core.registry.traits import aside_from
from explorer_core.workspace import Reading, Workspace

_ANCHOR_LINES = 120
"""Most lines that are read around the place to start from."""


@dataclass(slots=True)
class Evidence:
    """What retrieval brought, and the files as it read them."""

    query: Query
    files: Reading
    observations: list[Observation] = field(default_factory=list[Observation])
    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])

    def add(self, result: ChannelResult) -> None:
        self.observations.extend(result.observations)
        self.diagnostics.extend(result.diagnostics)


@dataclass(slots=True)
class Retrieval:
    """Asks the channels about one workspace; ``graph_turn`` is held while the graph is used."""

    workspace: Workspace
    index: Index
    freshness: Freshness
    earlier: EarlierPlaces
    graph_turn: asyncio.Lock
    compilers: Sequence[Compiler] = ()

    async def evidence(self, request: ExploreRequest, told: OnEvent) -> Evidence:
        """All there is for a request, the place to start from first.

        Raises WorkspaceError for a place outside the workspace.
        """
        found = Evidence(understand(request.query), Reading(self.workspace))
        found.diagnostics += await self.freshness.ready(
            found.query, request.scope, lambda at: told(_indexing(at))
        )
        told(Event("retrieve", "Searching", 0.6))
        async with self.graph_turn:
            found.add(
                await search_index(
                    self.index,
                    found.query,
                    keywords=request.keywords,
                    scope=request.scope,
                    files=found.files,
                    aside=aside_from(found.query.title),
                )
            )
        ask = Asking(self.compilers, self.index, self.graph_turn)
        if self.compilers:
            told(Event("retrieve", "Asking the editor", 0.7))
            found.add(
                await ask.about(
                    found.query, found.observations, anchor=request.anchor, scope=request.scope
                )
            )
        if request.follow_up is not None:
            report_id = request.follow_up.report_id
            found.add(await asyncio.to_thread(self.earlier.observe, report_id))
        if request.anchor is not None:
            found.observations.insert(0, await self._anchored(request.anchor, ask))
        return found

    async def _anchored(self, anchor: Anchor, ask: Asking) -> FileRead:
        """The definition around the place to start from, or the place alone."""
        async with self.graph_turn:
            around = await asyncio.to_thread(self._declared_around, anchor)
        around = around or await ask.around(anchor)
        return await asyncio.to_thread(self._read, anchor, around)

    def _declared_around(self, anchor: Anchor) -> LineRange | None:
        path = self.workspace.read(anchor.path).path
        declared = self.index.graph.enclosing(path, anchor.line)
        return declared.range if declared is not None else None

    def _read(self, anchor: Anchor, around: LineRange | None) -> FileRead:
        source = self.workspace.read(anchor.path)
        start, end = anchor.line, anchor.end_line or anchor.line
        if around is not None:
            start, end = min(start, around.start), max(end, around.end)
        end = min(end, start + _ANCHOR_LINES - 1)
        return FileRead(segment=source.segment(start, end), total_lines=len(source.lines))


def _indexing(at: Progress) -> Event:
    return Event("index", f"Indexing {at.done} of {at.total} files", at.done / max(1, at.total))
