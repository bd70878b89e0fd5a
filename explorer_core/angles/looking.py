"""Runs one angle: retrieves its evidence and composes its exploration."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from typing import Literal

from explorer_core import __version__
from explorer_core.angles.census import Census
from explorer_core.angles.faults import Part, run_parts
from explorer_core.angles.found_patterns import patterns_of
from explorer_core.angles.rationale import (
    FileEvidence,
    discovery_source,
    key_symbols,
    rationale,
    role,
)
from explorer_core.angles.spec import AngleSpec
from explorer_core.channels.grep import grep
from explorer_core.contracts import Budget, ExploreRequest, GrepMatch, JudgeChoice
from explorer_core.contracts.request import KEYWORD_LIMIT
from explorer_core.contracts.survey import (
    Exploration,
    ExplorationMetadata,
    ExternalRef,
    FoundDependency,
    RelevantFile,
)
from explorer_core.credentials import masked
from explorer_core.explorer import ExploreError, Explorer

Effort = Literal["low", "medium", "high"]
"""Low: retrieval only; medium: plus a text search; high: plus a judge that uses a model."""

MAX_FILES = 20
_MAX_KEYWORDS = KEYWORD_LIMIT // 2
"""Maximum keywords of a survey; the rest of the limit is left for those of an angle."""
_MAX_DEPENDENCIES = 80
_MAX_REFERENCES = 40
_MAX_MATCHES = 4000
_TEXT_TIMEOUT_S = 4.0
_ASIDE_FACTOR = 0.2
"""Factor on files that an angle is not about: generated, vendored, prose, or tests."""
_NAMED_BONUS = 1.0
"""Score added for a file that the model's report names."""


@dataclass(frozen=True, slots=True)
class Ask:
    """The subject of a survey; an empty ``topic`` means the code base as a whole.

    ``judge_s`` limits the seconds a model may take per angle; None leaves that to the settings.
    """

    topic: str = ""
    keywords: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    judge: JudgeChoice = "auto"
    effort: Effort = "medium"
    judge_s: float | None = None

    def __post_init__(self) -> None:
        if len(self.keywords) > _MAX_KEYWORDS:
            raise ExploreError(
                f"There are {len(self.keywords):,} keywords; at most {_MAX_KEYWORDS} are accepted."
            )

    def request_for(self, spec: AngleSpec) -> ExploreRequest:
        """The request that this survey makes for an angle."""
        return ExploreRequest(
            query=self.topic or spec.question,
            keywords=self.keywords if self.topic else (*self.keywords, *spec.keywords),
            scope=self.scope,
            judge=self.judge,
            budget=Budget(wall_time_s=self.judge_s),
        )


@dataclass(slots=True)
class AngleResult:
    """An exploration, the scores of its files, and notes on what is missing."""

    exploration: Exploration
    scores: dict[str, float]
    notes: list[str] = field(default_factory=list[str])


