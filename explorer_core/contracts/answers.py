"""Structured answers of a coding agent's tools, sent beside the text that the agent reads.

An expected failure is an ordinary answer: ``problem`` is one sentence that says what to do next; it
is None on success. ``workspace`` names the folders that were searched.
"""

from __future__ import annotations

from datetime import datetime

from explorer_core.contracts.base import Model
from explorer_core.contracts.observations import Relation, Witness
from explorer_core.contracts.report import Coverage, Link, Report
from explorer_core.contracts.request import Intent, JudgeName
from explorer_core.contracts.selection import Action, Confidence, SearchTarget
from explorer_core.contracts.survey import SurveySummary


class AnswerPlace(Model):
    """Lines of a file, or the whole of it when there are none."""

    path: str
    start: int | None = None
    end: int | None = None


class AnswerHop(Model):
    """How a step leads to the next one, and what confirms it.

    The step has the ``relation`` to the next one (it calls it); where it is ``reversed``, the next
    one to it. ``path`` and ``line`` are where the relation stands, ``via`` names what was skipped.
    """

    relation: Relation
    reversed: bool = False
    via: tuple[str, ...] = ()
    path: str | None = None
    line: int | None = None
    witness: Witness | None = None

    @classmethod
    def of(cls, link: Link) -> AnswerHop | None:
        """The hop that starts at a link of a report; None if the link has none."""
        if link.hop is None:
            return None
        site = link.hop.site
        return cls(
            relation=link.hop.relation,
            reversed=not link.leads_on,
            via=link.hop.via,
            path=site.path if site else None,
            line=site.line if site else None,
            witness=link.hop.witness,
        )


class AnswerStep(Model):
    """One step of the flow. ``quote`` is the file's own text."""

    path: str
    start: int
    end: int
    role: str
    fact: str
    quote: str
    next: AnswerHop | None = None


class AnswerTarget(Model):
    """A place to read before acting."""

    path: str
    start: int
    end: int
    purpose: str
    required: bool


class ExploreAnswer(Model):
    """``explore_code``: the report in short. The whole is the resource of ``report_id``."""

    workspace: str
    problem: str | None = None
    report_id: str | None = None
    intent: Intent | None = None
    confidence: Confidence | None = None
    action: Action | None = None
    judge: JudgeName | None = None
    from_cache: bool = False
    primary: tuple[AnswerPlace, ...] = ()
    flow: tuple[AnswerStep, ...] = ()
    read_targets: tuple[AnswerTarget, ...] = ()
    missing: tuple[str, ...] = ()
    search_targets: tuple[SearchTarget, ...] = ()
    suggested_keywords: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    coverage: Coverage | None = None

    @classmethod
    def of(cls, report: Report, workspace: str) -> ExploreAnswer:
        """The answer for a report."""
        return cls(
            workspace=workspace,
            report_id=report.id,
            intent=report.intent,
            confidence=report.confidence,
            action=report.action,
            judge=report.judge,
            from_cache="cache" in report.elapsed_ms,
            primary=tuple(
                AnswerPlace(
                    path=each.path,
                    start=each.range.start if each.range else None,
                    end=each.range.end if each.range else None,
                )
                for each in report.primary
            ),
            flow=tuple(
                AnswerStep(
                    path=link.path,
                    start=link.range.start,
                    end=link.range.end,
                    role=link.role,
                    fact=link.fact,
                    quote=link.quote,
                    next=AnswerHop.of(link),
                )
                for link in report.links
            ),
            read_targets=tuple(
                AnswerTarget(
                    path=each.path,
                    start=each.range.start,
                    end=each.range.end,
                    purpose=each.purpose,
                    required=each.required,
                )
                for each in report.read_targets
            ),
            missing=report.missing,
            search_targets=report.search_targets,
            suggested_keywords=report.suggested_keywords,
            notes=report.notes,
            coverage=report.coverage,
        )


class ReadAnswer(Model):
    """``read_range``: lines ``start`` to ``end`` as they are now, without line ends. ``note`` says
    whether they have moved or changed since the report."""

    workspace: str
    problem: str | None = None
    path: str | None = None
    start: int | None = None
    end: int | None = None
    lines: tuple[str, ...] = ()
    note: str | None = None


class SurveyAnswer(Model):
    """``explore_angles``: the summary of a survey; the files it names hold the rest."""

    workspace: str
    problem: str | None = None
    summary: SurveySummary | None = None


class KeptReportSummary(Model):
    """One of the reports a session keeps; ``uri`` is the resource with all of it."""

    id: str
    query: str
    workspace: str
    created_at: datetime
    uri: str
