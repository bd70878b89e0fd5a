"""A survey: several angles explored concurrently within one time budget, and merged."""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from explorer_core import __version__
from explorer_core.angles.census import Census, take_census
from explorer_core.angles.faults import failure_reason
from explorer_core.angles.looking import Angle, AngleResult, Ask, Effort
from explorer_core.angles.session import Session
from explorer_core.angles.spec import AngleSpec, angles
from explorer_core.cache import tree_digest
from explorer_core.channels.readiness.freshness import STILL_BUILT
from explorer_core.contracts import JudgeName
from explorer_core.contracts.survey import (
    AngleSummary,
    Exploration,
    Manifest,
    MergedFile,
    SurveySummary,
)
from explorer_core.evidence import files_in, unmatched_scope_message
from explorer_core.explorer import ExploreError, Explorer
from explorer_core.judges.choice import chosen_judge
from explorer_core.workspace import Workspace
from explorer_core.workspace.caches import cache_root

T = TypeVar("T")

_BUDGET_S = 120.0
_CONCURRENT_ANGLES = 3
_JUDGING_SHARE = 0.75
"""Share of the budget that models may take; the rest is for the work before and after them."""
_SMALL_FILES = 40
"""A workspace with at most this many files is shown completely by one retrieval."""
_TOP_FILES = 5

OnProgress = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class AngleOutcome:
    """One angle's outcome; ``file`` is None if it could not be written."""

    exploration: Exploration
    file: Path | None
    cached: bool = False
    notes: tuple[str, ...] = ()
    scores: dict[str, float] = field(default_factory=dict[str, float])


