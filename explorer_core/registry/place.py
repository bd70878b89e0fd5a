"""One published place, and everything observed about it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from explorer_core.contracts import (
    Candidate,
    LineRange,
    Segment,
    SourceName,
    SymbolInfo,
    Traits,
)

_TOKENS_PER_UNSEEN_LINE = 4
CHARACTERS_PER_TOKEN = 4


class Span(NamedTuple):
    """What an id points at: lines of a file, or the whole file when ``lines`` is None."""

    path: str
    lines: tuple[int, int] | None


@dataclass(slots=True, eq=False)
class Place:
    """The evidence about one span. The span never changes; evidence is only ever added."""

    id: str
    span: Span
    symbols: dict[tuple[str, int], SymbolInfo] = field(
        default_factory=dict[tuple[str, int], SymbolInfo]
    )
    provenance: dict[SourceName, None] = field(default_factory=dict[SourceName, None])
    terms: dict[str, None] = field(default_factory=dict[str, None])
    scores: dict[str, float] = field(default_factory=dict[str, float])
    revision: int = 0

    def learn(
        self,
        source: SourceName,
        *,
        symbol: SymbolInfo | None = None,
        terms: Iterable[str] = (),
        scores: dict[str, float] | None = None,
    ) -> None:
        """Add the evidence of one observation; of each score the largest value is kept."""
        self.provenance[source] = None
        if symbol is not None:
            self.symbols.setdefault((symbol.qualified_name, symbol.line), symbol)
        self.terms.update(dict.fromkeys(terms))
        if not self.scores:
            self.scores = dict(scores or {})
        else:
            for name, value in (scores or {}).items():
                self.scores[name] = max(value, self.scores.get(name, value))
        self.revision += 1

    def absorb(self, other: Place) -> None:
        """Take over the evidence of a narrower view of the same text."""
        self.symbols = other.symbols | self.symbols
        self.provenance = other.provenance | self.provenance
        self.terms = other.terms | self.terms
        for name, value in other.scores.items():
            self.scores[name] = max(value, self.scores.get(name, value))
        self.revision += 1

    def candidate(
        self, segments: tuple[Segment, ...], symbols: tuple[SymbolInfo, ...], traits: Traits
    ) -> Candidate:
        """The place as the rest of the pipeline sees it. Its parts are already validated."""
        lines = self.span.lines
        return Candidate.of_valid(
            id=self.id,
            path=self.span.path,
            range=LineRange.of_valid(start=lines[0], end=lines[1]) if lines else None,
            symbols=symbols,
            provenance=tuple(self.provenance),
            traits=traits,
            features=dict(self.scores),
            score=0.0,
            estimated_tokens=self._tokens(segments),
            matched_terms=tuple(self.terms),
            segments=segments,
        )

    def _tokens(self, segments: tuple[Segment, ...]) -> int:
        seen = sum(len(segment.lines) for segment in segments)
        characters = seen + sum(sum(map(len, segment.lines)) for segment in segments)
        total = self.span.lines[1] - self.span.lines[0] + 1 if self.span.lines else 0
        return math.ceil(characters / CHARACTERS_PER_TOKEN) + _TOKENS_PER_UNSEEN_LINE * max(
            0, total - seen
        )
