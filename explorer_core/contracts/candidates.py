"""Candidates: observed places with stable ids, the only things a judge can point at."""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from explorer_core.contracts.base import CandidateId, Model
from explorer_core.contracts.observations import SourceName, SymbolInfo
from explorer_core.contracts.places import LineRange, Segment


class Traits(Model):
    """Structural marks of a place, from published conventions and never from its meaning."""

    test: bool = False
    support: bool = False
    migration: bool = False
    generated: bool = False
    vendored: bool = False
    documentation: bool = False
    example: bool = False


class Candidate(Model):
    """One observed place.

    ``range`` is None for a file that was only listed: such a candidate can be primary, never a
    link or a read target. ``provenance`` names every source that contributed, merged.
    ``segments`` are the contiguous pieces of text it rests on, untruncated.
    """

    id: CandidateId
    path: str
    range: LineRange | None
    symbols: tuple[SymbolInfo, ...] = ()
    provenance: tuple[SourceName, ...] = ()
    traits: Traits = Traits()
    features: dict[str, float] = {}
    score: float = 0.0
    estimated_tokens: int = 0
    matched_terms: tuple[str, ...] = ()
    segments: tuple[Segment, ...] = ()

    @model_validator(mode="after")
    def _segments_of_this_file(self) -> Self:
        if any(segment.path != self.path for segment in self.segments):
            raise ValueError("a candidate rests on text of its own file only")
        return self