def _default_session(workspace: Workspace) -> Path:
    """The default session of a workspace: in the cache folder, never inside the workspace."""
    roots = "\n".join(str(root.path) for root in workspace.roots)
    digest = hashlib.sha256(roots.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return cache_root(workspace.settings) / "sessions" / digest


class Surveyor:
    """Surveys the workspace of one explorer."""

    def __init__(self, explorer: Explorer, session: Path | None = None) -> None:
        self._explorer = explorer
        self._folder = session or _default_session(explorer.workspace)
        self._session = Session(self._folder)

    async def survey(
        self,
        ask: Ask | None = None,
        names: Sequence[str] = (),
        *,
        force: bool = False,
        budget_s: float = _BUDGET_S,
        on_progress: OnProgress = lambda message, fraction: None,
    ) -> SurveySummary:
        """Explore from the named angles, or from all, and merge the results.

        Raises ExploreError for an angle that does not exist. Angles that do not finish within the
        budget are left out, and the summary notes that.
        """
        started = time.perf_counter()
        specs = _named_specs(names)
        request = ask or Ask()
        workspace = self._explorer.workspace
        await asyncio.to_thread(workspace.require_files)
        on_progress("Indexing", 0.05)
        synced = await self._explorer.index.sync()
        request = replace(request, effort=await self._effort(request))
        request = replace(request, judge_s=self._judge_s(request, len(specs), budget_s))
        outcomes, notes = await self._explore_angles(specs, request, force, budget_s, on_progress)
        if not synced.complete:
            notes.insert(0, STILL_BUILT.message)
        if request.scope and not await asyncio.to_thread(files_in, workspace, request.scope):
            notes.insert(0, unmatched_scope_message(request.scope))
        merged, top = merge(request.topic, outcomes)
        file = await asyncio.to_thread(self._session.keep_manifest, merged)
        if file is None:
            notes.append(f"Nothing could be written to {self._session.folder}.")
        return SurveySummary(
            query=request.topic,
            session=str(self._folder),
            manifest=str(file) if file else None,
            files=len(merged.files),
            patterns=len(merged.patterns),
            dependencies=len(merged.dependencies),
            external_refs=len(merged.external_refs),
            top_files=top,
            angles=tuple(_summary(each) for each in outcomes.values()),
            notes=tuple(notes),
            elapsed_ms=round((time.perf_counter() - started) * 1000, 1),
        )

    async def _explore_angles(
        self,
        specs: Sequence[AngleSpec],
        request: Ask,
        force: bool,
        budget_s: float,
        on_progress: OnProgress,
    ) -> tuple[dict[str, AngleOutcome], list[str]]:
        """What the angles found within the budget, and why others are left out."""
        state = await self._state()
        census_task = asyncio.create_task(self._take_census())
        slots = asyncio.Semaphore(_CONCURRENT_ANGLES)
        finished = 0

        async def explore_one(spec: AngleSpec) -> AngleOutcome:
            nonlocal finished
            async with slots:
                outcomes = await self._explore_angle(spec, request, state, census_task, force=force)
            finished += 1
            on_progress(f"{finished} of {len(specs)} angles", 0.1 + 0.85 * finished / len(specs))
            return outcomes

        tasks = {spec.name: asyncio.create_task(explore_one(spec)) for spec in specs}
        try:
            await asyncio.wait(tasks.values(), timeout=budget_s)
            outcomes = {
                name: task.result()
                for name, task in tasks.items()
                if task.done() and not task.cancelled() and task.exception() is None
            }
            return outcomes, [
                reason for name, task in tasks.items() if (reason := _reason_left_out(name, task))
            ]
        finally:
            for task in (*tasks.values(), census_task):
                task.cancel()
            await asyncio.wait((*tasks.values(), census_task))

    async def _explore_angle(
        self,
        spec: AngleSpec,
        request: Ask,
        state: str,
        census_task: asyncio.Task[Census],
        *,
        force: bool,
    ) -> AngleOutcome:
        key = self._cache_key(spec, request, state)
        query = request.topic or spec.question
        if not force:
            cached = await asyncio.to_thread(
                self._session.find, spec.name, query, request.keywords, key
            )
            if cached is not None:
                return AngleOutcome(cached[0], cached[1], cached=True)
        census = await asyncio.shield(census_task)
        result: AngleResult = await Angle(spec, request, self._explorer, census).explore(key)
        file = await asyncio.to_thread(self._session.keep, result.exploration, request.keywords)
        notes = [*result.notes, *(() if file else ("Its file could not be written.",))]
        return AngleOutcome(result.exploration, file, notes=tuple(notes), scores=result.scores)

    async def _state(self) -> str:
        """A digest of everything an exploration depends on: every file."""
        return await asyncio.to_thread(tree_digest, self._explorer.index)

    async def _take_census(self) -> Census:
        explorer = self._explorer
        return await take_census(explorer.index, explorer.workspace, explorer.with_graph)

    async def _effort(self, request: Ask) -> Effort:
        """High if a model was chosen; low if one retrieval shows everything; else medium."""
        if self._judge(request) != "offline":
            return "high"
        files = await asyncio.to_thread(self._explorer.workspace.files)
        return "low" if len(files) <= _SMALL_FILES else "medium"

    def _judge_s(self, request: Ask, count: int, budget_s: float) -> float | None:
        """Seconds a model may take per angle, such that the last angle gets its share too."""
        if request.effort != "high" or budget_s <= 0:
            return None
        settings = self._explorer.workspace.settings
        packet = self._judge(request) == "packet"
        configured_s = settings.packet_time_s if packet else settings.conversation_time_s
        return min(configured_s, budget_s * _JUDGING_SHARE / math.ceil(count / _CONCURRENT_ANGLES))

    def _judge(self, request: Ask) -> JudgeName:
        explore_request = request.request_for(next(iter(angles().values())))
        return chosen_judge(explore_request, self._explorer.workspace.settings)

    def _cache_key(self, spec: AngleSpec, request: Ask, state: str) -> str:
        key_parts = [
            __version__,
            spec.model_dump(mode="json"),
            request.topic,
            request.keywords,
            request.scope,
            request.effort,
            self._judge(request),
            self._explorer.workspace.settings.model if request.effort == "high" else None,
            state,
        ]
        return hashlib.sha256(json.dumps(key_parts, sort_keys=True).encode()).hexdigest()[:32]


def merge(query: str, outcomes: dict[str, AngleOutcome]) -> tuple[Manifest, tuple[MergedFile, ...]]:
    """All results without duplicates, and the five best files: those ranked high by many angles."""
    angles_of: dict[str, list[str]] = {}
    best: dict[str, tuple[float, MergedFile]] = {}
    weight: dict[str, float] = {}
    for name, outcome in outcomes.items():
        for rank, file in enumerate(outcome.exploration.relevant_files):
            angles_of.setdefault(file.path, []).append(name)
            worth = 1 / (3 + rank)
            weight[file.path] = weight.get(file.path, 0.0) + worth
            if worth > best.get(file.path, (0.0, None))[0]:
                merged = MergedFile(
                    path=file.path,
                    angles=(),
                    role=file.role,
                    rationale=file.rationale,
                    key_symbols=file.key_symbols,
                )
                best[file.path] = worth, merged
    ordered = sorted(weight, key=lambda path: (-weight[path], path))
    files = tuple(
        best[path][1].model_copy(update={"angles": tuple(angles_of[path])}) for path in ordered
    )
    explorations = [outcome.exploration for outcome in outcomes.values()]
    manifest = Manifest(
        query=query,
        angles=tuple(outcomes),
        files=files,
        patterns=_unique([p for e in explorations for p in e.patterns]),
        dependencies=_unique([d for e in explorations for d in e.dependencies]),
        external_refs=_unique([r for e in explorations for r in e.external_refs]),
    )
    return manifest, files[:_TOP_FILES]


def _unique(items: Sequence[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(items))


def _summary(outcome: AngleOutcome) -> AngleSummary:
    exploration = outcome.exploration
    return AngleSummary(
        angle=exploration.angle,
        files=len(exploration.relevant_files),
        patterns=len(exploration.patterns),
        dependencies=len(exploration.dependencies),
        external_refs=len(exploration.external_refs),
        cached=outcome.cached,
        file=str(outcome.file) if outcome.file else None,
        notes=outcome.notes,
    )


def _reason_left_out(name: str, task: asyncio.Task[AngleOutcome]) -> str | None:
    if not task.done():
        return f"{name} is left out: the survey ran out of time."
    error = None if task.cancelled() else task.exception()
    return f"{name} is left out: {failure_reason(name, error)}." if error is not None else None


def _named_specs(names: Sequence[str]) -> list[AngleSpec]:
    known = angles()
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ExploreError(f"Unknown angle {unknown[0]!r}; the angles are {', '.join(known)}.")
    return [known[name] for name in dict.fromkeys(names or known)]
