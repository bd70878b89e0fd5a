"""The pipeline: retrieve, assemble, judge, validate, check at emission. See `Explorer.explore`."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar

from explorer_core.cache import ReportCache, cache_folder
from explorer_core.channels.compiler import Compiler
from explorer_core.channels.compilers import name_at
from explorer_core.channels.earlier import EarlierPlaces
from explorer_core.channels.readiness.first_look import FirstLook
from explorer_core.channels.readiness.freshness import Freshness
from explorer_core.contracts import (
    Confidence,
    ExploreRequest,
    RankedCandidate,
    Report,
    Selection,
    Usage,
)
from explorer_core.errors import ExploreError, StoreDamagedError
from explorer_core.events import Event, OnEvent, ignore_event
from explorer_core.evidence import Evidence, Retrieval
from explorer_core.explorations import ExplorationLog, cancelled_event, completed_event
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.index import Index
from explorer_core.judges.base import Judge, JudgeCase, Verdict
from explorer_core.judges.choice import chosen_judge, open_client, open_judge
from explorer_core.judges.models.editor import AskEditor
from explorer_core.judges.models.model import NO_MODEL, ModelClient, ModelError
from explorer_core.judges.models.transcript import Transcript
from explorer_core.recall import Judgement, judge_or_recall
from explorer_core.registry import Registry
from explorer_core.registry.ranking import Ranking, rank
from explorer_core.registry.traits import aside_from, kinds_named
from explorer_core.suggested_keywords import suggested_keywords
from explorer_core.threads import run_to_end
from explorer_core.validation import Validated, check_emission, validate
from explorer_core.validation.graph_relations import GraphRelations
from explorer_core.validation.lowering import weaker_action, weaker_confidence
from explorer_core.workspace import CachingReader, Workspace

T = TypeVar("T")
logger = logging.getLogger(__name__)

_FILE_HEAD_CHARS = 2000


_OnVerdict = Callable[[JudgeCase, Verdict, Validated], None]
"""Called with each verdict and its validated part, to report the flow found so far."""


class Explorer:
    """Answers questions about one workspace. `close` it to stop the index's workers.

    ``first_look``: work already started for the first question.
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
        index: Index | None = None,
        ask_editor: AskEditor | None = None,
        first_look: FirstLook | None = None,
    ) -> None:
        self.workspace = workspace
        self._ask_editor = ask_editor
        self.index = index or Index.open(workspace)
        self.cache = ReportCache(cache_folder(workspace.settings))
        self._log = ExplorationLog.of(workspace.settings)
        self._root = str(workspace.roots[0].path)
        self._freshness = Freshness(self.index, aside_from, first_look)
        self._earlier = EarlierPlaces(workspace)
        self._graph_lock = asyncio.Lock()  # the graph serves one exploration at a time
        self._retrieval = Retrieval(
            workspace, self.index, self._freshness, self._earlier, self._graph_lock
        )

    def set_compilers(self, compilers: Sequence[Compiler]) -> None:
        """Replace the compiler channels that are queried in addition to the index."""
        self._retrieval.compilers = compilers

    async def settle(self) -> None:
        """Wait until everything is indexed, including what no answer waited for."""
        await self._freshness.settle()

    def watch(self) -> None:
        """Declare that `files_changed` will be called for every change on disk from now on."""
        self._freshness.watch()

    async def files_changed(self, paths: Collection[str], *, listing: bool) -> None:
        """Index files that changed on disk; ``listing``: files were created or deleted."""
        self._freshness.note(paths, listing=listing)
        await self._freshness.catch_up()

    async def close(self) -> None:
        """Stop the index's workers, and any build in progress, and close the store."""
        await self._freshness.stop()
        await asyncio.to_thread(self.index.close)

    async def explore(
        self,
        request: ExploreRequest,
        *,
        on_event: OnEvent | None = None,
        explain_ranking: bool = False,
        transcript: Transcript | None = None,
    ) -> Report:
        """The verified answer to ``request``; ``transcript`` records what a model was sent.

        Raises ExploreError or WorkspaceError, each with one sentence for the user.
        """
        on_event, transcript = on_event or ignore_event, transcript or Transcript()
        try:
            try:
                return await self._explore(request, on_event, explain_ranking, transcript)
            except StoreDamagedError:
                logger.warning(
                    "The index was damaged or removed; it is rebuilt, and the question repeated."
                )
            return await self._explore(request, on_event, explain_ranking, transcript)
        except asyncio.CancelledError:
            self._log.append(cancelled_event(self._root, self.workspace.settings, request))
            raise

    async def _explore(
        self,
        request: ExploreRequest,
        on_event: OnEvent,
        explain_ranking: bool,
        transcript: Transcript,
    ) -> Report:
        clock = _Clock()
        judge, client = self._judge(request)
        with clock.stage("retrieve"):
            evidence = await self._retrieval.evidence(request, on_event)
        if not evidence.observations and await asyncio.to_thread(self.index.contents.is_blank):
            raise ExploreError(
                "There is nothing to explore: no file of the workspace could be read as text."
            )
        async with self._graph_lock:
            with clock.stage("assemble"):
                registry, ranking = await run_to_end(lambda: self._assemble(evidence))
        on_event(Event("judge", f"Judging {len(ranking.candidates)} places", 0.8))
        case = JudgeCase(
            request,
            ranking,
            registry,
            self.index,
            self.workspace,
            evidence.query.text,
            self._earlier.best_of(request),
            self._graph_lock,
            self.gather,
            lambda line: on_event(Event("judge", line, 0.8)),
            transcript,
        )
        with clock.stage("judge"):
            judgement = await self._judge_or_recall(judge, client, case, evidence, clock, on_event)
        if judgement.recalled:
            clock.stages["cache"] = clock.stages.pop("judge")
        with clock.stage("validate"):
            emitted = await case.with_graph(lambda: self._check_emission(judgement.validated, case))
        report = await asyncio.to_thread(
            self._report, judgement.verdict, emitted, case, evidence, clock
        )
        self._earlier.remember(report.id, case.question, ranking.candidates)
        await asyncio.to_thread(self._log_exploration, report, judgement, case)
        return _with_ranking(report, ranking) if explain_ranking else report

    def remember_report(self, report: Report) -> None:
        """Allow follow-up questions to a report that another explorer produced."""
        if not self._earlier.knows(report.id):
            places = (*report.primary, *report.links, *report.read_targets)
            self._earlier.remember(report.id, report.query, places)

    async def gather(self, request: ExploreRequest) -> Ranking:
        """The ranked evidence for ``request``, unjudged."""
        evidence = await self._retrieval.evidence(request, ignore_event)
        async with self._graph_lock:
            return (await run_to_end(lambda: self._assemble(evidence)))[1]

    async def names(self, places: Sequence[tuple[str, int]]) -> list[tuple[int, int] | None]:
        """The name position of the definition enclosing each place (path, line): the line, and the
        column in code points from 0. None where there is no name."""
        async with self._graph_lock:
            return await run_to_end(
                lambda: [name_at(self.index, path, line) for path, line in places]
            )

    async def with_graph(self, work: Callable[[SymbolGraph], T]) -> T:
        """Run ``work`` on the symbol graph in a thread with exclusive access; return its result."""
        async with self._graph_lock:
            return await run_to_end(lambda: work(self.index.graph))

    # assemble

    def _assemble(self, evidence: Evidence) -> tuple[Registry, Ranking]:
        """Register the observations as candidates, and rank them."""
        registry = Registry(self.index.graph.symbols_in, partial(_file_head, evidence.files))
        registry.add_all(evidence.observations)
        kinds = kinds_named(evidence.query.title)
        return registry, rank(registry.candidates(), asked_for=kinds)

    # judge and validate

    def _judge(self, request: ExploreRequest) -> tuple[Judge, ModelClient]:
        """The judge for a request, and its model client, which connects only when first used."""
        settings = self.workspace.settings
        name = chosen_judge(request, settings)
        try:
            client = open_client(settings, self._ask_editor) if name != "offline" else NO_MODEL
        except ModelError as error:
            raise ExploreError(str(error)) from error
        return open_judge(name, client), client

    async def _judge_or_recall(
        self,
        judge: Judge,
        client: ModelClient,
        case: JudgeCase,
        evidence: Evidence,
        clock: _Clock,
        on_event: OnEvent,
    ) -> Judgement:
        """The judgement over a case. The flow found so far is reported in events meanwhile."""
        loop = asyncio.get_running_loop()

        # Takes the case as a parameter: a closure over it would put the evidence into a reference
        # cycle, and keep it in memory until the next garbage collection.
        def on_verdict(case: JudgeCase, verdict: Verdict, validated: Validated) -> None:
            if judge.name != "offline" and validated.links:
                emitted = self._check_emission(validated, case)
                partial_report = self._report(verdict, emitted, case, evidence, clock)
                event = Event("judge", f"{len(emitted.links)} steps so far", 0.85, partial_report)
                loop.call_soon_threadsafe(on_event, event)

        is_partial = any(each.affects_answer for each in evidence.diagnostics)
        check = partial(self._validate, case, on_verdict)
        try:
            return await judge_or_recall(judge, case, check, self.cache, is_partial=is_partial)
        finally:
            await client.close()

    def _validate(
        self, case: JudgeCase, on_verdict: _OnVerdict, verdict: Verdict, fallback: Selection
    ) -> Validated:
        """Validate a verdict against the case, and report the flow so far."""
        validated = validate(
            verdict.selection,
            registry=case.registry,
            request=case.request,
            relations=GraphRelations(
                self.index.graph,
                follows_flow=case.request.intent == "explain",
                avoid=case.is_set_apart,
            ),
            fallback=fallback,
        )
        on_verdict(case, verdict, validated)
        return validated

    def _check_emission(self, validated: Validated, case: JudgeCase) -> Validated:
        """The emission check: the validated parts compared with the present files."""
        return check_emission(
            validated,
            workspace=self.workspace,
            registry=case.registry,
            intent=case.request.intent,
        )

    # report

    def _report(
        self,
        verdict: Verdict,
        validated: Validated,
        case: JudgeCase,
        evidence: Evidence,
        clock: _Clock,
    ) -> Report:
        diagnostics = [*evidence.diagnostics, *verdict.diagnostics]
        notes = tuple(each.message for each in diagnostics if each.affects_answer)
        candidates_seen = {"candidates_seen": len(case.ranking.candidates)}
        # Missing evidence might have contained the better answer, so the user is told to read on.
        confidence = weaker_confidence(validated.confidence, "medium" if notes else "high")
        is_lowered = confidence != validated.confidence
        return Report(
            id=secrets.token_hex(8),
            created_at=datetime.now(UTC),
            root=self._root,
            query=case.request.query,
            intent=case.request.intent,
            confidence=confidence,
            action=weaker_action(validated.action, "read_targets")
            if is_lowered
            else validated.action,
            judge="offline" if validated.fell_back else verdict.judge,
            model=verdict.model,
            stop_reason=verdict.stop_reason,
            notes=notes,
            primary=validated.primary,
            links=validated.links,
            read_targets=validated.read_targets,
            missing=validated.missing,
            search_targets=validated.search_targets,
            suggested_keywords=self._suggested_keywords(case, confidence),
            dropped=(*verdict.dropped, *validated.dropped),
            coverage=self.index.contents.coverage(),
            usage=verdict.usage.model_copy(update=candidates_seen)
            if verdict.usage == Usage()
            else verdict.usage,
            elapsed_ms=clock.stages,
        )

    def _suggested_keywords(self, case: JudgeCase, confidence: Confidence) -> tuple[str, ...]:
        """Keywords for asking again, where confidence leaves something to gain."""
        keywords = case.request.keywords
        if confidence == "high" or (keywords and confidence == "medium"):
            return ()
        question = " ".join((case.question, *keywords))
        return suggested_keywords(case.ranking, self.index.search().terms, question)

    def _log_exploration(self, report: Report, judgement: Judgement, case: JudgeCase) -> None:
        event = completed_event(
            report,
            self.workspace.settings,
            case.request,
            judgement.verdict.effort,
            case.ranking.candidates,
            cache="hit" if judgement.recalled else "miss" if judgement.looked_up else "unused",
            stale_misses=judgement.stale,
        )
        self._log.append(event)


def _file_head(files: CachingReader, path: str) -> str:
    source = files.source(path)
    return source.text[:_FILE_HEAD_CHARS] if source else ""


def _with_ranking(report: Report, ranking: Ranking) -> Report:
    ranked = tuple(
        RankedCandidate(
            id=each.id,
            path=each.path,
            range=each.range,
            symbol=each.symbols[0].qualified_name if each.symbols else None,
            score=round(each.score, 4),
            features={name: round(value, 4) for name, value in each.features.items() if value},
        )
        for each in ranking.candidates
    )
    return report.model_copy(update={"candidates": ranked})


class _Clock:
    """Milliseconds per stage."""

    def __init__(self) -> None:
        self.stages: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Generator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self.stages[name] = round((time.perf_counter() - started) * 1000, 1)