class Angle:
    """One angle being explored."""

    def __init__(self, spec: AngleSpec, request: Ask, explorer: Explorer, census: Census) -> None:
        self._spec = spec
        self._request = request
        self._explorer = explorer
        self._census = census
        self._evidence: dict[str, FileEvidence] = {}
        self._sources: list[str] = []
        self._notes: list[str] = list(census.notes)

    async def explore(self, cache_key: str) -> AngleResult:
        """Explore from this angle. A source that fails is noted; the others continue."""
        sources: list[Part] = [("index", self._retrieve)]
        if self._request.effort != "low" and self._spec.text:
            sources.append(("grep", self._search_text))
        if self._request.effort == "high":
            sources.append(("judge", self._judge))
        self._sources = await run_parts(sources, self._spec.name, self._notes)
        is_complete = len(self._sources) == len(sources) and not self._census.notes
        return await asyncio.to_thread(self._compose, cache_key if is_complete else "")

    # sources

    async def _retrieve(self) -> None:
        ranking = await self._explorer.gather(self._request.request_for(self._spec))
        best = ranking.candidates[0].score if ranking.candidates else 0.0
        for candidate in ranking.candidates:
            evidence = self._evidence_for(candidate.path)
            evidence.candidates.append(candidate)
            evidence.topic = max(evidence.topic, math.exp(min(0.0, candidate.score - best) / 2))

    async def _search_text(self) -> None:
        result = await grep(
            self._explorer.workspace,
            self._spec.text,
            regex=True,
            ignore_case=True,
            scope=self._request.scope,
            limit=_MAX_MATCHES,
            timeout_s=_TEXT_TIMEOUT_S,
        )
        terms: dict[str, set[str]] = {}
        for match in result.observations:
            if isinstance(match, GrepMatch):
                path = match.segment.path
                line = match.segment.lines[match.line - match.segment.start]
                self._evidence_for(path).lines.append((match.line, line, len(match.terms)))
                terms.setdefault(path, set()).update(match.terms)
        max_log_lines = (
            math.log1p(max((len(self._evidence[path].lines) for path in terms), default=0)) or 1.0
        )
        for path, matched in terms.items():
            evidence = self._evidence[path]
            share = len(matched) / len(self._spec.text)
            evidence.text = share * math.log1p(len(evidence.lines)) / max_log_lines
        errors = (each for each in result.diagnostics if each.severity == "error")
        self._notes += (f"{self._spec.name}: {each.message}" for each in errors)

    async def _judge(self) -> None:
        report = await self._explorer.explore(self._request.request_for(self._spec))
        if report.judge == "offline":
            raise ExploreError(
                " ".join(report.notes) or "it selected nothing that could be reported."
            )
        self._notes += report.notes
        for link in report.links:
            statement = f"Line {link.quote_range.start}: {link.fact.rstrip('.')}"
            self._evidence_for(link.path).facts.append(statement)

    def _is_any_in_scope(self, paths: Iterable[str]) -> bool:
        """Whether any of these files is in the scope."""
        workspace, scope = self._explorer.workspace, self._request.scope
        return any(workspace.in_scope(path, scope) for path in paths)

    def _evidence_for(self, path: str) -> FileEvidence:
        return self._evidence.setdefault(path, FileEvidence(path))

    # what comes of it

    def _compose(self, cache_key: str) -> AngleResult:
        self._score_files()
        ranked = sorted(
            self._evidence.values(), key=lambda evidence: (-evidence.score, evidence.path)
        )
        reasons: dict[str, str] = {}
        explore_request = self._request.request_for(self._spec)
        question = " ".join((explore_request.query, *explore_request.keywords))
        for evidence in (evidence for evidence in ranked if evidence.score > 0):
            text = rationale(evidence, self._census, question, has_topic=bool(self._request.topic))
            if text:
                reasons[evidence.path] = text
            if len(reasons) == MAX_FILES:
                break
        chosen = [self._evidence[path] for path in reasons]
        relevant = {evidence.path for evidence in chosen}
        if not chosen:
            self._notes.append(
                f"{self._spec.name} found nothing; name a topic in words that the code uses,"
                " or widen the scope."
            )
        exploration = Exploration(
            angle=self._spec.name,
            query=self._request.topic or self._spec.question,
            relevant_files=tuple(
                self._relevant_file(evidence, reasons[evidence.path]) for evidence in chosen
            ),
            patterns=tuple(patterns_of(self._census, self._spec, relevant, self._is_any_in_scope)),
            dependencies=tuple(self._dependencies(relevant)),
            external_refs=tuple(self._references(relevant)),
            _metadata=ExplorationMetadata(
                created_by=f"sightline {__version__}",
                timestamp=datetime.now(UTC),
                cache_key=cache_key,
                search_sources=tuple(dict.fromkeys((*self._sources, *self._census.sources))),
                total_files_scanned=len(self._census.traits),
                relevant_file_count=len(chosen),
            ),
        )
        scores = {evidence.path: evidence.score for evidence in chosen}
        return AngleResult(exploration, scores, self._notes)

    def _score_files(self) -> None:
        """Score every file. With a topic, nearness to it counts, multiplied by the other evidence,
        which alone adds little. Without one, the angle's signals and text matches count most."""
        weights = self._spec.signals
        total = sum(weights.values()) or 1.0
        for name, weight in weights.items():
            for path, value in self._census.signals.get(name, {}).items():
                if self._explorer.workspace.in_scope(path, self._request.scope):
                    self._evidence_for(path).signals[name] = weight * value / total
        for evidence in self._evidence.values():
            structural = sum(evidence.signals.values())
            if self._request.topic:
                topical = evidence.topic * (1 + 0.6 * evidence.text + 0.8 * structural)
                score = topical + 0.15 * (evidence.text + structural)
            else:
                score = 0.5 * evidence.topic + 0.8 * evidence.text + structural
            score += _NAMED_BONUS * bool(evidence.facts)
            evidence.score = score * self._relevance_factor(evidence.path)

    def _relevance_factor(self, path: str) -> float:
        """The factor for this kind of file: 1 if the angle is about it, `_ASIDE_FACTOR` if not,
        0 if the file is unknown."""
        if path not in self._census.traits:
            return 0.0
        if self._census.is_test(path) != self._spec.tests and not self._census.is_config(path):
            return _ASIDE_FACTOR
        return _ASIDE_FACTOR if self._census.is_aside(path) else 1.0

    def _relevant_file(self, evidence: FileEvidence, text: str) -> RelevantFile:
        return RelevantFile(
            path=evidence.path,
            rationale=text,
            role=role(evidence, self._census, self._spec.role, has_topic=bool(self._request.topic)),
            discovery_source=discovery_source(evidence),
            key_symbols=key_symbols(evidence, self._census),
        )

    def _dependencies(self, relevant: set[str]) -> Sequence[FoundDependency]:
        """Import edges between relevant files, and links by strings from or to them."""
        pairs = [
            (edge.source, edge.target, "import")
            for path in sorted(relevant)
            for edge in self._census.imports.of(path).values()
            if edge.target in relevant
        ]
        pairs += [
            (link.source, link.target, link.kind)
            for link in self._census.implicit
            if link.source in relevant or link.target in relevant
        ]
        return [
            FoundDependency.model_validate({"from": source, "to": target, "type": kind})
            for source, target, kind in pairs[:_MAX_DEPENDENCIES]
        ]

    def _references(self, relevant: set[str]) -> Sequence[ExternalRef]:
        """The packages that relevant files use. An angle with the manifest signal also lists all
        that files in the scope use or declare."""
        lists_all = "manifest" in self._spec.signals
        used = (
            usage
            for usage in self._census.externals
            if any(path in relevant for path, _ in usage.places)
            or (
                lists_all
                and self._is_any_in_scope([usage.package.manifest, *(p for p, _ in usage.places)])
            )
        )
        return [
            ExternalRef(
                name=u.package.name,
                version=_masked_version(u.package.version),
                usage=masked(u.description)[:400],
            )
            for u in islice(used, _MAX_REFERENCES)
        ]


def _masked_version(version: str | None) -> str | None:
    """A version as stated in a manifest, masked: it may be a URL that contains a password."""
    return None if version is None else masked(version)
