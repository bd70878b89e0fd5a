"""What a judge returns: ids and words about them. No path, no line number, no range.

The lists are not limited in length here: a judge that names too much is clamped by validation,
not rejected.
"""

from __future__ import annotations

from typing import Literal

from explorer_core.contracts.base import CandidateId, Model, OneLine

Action = Literal["answer_from_report", "read_targets", "targeted_gap_search", "skip_explore_result"]
Confidence = Literal["low", "medium", "high"]

PRIMARY_LIMIT, LINK_LIMIT, READ_TARGET_LIMIT = 5, 8, 6
"""Most places of a kind in a report; validation drops what is over, so a judge need not say it."""

QUOTE_LIMIT = 200
"""Most characters of a quote."""


class FlowChoice(Model):
    """One step of the flow: a place, its part in the flow, one fact and the line that shows it."""

    candidate_id: CandidateId
    role: OneLine
    fact: OneLine
    quote: str


class ReadTargetChoice(Model):
    """A place the reader should open before acting, and what for."""

    candidate_id: CandidateId
    purpose: OneLine
    required: bool = True


class SearchTarget(Model):
    """A search that would close a gap: concrete terms within a scope glob."""

    terms: tuple[str, ...]
    scope: str


class Selection(Model):
    """A judge's verdict over candidates, before validation."""

    primary_candidate_ids: tuple[CandidateId, ...] = ()
    flow: tuple[FlowChoice, ...] = ()
    read_targets: tuple[ReadTargetChoice, ...] = ()
    missing_coverage: tuple[OneLine, ...] = ()
    recommended_primary_action: Action
    search_targets: tuple[SearchTarget, ...] = ()
    confidence: Confidence


class NeedMoreEvidence(Model):
    """The packet judge's request for one more round of retrieval."""

    role_gap: OneLine
    targeted_queries: tuple[str, ...]
    preferred_tools: tuple[str, ...] = ()


class PacketSelection(Selection):
    """A packet judge's verdict, which may ask for more evidence instead of settling."""

    need_more_evidence: NeedMoreEvidence | None = None
