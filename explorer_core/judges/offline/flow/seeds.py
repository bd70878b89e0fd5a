"""The definitions that the offline judge draws a flow through, and how much each is wanted."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from explorer_core.contracts import Candidate
from explorer_core.index.symbols import Symbol
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.telling.places import definition_of
from explorer_core.registry.traits import is_aside

SPREAD = 4.0
"""Difference in score at which a seed is wanted 1/e as much: flows reach further than certainty."""
_MOST = 8
_SYMPTOM = 2.0
"""How much a symptom is wanted; the best ranked definition is wanted 1."""
FAR = 2.6
"""How far below the best score a place may rank and still be told though no call joins it to a
step, or be one to read: it is a fourteenth as probable."""
_CLOSE = 0.9
"""How far below the best score a place may rank and still lead in its stead: it is two fifths as
probable."""


@dataclass(frozen=True)
class Seeds:
    """The seeds of one case."""

    case: JudgeCase
    symptom: Symbol | None
    """Where the symptom is that the question tells, if it tells one."""

    @cached_property
    def weighted(self) -> list[tuple[Symbol, float]]:
        """The symptom, if there is one, and the best ranked definitions, weighted by how close they
        come to the best."""
        seeds = {self.symptom.id: (self.symptom, _SYMPTOM)} if self.symptom else {}
        best = self.case.ranking.candidates[0]
        for candidate in self.case.ranking.candidates:
            symbol = definition_of(self.case.graph, candidate)
            if symbol is not None and symbol.id not in seeds and not _off_topic(candidate, best):
                seeds[symbol.id] = (symbol, wanted(best.score - candidate.score))
            if len(seeds) >= _MOST:
                break
        return list(seeds.values())

    @property
    def symbols(self) -> list[Symbol]:
        return [symbol for symbol, _ in self.weighted]

    @property
    def near(self) -> list[Symbol]:
        """Those that are not far behind the best, to be told even if no call joins them to a
        step."""
        return [symbol for symbol, weight in self.weighted if weight >= wanted(FAR)]

    @property
    def close(self) -> list[Symbol]:
        """Those that are next to as good as the best, and the best."""
        return [symbol for symbol, weight in self.weighted if weight >= wanted(_CLOSE)]

    @cached_property
    def ranked_near(self) -> list[Symbol]:
        """All definitions that are not far behind the best, many as they may be."""
        ranked = self.case.ranking.candidates
        bar = ranked[0].score - FAR
        shown = (
            definition_of(self.case.graph, each)
            for each in takewhile(lambda each: each.score >= bar, ranked)
        )
        return [each for each in shown if each is not None]


def _off_topic(candidate: Candidate, best: Candidate) -> bool:
    """Whether a candidate is of a kind set apart that the best candidate is not of."""
    return is_aside(candidate.traits) and not is_aside(best.traits)


def wanted(behind: float) -> float:
    """How much a seed is wanted whose score is so far behind the best."""
    return math.exp(-behind / SPREAD)
