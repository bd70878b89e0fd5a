"""What the packet judge is shown: candidates as summaries, and what is known to be missing."""

from __future__ import annotations

from explorer_core.contracts.base import CandidateId, Model
from explorer_core.contracts.candidates import Evidence, Traits
from explorer_core.contracts.observations import SourceName, SymbolInfo
from explorer_core.contracts.places import LineRange
from explorer_core.contracts.request import Budget


class CandidateSummary(Model):
    """A candidate without its text."""

    id: CandidateId
    path: str
    range: LineRange | None
    symbols: tuple[SymbolInfo, ...]
    evidence: Evidence
    traits: Traits
    provenance: tuple[SourceName, ...]
    estimated_tokens: int


class ToolStats(Model):
    """How much was looked at to fill the packet."""

    calls: int = 0
    candidates_seen: int = 0
    diagnostics: int = 0


class CandidatePacket(Model):
    """20-40 diverse candidates for one model call."""

    query: str
    budget: Budget
    candidates: tuple[CandidateSummary, ...]
    coverage_hints: tuple[str, ...] = ()
    known_gaps: tuple[str, ...] = ()
    tool_stats: ToolStats = ToolStats()
