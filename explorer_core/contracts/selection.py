"""What a judge returns: ids and words about them, but no path, line number or range.

The lists have no length limits here: if a judge names too much, validation truncates the lists
instead of rejecting the selection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, Self

from explorer_core.contracts.base import CandidateId, Model, OneLine

Action = Literal["answer_from_report", "read_targets", "targeted_gap_search", "skip_explore_result"]
Confidence = Literal["low", "medium", "high"]

PRIMARY_LIMIT, LINK_LIMIT, READ_TARGET_LIMIT = 5, 8, 6
"""Maximum places of each kind in a report. Validation drops the excess; judges need not check."""

QUOTE_LIMIT, FACT_LIMIT = 200, 240
"""Maximum characters of a quote, and of what is said about a place."""


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


class NamedPlace(NamedTuple):
    """A place named by a selection: the part of the report it is for, and its path in the JSON."""

    part: Literal["primary", "link", "read_target"]
    field: str
    id: CandidateId


class Selection(Model):
    """What a judge selects of the candidates, before validation."""

    primary_candidate_ids: tuple[CandidateId, ...] = ()
    flow: tuple[FlowChoice, ...] = ()
    read_targets: tuple[ReadTargetChoice, ...] = ()
    missing_coverage: tuple[OneLine, ...] = ()
    recommended_primary_action: Action
    search_targets: tuple[SearchTarget, ...] = ()
    confidence: Confidence

    def places(self) -> Iterator[NamedPlace]:
        """The places the selection names, once per mention."""
        for at, id_ in enumerate(self.primary_candidate_ids):
            yield NamedPlace("primary", f"primaryCandidateIds.{at}", id_)
        for at, step in enumerate(self.flow):
            yield NamedPlace("link", f"flow.{at}.candidateId", step.candidate_id)
        for at, target in enumerate(self.read_targets):
            yield NamedPlace("read_target", f"readTargets.{at}.candidateId", target.candidate_id)

    def renamed(self, name: Callable[[CandidateId], CandidateId | None]) -> Self:
        """A copy with ids replaced by ``name``; places for which it returns None are left out."""
        primary = (name(each) for each in self.primary_candidate_ids)
        flow = ((each, name(each.candidate_id)) for each in self.flow)
        targets = ((each, name(each.candidate_id)) for each in self.read_targets)
        return self.model_copy(
            update={
                "primary_candidate_ids": tuple(id_ for id_ in primary if id_),
                "flow": tuple(
                    each.model_copy(update={"candidate_id": id_}) for each, id_ in flow if id_
                ),
                "read_targets": tuple(
                    each.model_copy(update={"candidate_id": id_}) for each, id_ in targets if id_
                ),
            }
        )


class NeedMoreEvidence(Model):
    """The packet judge's request for one more round of retrieval."""

    role_gap: OneLine
    targeted_queries: tuple[str, ...]
    preferred_tools: tuple[str, ...] = ()


class PacketSelection(Selection):
    """A packet judge's selection, which may ask for more evidence instead of settling."""

    need_more_evidence: NeedMoreEvidence | None = None
