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
from explorer_core.workspace import CachingReader, SourceText, Workspace, WorkspaceError

_ANCHOR_LINES = 120
"""Maximum number of lines read around the anchor."""


@dataclass(slots=True)
class Evidence:
    """What retrieval found, and the files in the state in which it read them."""

    query: Query
    files: CachingReader
    observations: list[Observation] = field(default_factory=list[Observation])
    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])

    def add(self, result: ChannelResult) -> None:
        self.observations.extend(result.observations)
        self.diagnostics.extend(result.diagnostics)


@dataclass(slots=True)
class Retrieval:
    """Queries the channels of one workspace; ``graph_lock`` is held while the graph is in use."""

    workspace: Workspace
    index: Index
    freshness: Freshness
    earlier: EarlierPlaces
    graph_lock: asyncio.Lock
    compilers: Sequence[Compiler] = ()

    async def evidence(self, request: ExploreRequest, on_event: OnEvent) -> Evidence:
        """All evidence for a request, the anchor first.

        Raises WorkspaceError for an anchor outside the workspace.
        """
        question = self.earlier.question_of(request)
        for root in self.workspace.roots:
            question = without_name(question, root.path.name)
        evidence = Evidence(understand(question), CachingReader(self.workspace))
        evidence.diagnostics += await self.freshness.ready(evidence.query, request.scope, on_event)
        on_event(Event("retrieve", "Searching", 0.6))
        async with self.graph_lock:
            evidence.add(
                await search_index(
                    self.index,
                    evidence.query,
                    scope=request.scope,
                    files=evidence.files,
                    aside=aside_from(evidence.query.title),
                    symptom=request.intent == "debug",
                )
            )
        questions = (request.query, evidence.query.text)
        anchor = request.anchor or await asyncio.to_thread(self._anchor_in_question, questions)
        compiler_evidence = CompilerEvidence(self.compilers, self.index, self.graph_lock)
        if self.compilers:
            on_event(Event("retrieve", "Asking the editor", 0.7))
            evidence.add(
                await compiler_evidence.about(
                    evidence.query, evidence.observations, anchor=anchor, scope=request.scope
                )
            )
        if request.follow_up is not None:
            report_id = request.follow_up.report_id
            evidence.add(await asyncio.to_thread(self.earlier.observe, report_id))
        if anchor is not None:
            evidence.observations.insert(0, await self._observe_anchor(anchor, compiler_evidence))
        if not evidence.observations:
            evidence.diagnostics += await asyncio.to_thread(self._explain_no_results, request)
        return evidence

    def _explain_no_results(self, request: ExploreRequest) -> list[Diagnostic]:
        """Why a request found nothing, where its words or its scope explain that."""
        messages: list[str] = []
        if not any(map(str.isalnum, "".join((request.query, *request.keywords)))):
            messages.append(
                "The question has no words to search for; use words or names from the code."
            )
        scoped_files = files_in(self.workspace, request.scope) if request.scope else set[str]()
        if request.scope and not scoped_files and self.workspace.last_listing():
            messages.append(unmatched_scope_message(request.scope))
        if scoped_files:
            reasons = self.index.contents.reasons_none_searched(scoped_files)
            messages += [f"No text in the scope is searched: {each}" for each in reasons]
        return [
            Diagnostic(source="request", message=each, affects_answer=True) for each in messages
        ]

    def _anchor_in_question(self, questions: Sequence[str]) -> Anchor | None:
        """The line that one of the questions points at, the first that does, if it exists."""
        anchor = line_pointed_at(questions, self.index.view.paths())
        try:
            line_exists = anchor and anchor.line <= len(self.workspace.read(anchor.path).lines)
        except WorkspaceError:
            return None
        return anchor if line_exists else None

    async def _observe_anchor(
        self, anchor: Anchor, compiler_evidence: CompilerEvidence
    ) -> SymbolFound | FileRead:
        """The definition enclosing the anchor; without one, the text around the anchor."""
        async with self.graph_lock:
            definition = await run_to_end(lambda: self._enclosing_definition(anchor))
        if definition is not None:
            return definition
        return await asyncio.to_thread(
            self._text_around, anchor, await compiler_evidence.around(anchor)
        )

    def _enclosing_definition(self, anchor: Anchor) -> SymbolFound | None:
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

    def _text_around(self, anchor: Anchor, around: LineRange | None) -> FileRead:
        source = self.workspace.read(anchor.path)
        return FileRead(segment=_segment(source, anchor, around), total_lines=len(source.lines))


def files_in(workspace: Workspace, scope: Sequence[str]) -> set[str]:
    """The files of the last listing that match a scope."""
    return {each.path for each in workspace.last_listing() if workspace.in_scope(each.path, scope)}


def unmatched_scope_message(scope: Sequence[str]) -> str:
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
