"""Features for words that are adjacent both in the question and in a unit, such as "rule set".

The ordered pairs of the sequential dependence model (Metzler and Croft, "A Markov Random Field
Model for Term Dependencies", SIGIR 2005). A pair weighs as much as the less salient of its words,
times its rarity among the units compared.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, compress, pairwise
from typing import TypeVar

from explorer_core.channels.features.narrowing import WeightedTerms
from explorer_core.channels.question.query import Query
from explorer_core.index.terms import text

_LEAST = 0.1
"""A word with less than this share of the largest salience is in no pair."""
_K1 = 1.2
"""BM25's saturation parameter, here for repeated occurrences of a pair."""

Unit = TypeVar("Unit")
_Pair = tuple[str, str]
_NONE = Counter[_Pair]()


class Proximity:
    """Computes ``phrase.all`` and ``phrase.title`` of units for one question; ``salience`` is that
    of each of its terms."""

    def __init__(self, query: Query, salience: Mapping[str, float]) -> None:
        self._salience = salience
        least = _LEAST * max(salience.values(), default=0.0)
        telling = frozenset(
            term for term, weighted_terms in salience.items() if weighted_terms >= least
        )
        self._pairs = frozenset(_neighbours(query.text, telling))
        self._in_title = frozenset(_neighbours(query.title, telling))
        self._seconds: dict[str, set[str]] = {}
        for first, second in self._pairs:
            self._seconds.setdefault(first, set()).add(second)
        self._words = WeightedTerms({term: salience[term] for pair in self._pairs for term in pair})

    def of(
        self, units: Iterable[tuple[Unit, Collection[str]]], text_of: Callable[[Unit], str]
    ) -> list[dict[str, float]]:
        """The features of units, each given with the terms that occur in it. ``text_of`` is called
        only for units whose terms can form a pair."""
        found = [
            self._found(text_of(unit)) if self._may_have(terms) else _NONE for unit, terms in units
        ]
        worth = self._worth(found)
        return [
            {
                "phrase.all": _sum(worth, pairs, self._pairs),
                "phrase.title": _sum(worth, pairs, self._in_title),
            }
            for pairs in found
        ]

    def _may_have(self, terms: Collection[str]) -> bool:
        seconds = self._seconds
        return any(not seconds[term].isdisjoint(terms) for term in terms if term in seconds)

    def _found(self, unit: str) -> Counter[_Pair]:
        """How often each pair occurs, in two adjacent words or within one."""
        wanted = self._pairs
        words = list(map(self._words.__getitem__, text.runs(unit)))
        places = list(compress(enumerate(words), words))
        found = [pair for _, terms in places for pair in pairwise(terms) if pair in wanted]
        for (at, terms), (after, others) in pairwise(places):
            if after == at + 1:
                both = ((first, second) for first in terms for second in others)
                found += [pair for pair in both if pair in wanted]
        return Counter(found)

    def _worth(self, units: Sequence[Counter[_Pair]]) -> dict[_Pair, float]:
        having = Counter(pair for unit in units for pair in unit)
        return {
            (first, second): min(self._salience[first], self._salience[second])
            * math.log1p(len(units) / (count + 0.5))
            for (first, second), count in having.items()
        }


def _neighbours(question: str, telling: Collection[str]) -> Iterator[_Pair]:
    """Pairs of consecutive, distinct and salient words of a question, identifiers split."""
    parts = chain.from_iterable(map(text.parts_of, text.runs(question)))
    for first, second in pairwise(parts):
        if first != second and first in telling and second in telling:
            yield first, second


def _sum(worth: Mapping[_Pair, float], found: Counter[_Pair], wanted: Collection[_Pair]) -> float:
    total = sum(
        worth[pair] * times / (times + _K1) for pair, times in found.items() if pair in wanted
    )
    return round(total, 9)
