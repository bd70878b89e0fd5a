"""The protocol that all judges implement, and what they take and return."""

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
"""A step with a smaller share of new places brought mostly what was known."""

Gather = Callable[[ExploreRequest], Awaitable[Ranking]]
"""Retrieves evidence for another question; its candidates are not yet in the registry."""


async def _nothing_further(request: ExploreRequest) -> Ranking:
    return Ranking(())


@dataclass(frozen=True, slots=True)
class JudgeCase:
    """Everything a judge is given: the question, the evidence (best first), and ways to look
    further.

    A judge adds whatever it looks at beyond the ranking to ``registry``, which assigns ids; there
    is no other way to name a place. The graph and the registry are not thread-safe: use them
    through `with_graph`. ``question`` is the request's question with those it follows up, if any;
    ``earlier_place`` is the best place of the report followed up. ``tell`` reports one line of
    progress."""

    request: ExploreRequest
    ranking: Ranking
    registry: Registry
    index: Index
    workspace: Workspace
    question: str
    earlier_place: tuple[str, LineRange] | None = None
    graph_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    gather: Gather = _nothing_further
    tell: Callable[[str], None] = lambda message: None
    transcript: Transcript = field(default_factory=Transcript)

    @property
    def graph(self) -> SymbolGraph:
        """The symbol graph in its present state."""
        return self.index.graph

    def in_scope(self, path: str) -> bool:
        """Whether a file may be shown: it is in the request's scope, or contains its anchor."""
        anchor = self.request.anchor
        starts = anchor is not None and self.workspace.relative(anchor.path) == path
        return starts or self.workspace.in_scope(path, self.request.scope)

    def is_set_apart(self, symbol: Symbol) -> bool:
        """Whether flows avoid a symbol: a test or the like, or one outside the scope."""
        aside = symbol.test or is_aside(self.registry.traits_of(symbol.path))
        return aside or not self.in_scope(symbol.path)

    async def with_graph(self, work: Callable[[], T]) -> T:
        """Run ``work`` in a thread with exclusive access to the graph, whose state stays fixed
        meanwhile; returns its result."""

        def looking() -> T:
            with self.index.frozen():
                return work()

        async with self.graph_lock:
            return await run_to_end(looking)


@dataclass(frozen=True, slots=True)
class Yield:
    """What one step yielded: the number of places shown, and of those shown for the first time."""

    shown: int
    new: int

    @property
    def is_low(self) -> bool:
        return self.new < self.shown * _LOW_YIELD or self.new == 0


@dataclass(frozen=True, slots=True)
class Effort:
    """What a judge did: the yield of each step, how often its report was sent back for repair, and
    the number of further rounds."""

    yields: tuple[Yield, ...] = ()
    repairs: int = 0
    rounds: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judge's selection, and what it cost."""

    selection: Selection
    judge: JudgeName = "offline"
    model: str | None = None
    stop_reason: StopReason = "completed"
    usage: Usage = field(default_factory=Usage)
    effort: Effort = Effort()
    diagnostics: tuple[Diagnostic, ...] = ()
    dropped: tuple[Dropped, ...] = ()


class JudgeError(Exception):
    """A judge reached no verdict; the message is one sentence for the report's notes. ``usage``,
    ``effort`` and ``model`` say what was spent all the same."""

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
    """A critical fault of a verdict, as a sentence for the judge.

    ``needs_exploring``: it cannot be corrected without looking further.
    """

    text: str
    needs_exploring: bool = False


class Judge(Protocol):
    """Judges evidence. Implementations raise JudgeError and nothing else of their own."""

    name: JudgeName

    async def judge(self, case: JudgeCase) -> Verdict:
        """The judge's verdict on a case."""
        ...

    async def reconsider(self, case: JudgeCase, gaps: Sequence[Gap]) -> Verdict | None:
        """A new verdict, given critical gaps of the last one; None to stand by that."""
        ...
