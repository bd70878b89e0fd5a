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
from explorer_core.angles.faults import gone_without
from explorer_core.angles.looking import Angle, Ask, Effort, Looked
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
_AT_A_TIME = 3
_JUDGING = 0.75
"""Share of the budget that models may take; the rest is for the work before and after them."""
_SMALL = 40
"""A workspace with at most this many files is shown completely by one retrieval."""
_TOP = 5

OnProgress = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class Found:
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
        wanted = _specs(names)
        asked = ask or Ask()
        workspace = self._explorer.workspace
        await asyncio.to_thread(workspace.require_files)
        on_progress("Indexing", 0.05)
        synced = await self._explorer.index.sync()
        asked = replace(asked, effort=await self._effort(asked))
        asked = replace(asked, judge_s=self._judge_s(asked, len(wanted), budget_s))
        found, notes = await self._side_by_side(wanted, asked, force, budget_s, on_progress)
        if not synced.complete:
            notes.insert(0, STILL_BUILT.message)
        if asked.scope and not await asyncio.to_thread(files_in, workspace, asked.scope):
            notes.insert(0, unmatched_scope_message(asked.scope))
        merged, top = merge(asked.topic, found)
        file = await asyncio.to_thread(self._session.keep_manifest, merged)
        if file is None:
            notes.append(f"Nothing could be written to {self._session.folder}.")
        return SurveySummary(
            query=asked.topic,
            session=str(self._folder),
            manifest=str(file) if file else None,
            files=len(merged.files),
            patterns=len(merged.patterns),
            dependencies=len(merged.dependencies),
            external_refs=len(merged.external_refs),
            top_files=top,
            angles=tuple(_summary(each) for each in found.values()),
            notes=tuple(notes),
            elapsed_ms=round((time.perf_counter() - started) * 1000, 1),
        )

    async def _side_by_side(
        self,
        wanted: Sequence[AngleSpec],
        asked: Ask,
        force: bool,
        budget_s: float,
        on_progress: OnProgress,
    ) -> tuple[dict[str, Found], list[str]]:
        """What the angles found within the budget, and why others are left out."""
        state = await self._state()
        census = asyncio.create_task(self._take_census())
        turn = asyncio.Semaphore(_AT_A_TIME)
        done = 0

        async def one(spec: AngleSpec) -> Found:
            nonlocal done
            async with turn:
                found = await self._one(spec, asked, state, census, force=force)
            done += 1
            on_progress(f"{done} of {len(wanted)} angles", 0.1 + 0.85 * done / len(wanted))
            return found

        tasks = {spec.name: asyncio.create_task(one(spec)) for spec in wanted}
        try:
            await asyncio.wait(tasks.values(), timeout=budget_s)
            found = {
                name: task.result()
                for name, task in tasks.items()
                if task.done() and not task.cancelled() and task.exception() is None
            }
            return found, [why for name, task in tasks.items() if (why := _why_not(name, task))]
        finally:
            for task in (*tasks.values(), census):
                task.cancel()
            await asyncio.wait((*tasks.values(), census))

    async def _one(
        self, spec: AngleSpec, ask: Ask, state: str, census: asyncio.Task[Census], *, force: bool
    ) -> Found:
        key = self._cache_key(spec, ask, state)
        query = ask.topic or spec.question
        if not force:
            kept = await asyncio.to_thread(self._session.find, spec.name, query, ask.keywords, key)
            if kept is not None:
                return Found(kept[0], kept[1], cached=True)
        taken = await asyncio.shield(census)
        looked: Looked = await Angle(spec, ask, self._explorer, taken).look(key)
        file = await asyncio.to_thread(self._session.keep, looked.exploration, ask.keywords)
        notes = [*looked.notes, *(() if file else ("Its file could not be written.",))]
        return Found(looked.exploration, file, notes=tuple(notes), scores=looked.scores)

    async def _state(self) -> str:
        """A digest of everything an exploration depends on: every file."""
        return await asyncio.to_thread(tree_digest, self._explorer.index)

    async def _take_census(self) -> Census:
        explorer = self._explorer
        return await take_census(explorer.index, explorer.workspace, explorer.with_graph)

    async def _effort(self, ask: Ask) -> Effort:
        """High if a model was chosen; low if one retrieval shows everything; else medium."""
        if self._judge(ask) != "offline":
            return "high"
        files = await asyncio.to_thread(self._explorer.workspace.files)
        return "low" if len(files) <= _SMALL else "medium"

    def _judge_s(self, ask: Ask, count: int, budget_s: float) -> float | None:
        """Seconds a model may take per angle, such that the last angle gets its share too."""
        if ask.effort != "high" or budget_s <= 0:
            return None
        settings = self._explorer.workspace.settings
        packet = self._judge(ask) == "packet"
        usual = settings.packet_time_s if packet else settings.conversation_time_s
        return min(usual, budget_s * _JUDGING / math.ceil(count / _AT_A_TIME))

    def _judge(self, ask: Ask) -> JudgeName:
        request = ask.about(next(iter(angles().values())))
        return chosen_judge(request, self._explorer.workspace.settings)

    def _cache_key(self, spec: AngleSpec, ask: Ask, state: str) -> str:
        about = [
            __version__,
            spec.model_dump(mode="json"),
            ask.topic,
            ask.keywords,
            ask.scope,
            ask.effort,
            self._judge(ask),
            self._explorer.workspace.settings.model if ask.effort == "high" else None,
            state,
        ]
        return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:32]


def merge(query: str, found: dict[str, Found]) -> tuple[Manifest, tuple[MergedFile, ...]]:
    """All results without duplicates, and the five best files: those ranked high by many angles."""
    angles_of: dict[str, list[str]] = {}
    best: dict[str, tuple[float, MergedFile]] = {}
    weight: dict[str, float] = {}
    for name, each in found.items():
        for place, file in enumerate(each.exploration.relevant_files):
            angles_of.setdefault(file.path, []).append(name)
            worth = 1 / (3 + place)
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
    explorations = [each.exploration for each in found.values()]
    manifest = Manifest(
        query=query,
        angles=tuple(found),
        files=files,
        patterns=_once([p for e in explorations for p in e.patterns]),
        dependencies=_once([d for e in explorations for d in e.dependencies]),
        external_refs=_once([r for e in explorations for r in e.external_refs]),
    )
    return manifest, files[:_TOP]


def _once(items: Sequence[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(items))


def _summary(found: Found) -> AngleSummary:
    exploration = found.exploration
    return AngleSummary(
        angle=exploration.angle,
        files=len(exploration.relevant_files),
        patterns=len(exploration.patterns),
        dependencies=len(exploration.dependencies),
        external_refs=len(exploration.external_refs),
        cached=found.cached,
        file=str(found.file) if found.file else None,
        notes=found.notes,
    )


def _why_not(name: str, task: asyncio.Task[Found]) -> str | None:
    if not task.done():
        return f"{name} is left out: the survey ran out of time."
    error = None if task.cancelled() else task.exception()
    return f"{name} is left out: {gone_without(name, error)}." if error is not None else None


def _specs(names: Sequence[str]) -> list[AngleSpec]:
    known = angles()
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ExploreError(f"Unknown angle {unknown[0]!r}; the angles are {', '.join(known)}.")
    return [known[name] for name in dict.fromkeys(names or known)]
