"""The report, which every face shows. Its JSON form is the public contract (``docs/schema``)."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, Self

from pydantic import Field, model_validator

from explorer_core.contracts.base import CandidateId, Model
from explorer_core.contracts.observations import Relation, Witness
from explorer_core.contracts.places import LineRange, Site
from explorer_core.contracts.request import Intent, JudgeName
from explorer_core.contracts.selection import Action, Confidence, SearchTarget

SCHEMA_VERSION = 1

StopReason = Literal[
    "completed",
    "steps",
    "observation_chars",
    "output_tokens",
    "wall_time",
    "low_yield",
    "no_report",
    "refused",
    "model_error",
    "cancelled",
]
DroppedPart = Literal["link", "primary", "read_target", "missing", "search_target"]
"""The parts of a report from which items can be dropped."""

DropReason = Literal[
    "unknown_id",
    "range_not_observed",
    "no_range",
    "unobserved_reference",
    "fact_unverified",
    "quote_unusable",
    "credential",
    "over_budget",
    "changed_since_observed",
    "file_gone",
]


class Hop(Model):
    """The relation between a link and its successor, and what confirms it.

    ``from_`` and ``to`` are candidate ids in the direction of the relation; the flow may run the
    other way. ``via`` names what was skipped between them; ``site`` is the line that states the
    relation.
    """

    relation: Relation
    from_: CandidateId = Field(validation_alias="from", serialization_alias="from")
    to: CandidateId
    via: tuple[str, ...] = ()
    site: Site | None = None
    witness: Witness | None = None


class PrimaryPlace(Model):
    """A place the answer is about; without a range it is the whole file."""

    id: CandidateId
    path: str
    range: LineRange | None


class Link(Model):
    """One step of the flow. ``quote`` is the file's own text at ``quote_range``.

    ``id`` is that of its place, which a flow may visit twice: a link is identified by its number.
    """

    id: CandidateId
    path: str
    range: LineRange
    role: str
    fact: str
    quote: str
    quote_range: LineRange
    stale: bool = False
    hop: Hop | None = None

    @model_validator(mode="after")
    def _quote_inside(self) -> Self:
        if not self.range.covers(self.quote_range):
            raise ValueError("a quote lies inside its link's range")
        return self

    @property
    def leads_on(self) -> bool:
        """Whether the hop's relation leads from this step to the next, not the other way round."""
        return self.hop is not None and self.hop.from_ == self.id


class ReadTarget(Model):
    """A place to open before acting."""

    id: CandidateId
    path: str
    range: LineRange
    purpose: str
    required: bool


class Dropped(Model):
    """A part of the judge's selection that did not survive validation. ``id`` is that of its place,
    if there is one and it alone was at fault."""

    what: DroppedPart
    id: CandidateId | None = None
    why: DropReason


class Coverage(Model):
    """How many of the files the graph could index are in it."""

    indexed: int = 0
    total: int = 0


class Usage(Model):
    """What the exploration cost. Token counts are zero if no model was used."""

    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    steps: int = 0
    observation_chars: int = 0
    candidates_seen: int = 0


class RankedCandidate(Model):
    """A candidate with its score and features, which explain its rank (``--explain-ranking``)."""

    id: CandidateId
    path: str
    range: LineRange | None
    symbol: str | None = None
    score: float
    features: dict[str, float]


class Report(Model):
    """A verified answer: exact places in order, each with one fact and a verbatim quote.

    ``suggested_keywords`` are words that the code near the answer uses and the question does not,
    most telling first. Repeating the question with the fitting ones as keywords finds more. They
    are omitted at high confidence, and at medium confidence if keywords were given.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    id: str
    created_at: datetime
    root: str
    query: str
    intent: Intent
    confidence: Confidence
    action: Action
    judge: JudgeName
    model: str | None = None
    stop_reason: StopReason = "completed"
    notes: tuple[str, ...] = ()
    primary: tuple[PrimaryPlace, ...] = ()
    links: tuple[Link, ...] = ()
    read_targets: tuple[ReadTarget, ...] = ()
    missing: tuple[str, ...] = ()
    search_targets: tuple[SearchTarget, ...] = ()
    suggested_keywords: tuple[str, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    coverage: Coverage = Coverage()
    usage: Usage = Usage()
    elapsed_ms: dict[str, float] = {}
    candidates: tuple[RankedCandidate, ...] | None = None

    def to_json(self) -> str:
        """The report as JSON; ``candidates`` is left out if the ranking was not requested."""
        excluded = {"candidates"} if self.candidates is None else None
        return self.model_dump_json(by_alias=True, indent=2, exclude=excluded)
