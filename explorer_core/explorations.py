"""A log of what explorations cost: one event each, kept only on this machine, in the user's cache
folder.

An event holds figures and ids, never a question, a workspace path other than the root, or any text
of the workspace. It serves to find out what makes answers slow, expensive or weak.
"""

from __future__ import annotations

import contextlib
import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from explorer_core import __version__
from explorer_core.contracts import (
    Action,
    Candidate,
    Confidence,
    Dropped,
    ExploreRequest,
    Intent,
    JudgeName,
    Model,
    Report,
    Settings,
    StopReason,
    Usage,
)
from explorer_core.judges.base import Effort
from explorer_core.judges.choice import chosen_judge
from explorer_core.registry.place import CHARACTERS_PER_TOKEN
from explorer_core.report import render_text
from explorer_core.workspace.caches import cache_root

logger = logging.getLogger(__name__)

_FALLBACK_ALARM = 0.1
"""Share of explorations with a model that may fall back to the offline judge without an alarm."""
_DEFAULT_OBSERVED = 32
"""Candidates whose text counts as observed if the judge did not count: as many as a packet
holds."""
_MIN_WITH_MODEL = 5
"""Fewer explorations with a model than this say nothing about the share."""
_FILE_BYTES = 512 * 1024
"""Size at which the log replaces its older file and a new one is begun."""

CacheOutcome = Literal["unused", "hit", "miss"]


class StepYield(Model):
    """How many places one step of a conversation showed, and how many of them for the first
    time."""

    shown: int
    new: int


class Exploration(Model):
    """One exploration.

    ``asked`` is the judge that was chosen, ``judge`` the one whose report was used; they differ
    after a fallback. ``stale_misses`` counts cached judgements that no longer hold for the files.
    """

    at: datetime
    version: str
    root: str
    report: str | None = None
    intent: Intent
    asked: JudgeName
    judge: JudgeName | None = None
    model: str | None = None
    stop_reason: StopReason
    confidence: Confidence | None = None
    action: Action | None = None
    report_tokens: int = 0
    observation_tokens: int = 0
    yields: tuple[StepYield, ...] = ()
    rounds: int = 0
    repairs: int = 0
    dropped: tuple[Dropped, ...] = ()
    diagnostics_in_report: int = 0
    cache: CacheOutcome = "unused"
    stale_misses: int = 0
    usage: Usage = Usage()
    elapsed_ms: dict[str, float] = {}

    @property
    def fell_back(self) -> bool:
        """Whether a model should have judged, but the offline judge did."""
        return self.asked != "offline" and self.judge == "offline"

    @property
    def fact_unverified(self) -> int:
        return sum(each.why == "fact_unverified" for each in self.dropped)


def completed_event(
    report: Report,
    settings: Settings,
    request: ExploreRequest,
    effort: Effort,
    evidence: Sequence[Candidate],
    *,
    cache: CacheOutcome,
    stale_misses: int,
) -> Exploration:
    """The event of an exploration that produced a report. The observed text is what the judge
    counted; otherwise the best of ``evidence``, which a reader without a judge would have read."""
    observed = report.usage.observation_chars or _distinct_chars(evidence[:_DEFAULT_OBSERVED])
    return Exploration(
        at=report.created_at,
        version=__version__,
        root=report.root,
        report=report.id,
        intent=report.intent,
        asked=chosen_judge(request, settings),
        judge=report.judge,
        model=report.model,
        stop_reason=report.stop_reason,
        confidence=report.confidence,
        action=report.action,
        report_tokens=len(render_text(report, settings.report_chars)) // CHARACTERS_PER_TOKEN,
        observation_tokens=observed // CHARACTERS_PER_TOKEN,
        yields=tuple(StepYield(shown=each.shown, new=each.new) for each in effort.yields),
        rounds=effort.rounds,
        repairs=effort.repairs,
        dropped=report.dropped,
        diagnostics_in_report=len(report.notes),
        cache=cache,
        stale_misses=stale_misses,
        usage=report.usage,
        elapsed_ms=report.elapsed_ms,
    )


def _distinct_chars(candidates: Iterable[Candidate]) -> int:
    lines = {
        (segment.path, number): len(line)
        for candidate in candidates
        for segment in candidate.segments
        for number, line in enumerate(segment.lines, segment.start)
    }
    return sum(lines.values())


