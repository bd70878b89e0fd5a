"""The one protocol of all judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from explorer_core.contracts import (
    Diagnostic,
    ExploreRequest,
    JudgeName,
    Selection,
    StopReason,
    Usage,
)
from explorer_core.index.index import Index
from explorer_core.registry import Registry
from explorer_core.registry.ranking import Ranking
from explorer_core.workspace import Workspace


@dataclass(frozen=True, slots=True)
class JudgeCase:
    """All a judge is given: the question, the evidence best first, and where to look further.

    What a judge looks at beyond the ranking it adds to ``registry``, which hands it an id; there is
    no other way to name a place.
    """

    request: ExploreRequest
    ranking: Ranking
    registry: Registry
    index: Index
    workspace: Workspace


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judge's selection, and what it cost to come to it."""

    selection: Selection
    model: str | None = None
    stop_reason: StopReason = "completed"
    usage: Usage = field(default_factory=Usage)
    diagnostics: tuple[Diagnostic, ...] = ()


class JudgeError(Exception):
    """A judge came to no verdict; the message is one sentence for the report's notes."""

    def __init__(self, message: str, stop_reason: StopReason = "model_error") -> None:
        super().__init__(message)
        self.stop_reason: StopReason = stop_reason


class Judge(Protocol):
    """Judges evidence. Implementations raise JudgeError and nothing else of their own."""

    name: JudgeName

    async def judge(self, case: JudgeCase) -> Verdict:
        """The verdict over a case."""
        ...

    async def reconsider(self, case: JudgeCase, gaps: Sequence[str]) -> Verdict | None:
        """Another verdict after critical gaps were found in the last one; None to stand by it."""
        ...
