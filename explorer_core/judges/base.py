"""The one protocol of all judges."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from explorer_core.contracts import (
    Diagnostic,
    Dropped,
    ExploreRequest,
    JudgeName,
    LineRange,
    Selection,
    StopReason,
    Usage,
)
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.index import Index
from explorer_core.index.symbols import Symbol
from explorer_core.judges.models.transcript import Transcript
from explorer_core.registry import Registry
from explorer_core.registry.ranking import Ranking
from explorer_core.registry.traits import is_aside
from explorer_core.threads import run_to_end
from explorer_core.workspace import Workspace

T = TypeVar("T")

_LOW_YIELD = 1 / 3
"""Share of unknown places below which a step brought mostly what was known."""

Gather = Callable[[ExploreRequest], Awaitable[Ranking]]
"""Retrieves for another question; what it finds is not yet in the registry."""


async def _nothing_further(request: ExploreRequest) -> Ranking:
    return Ranking(())


@dataclass(frozen=True, slots=True)
class JudgeCase:
    """All a judge is given: the question, the evidence best first, and where to look further.

    What a judge looks at beyond the ranking it adds to ``registry``, which hands it an id; there is
    no other way to name a place. The graph and the registry serve one thread at a time: use them
    through `with_graph`. ``question`` is that of the request and the one that it follows up, if it
    follows any, of which ``followed`` was the best place. ``tell`` takes one line of progress.
    """

    request: ExploreRequest
    ranking: Ranking
    registry: Registry
    index: Index
    workspace: Workspace
    question: str
    followed: tuple[str, LineRange] | None = None
    graph_turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    gather: Gather = _nothing_further
    tell: Callable[[str], None] = lambda message: None
    transcript: Transcript = field(default_factory=Transcript)

    @property
    def graph(self) -> SymbolGraph:
        """The symbol graph as it is now."""
        return self.index.graph

    def in_scope(self, path: str) -> bool:
        """Whether a file may be shown: the request's scope has it, or the question starts there."""
        anchor = self.request.anchor
        starts = anchor is not None and self.workspace.relative(anchor.path) == path
        return starts or self.workspace.in_scope(path, self.request.scope)

    def set_apart(self, symbol: Symbol) -> bool:
        """Whether a flow goes round a symbol: a test or the like, or one outside of the scope."""
        aside = symbol.test or is_aside(self.registry.traits_of(symbol.path))
        return aside or not self.in_scope(symbol.path)

    async def with_graph(self, work: Callable[[], T]) -> T:
        """The result of ``work``, run in a thread while nobody else uses the graph, which is looked
        at as it was when the work began."""

        def looking() -> T:
            with self.index.still():
                return work()

        async with self.graph_turn:
            return await run_to_end(looking)


@dataclass(frozen=True, slots=True)
class Yield:
    """What one step brought: places shown, and how many of them for the first time."""

    shown: int
    new: int

    @property
    def is_low(self) -> bool:
        return self.new < self.shown * _LOW_YIELD or self.new == 0


@dataclass(frozen=True, slots=True)
class Effort:
    """How a judge went about it: what each step brought, how often a report of its own was sent
    back to it, and how many further rounds it took."""

    yields: tuple[Yield, ...] = ()
    repairs: int = 0
    rounds: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judge's selection, and what it cost to come to it."""

    selection: Selection
    judge: JudgeName = "offline"
    model: str | None = None
    stop_reason: StopReason = "completed"
    usage: Usage = field(default_factory=Usage)
    effort: Effort = Effort()
    diagnostics: tuple[Diagnostic, ...] = ()
    dropped: tuple[Dropped, ...] = ()


class JudgeError(Exception):
    """A judge came to no verdict; the message is one sentence for the report's notes. ``usage``,
    ``effort`` and ``model`` are what was spent all the same."""

    def __init__(
        self,
        message: str,
        stop_reason: StopReason = "model_error",
        *,
        model: str | None = None,
        usage: Usage | None = None,
    ) -> None:
        super().__init__(message)
        self.stop_reason: StopReason = stop_reason
        self.model = model
        self.usage = usage or Usage()
        self.effort = Effort()


@dataclass(frozen=True, slots=True)
class Gap:
    """Something critical that is wrong with a verdict, in a sentence for the judge.

    ``needs_exploring``: it cannot be put right without looking further.
    """

    text: str
    needs_exploring: bool = False


class Judge(Protocol):
    """Judges evidence. Implementations raise JudgeError and nothing else of their own."""

    name: JudgeName

    async def judge(self, case: JudgeCase) -> Verdict:
        """The verdict over a case."""
        ...

    async def reconsider(self, case: JudgeCase, gaps: Sequence[Gap]) -> Verdict | None:
        """Another verdict after critical gaps were found in the last one; None to stand by it."""
        ...