def cancelled_event(root: str, settings: Settings, request: ExploreRequest) -> Exploration:
    """The event of an exploration that was cancelled."""
    return Exploration(
        at=datetime.now(UTC),
        version=__version__,
        root=root,
        intent=request.intent,
        asked=chosen_judge(request, settings),
        stop_reason="cancelled",
    )


class ExplorationLog:
    """Events as lines of JSON in two files; the older one is dropped when the newer one is full.

    Several processes may write: each line is appended in one write, and unreadable lines are
    skipped. Disk errors are logged and never raised. Every method blocks.
    """

    def __init__(self, folder: Path, file_bytes: int = _FILE_BYTES) -> None:
        self.file = folder / "explorations.jsonl"
        self._older = folder / "explorations.old.jsonl"
        self._file_bytes = file_bytes

    @classmethod
    def of(cls, settings: Settings) -> ExplorationLog:
        """The log in the cache folder of these settings."""
        return cls(cache_root(settings))

    def append(self, event: Exploration) -> None:
        """Append an event."""
        line = event.model_dump_json(by_alias=True, exclude_defaults=True).encode() + b"\n"
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileNotFoundError):
                if self.file.stat().st_size + len(line) > self._file_bytes:
                    self.file.replace(self._older)
            with self.file.open("ab", buffering=0) as stream:
                stream.write(line)
        except OSError as error:
            logger.info("The exploration is not in the log: %s (%s).", error.strerror, self.file)

    def events(self, root: str | None = None) -> Iterator[Exploration]:
        """The events kept, oldest first; with ``root``, only those of the workspace with this first
        root."""
        for file in (self._older, self.file):
            try:
                lines = file.read_bytes().splitlines()
            except OSError:
                continue
            for line in lines:
                with contextlib.suppress(ValidationError):
                    event = Exploration.model_validate_json(line)
                    if root is None or event.root == root:
                        yield event


@dataclass(frozen=True, slots=True)
class Summary:
    """Totals over explorations. Shares and ratios are None where nothing was counted."""

    explorations: int
    cancelled: int
    with_model: int
    fallbacks: int
    fallback_share: float | None
    alarm: bool
    stop_reasons: tuple[tuple[StopReason, int], ...]
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    cost_usd: float
    observation_tokens: int
    report_tokens: int
    fact_unverified: int
    duplicate_yield: float | None
    """Share of the places shown by steps that had been shown before."""
    cache_hits: int
    stale_misses: int


def summary(events: Iterable[Exploration]) -> Summary:
    """Totals over ``events``; ``alarm`` if too many explorations fell back to the offline judge."""
    explorations = list(events)
    finished = [each for each in explorations if each.stop_reason != "cancelled"]
    with_model = [each for each in finished if each.asked != "offline"]
    fallbacks = sum(each.fell_back for each in with_model)
    share = fallbacks / len(with_model) if with_model else None
    shown = sum(step.shown for each in explorations for step in each.yields)
    new = sum(step.new for each in explorations for step in each.yields)
    reasons: Counter[StopReason] = Counter(each.stop_reason for each in with_model)
    return Summary(
        explorations=len(explorations),
        cancelled=len(explorations) - len(finished),
        with_model=len(with_model),
        fallbacks=fallbacks,
        fallback_share=share,
        alarm=share is not None and len(with_model) >= _MIN_WITH_MODEL and share > _FALLBACK_ALARM,
        stop_reasons=tuple(reasons.most_common()),
        input_tokens=sum(each.usage.input_tokens for each in explorations),
        cached_tokens=sum(each.usage.cached_tokens for each in explorations),
        output_tokens=sum(each.usage.output_tokens for each in explorations),
        cost_usd=sum(each.usage.cost_usd or 0.0 for each in explorations),
        observation_tokens=sum(each.observation_tokens for each in finished),
        report_tokens=sum(each.report_tokens for each in finished),
        fact_unverified=sum(each.fact_unverified for each in explorations),
        duplicate_yield=1 - new / shown if shown else None,
        cache_hits=sum(each.cache == "hit" for each in explorations),
        stale_misses=sum(each.stale_misses for each in explorations),
    )
