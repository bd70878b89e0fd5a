"""Chooses the definitions that a flow is drawn through, and weights them."""

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
"""The difference in score at which a seed's weight falls to 1/e. Flows reach further than
certainty."""
_MOST = 8
_SYMPTOM = 2.0
"""The weight of a symptom; the best ranked definition has 1."""
FAR = 2.6
"""How far a score may lie below the best for a place to be shown without a call that joins it to a
step, or to be listed for reading: a fourteenth as probable."""
_CLOSE = 0.9
"""How far a score may lie below the best for a place to lead the answer in the best one's stead:
two fifths as probable."""


@dataclass(frozen=True)
class Seeds:
    """The seeds of one case."""

    case: JudgeCase
    symptom: Symbol | None
    """The definition where the symptom in the question occurs, if the question reports one."""

    @cached_property
    def weighted(self) -> list[tuple[Symbol, float]]:
        """The symptom, if any, and the best ranked definitions, each weighted by its distance from
        the best score."""
        seeds = {self.symptom.id: (self.symptom, _SYMPTOM)} if self.symptom else {}
        best = self.case.ranking.candidates[0]
        for candidate in self.case.ranking.candidates:
            symbol = definition_of(self.case.graph, candidate)
            if symbol is not None and symbol.id not in seeds and not _off_topic(candidate, best):
                seeds[symbol.id] = (symbol, seed_weight(best.score - candidate.score))
            if len(seeds) >= _MOST:
                break
        return list(seeds.values())

    @property
    def symbols(self) -> list[Symbol]:
        return [symbol for symbol, _ in self.weighted]

    @property
    def near(self) -> list[Symbol]:
        """The seeds close enough to the best to be shown even if no call joins them to a step."""
        return [symbol for symbol, weight in self.weighted if weight >= seed_weight(FAR)]

    @property
    def close(self) -> list[Symbol]:
        """The best seed and those nearly as good."""
        return [symbol for symbol, weight in self.weighted if weight >= seed_weight(_CLOSE)]

    @cached_property
    def ranked_near(self) -> list[Symbol]:
        """All definitions not far behind the best, however many."""
        ranked = self.case.ranking.candidates
        bar = ranked[0].score - FAR
        shown = (
            definition_of(self.case.graph, each)
            for each in takewhile(lambda each: each.score >= bar, ranked)
        )
        return [each for each in shown if each is not None]


def _off_topic(candidate: Candidate, best: Candidate) -> bool:
    """Whether a candidate is set apart (a test, say) while the best one is not."""
    return is_aside(candidate.traits) and not is_aside(best.traits)


def seed_weight(behind: float) -> float:
    """The weight of a seed whose score lies ``behind`` below the best."""
    return math.exp(-behind / SPREAD)
