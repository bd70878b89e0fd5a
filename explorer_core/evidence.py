"""Retrieves the evidence for a question from all sources: the index, the compilers, an earlier
report, and the anchor (the place to start from)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from explorer_core.channels.compiler import Compiler
from explorer_core.channels.compilers import CompilerEvidence
from explorer_core.channels.earlier import EarlierPlaces
from explorer_core.channels.features.mentions import line_pointed_at
from explorer_core.channels.index import search_index
from explorer_core.channels.question.own_name import without_name
from explorer_core.channels.question.query import Query, understand
from explorer_core.channels.readiness.freshness import Freshness
from explorer_core.contracts import (
    Anchor,
    ChannelResult,
    Diagnostic,
    ExploreRequest,
    FileRead,
    LineRange,
    Observation,
    Segment,
    SymbolFound,
)
from explorer_core.events import Event, OnEvent
from explorer_core.index.index import Index
from explorer_core.registry.traits import aside_from
from explorer_core.threads import run_to_end
from explorer_core.workspace import Reading, SourceText, Workspace, WorkspaceError

_ANCHOR_LINES = 120
"""Maximum number of lines read around the anchor."""


@dataclass(slots=True)
class Evidence:
    """What retrieval found, and the files in the state in which it read them."""

    query: Query
    files: Reading
    observations: list[Observation] = field(default_factory=list[Observation])
    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])

    def add(self, result: ChannelResult) -> None:
        self.observations.extend(result.observations)
        self.diagnostics.extend(result.diagnostics)


@dataclass(slots=True)
class Retrieval:
    """Queries the channels of one workspace; ``graph_turn`` is held while the graph is in use."""

    workspace: Workspace
    index: Index
    freshness: Freshness
    earlier: EarlierPlaces
    graph_turn: asyncio.Lock
    compilers: Sequence[Compiler] = ()

    async def evidence(self, request: ExploreRequest, told: OnEvent) -> Evidence:
        """All evidence for a request, the anchor first.

        Raises WorkspaceError for an anchor outside the workspace.
        """
        question = self.earlier.question_of(request)
        for root in self.workspace.roots:
            question = without_name(question, root.path.name)
        found = Evidence(understand(question), Reading(self.workspace))
        found.diagnostics += await self.freshness.ready(found.query, request.scope, told)
        told(Event("retrieve", "Searching", 0.6))
        async with self.graph_turn:
            found.add(
                await search_index(
                    self.index,
                    found.query,
                    scope=request.scope,
                    files=found.files,
                    aside=aside_from(found.query.title),
                    symptom=request.intent == "debug",
                )
            )
        questions = (request.query, found.query.text)
        anchor = request.anchor or await asyncio.to_thread(self._pointed_at, questions)
        ask = CompilerEvidence(self.compilers, self.index, self.graph_turn)
        if self.compilers:
            told(Event("retrieve", "Asking the editor", 0.7))
            found.add(
                await ask.about(found.query, found.observations, anchor=anchor, scope=request.scope)
            )
        if request.follow_up is not None:
            report_id = request.follow_up.report_id
            found.add(await asyncio.to_thread(self.earlier.observe, report_id))
        if anchor is not None:
            found.observations.insert(0, await self._anchored(anchor, ask))
        if not found.observations:
            found.diagnostics += await asyncio.to_thread(self._why_nothing, request)
        return found

    def _why_nothing(self, request: ExploreRequest) -> list[Diagnostic]:
        """Why a request found nothing, where its words or its scope explain that."""
        said: list[str] = []
        if not any(map(str.isalnum, "".join((request.query, *request.keywords)))):
            said.append(
                "The question has no words to search for; use words or names from the code."
            )
        meant = files_in(self.workspace, request.scope) if request.scope else set[str]()
        if request.scope and not meant and self.workspace.last_listing():
            said.append(unmatched(request.scope))
        if meant:
            aside = self.index.contents.reasons_none_searched(meant)
            said += [f"No text in the scope is searched: {each}" for each in aside]
        return [Diagnostic(source="request", message=each, affects_answer=True) for each in said]

    def _pointed_at(self, questions: Sequence[str]) -> Anchor | None:
        """The line that one of the questions points at, the first that does, if it exists."""
        anchor = line_pointed_at(questions, self.index.view.paths())
        try:
            is_there = anchor and anchor.line <= len(self.workspace.read(anchor.path).lines)
        except WorkspaceError:
            return None
        return anchor if is_there else None

    async def _anchored(self, anchor: Anchor, ask: CompilerEvidence) -> SymbolFound | FileRead:
        """The definition enclosing the anchor; without one, the text around the anchor."""
        async with self.graph_turn:
            declared = await run_to_end(lambda: self._declared_around(anchor))
        if declared is not None:
            return declared
        return await asyncio.to_thread(self._read, anchor, await ask.around(anchor))

    def _declared_around(self, anchor: Anchor) -> SymbolFound | None:
        """The definition around the anchor as the index knows it; None if outdated or missing."""
        source = self.workspace.read(anchor.path)
        symbol = self.index.graph.enclosing(source.path, anchor.line)
        if symbol is None or symbol.range.end > len(source.lines):
            return None
        return SymbolFound(
            path=source.path,
            range=symbol.range,
            symbol=symbol.info,
            segment=_segment(source, anchor, symbol.range),
        )

    def _read(self, anchor: Anchor, around: LineRange | None) -> FileRead:
        source = self.workspace.read(anchor.path)
        return FileRead(segment=_segment(source, anchor, around), total_lines=len(source.lines))


def files_in(workspace: Workspace, scope: Sequence[str]) -> set[str]:
    """The files of the last listing that match a scope."""
    return {each.path for each in workspace.last_listing() if workspace.in_scope(each.path, scope)}


def unmatched(scope: Sequence[str]) -> str:
    """The message for a scope that no file matches."""
    globs = ", ".join(scope)[:200]
    return f"No file matches the scope {globs}; a glob is relative to the workspace."


def _segment(source: SourceText, anchor: Anchor, around: LineRange | None) -> Segment:
    """The anchor and the lines around it; of a long definition, those nearest to the anchor."""
    first, last = anchor.line, anchor.end_line or anchor.line
    start, end = first, last
    if around is not None:
        start, end = min(first, around.start), max(last, around.end)
    before = max(0, _ANCHOR_LINES - (last - first + 1)) // 2
    start = max(start, min(first - before, end - _ANCHOR_LINES + 1))
    return source.segment(start, min(end, start + _ANCHOR_LINES - 1))
