"""How informative a term is: how rare it is, and how much is named after it.

In a project of a few files, "how" and "the" occur as seldom as the other words of a question. So a
small collection is filled up with usual units, in which a word is the more common the shorter it is
(`usual_share`). A collection of `_FEW` units or more speaks for itself.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from explorer_core.index.search.collection import Collection, Matches
from explorer_core.index.terms import text
from explorer_core.index.terms.units import DOC, FIELDS, NAME, PATH, QUALIFIED
from explorer_core.memoised import memoised

_IS_NAME = np.isin(np.arange(len(FIELDS)), (NAME, QUALIFIED))
_SHARE_OF_SHORTEST, _DECLINE = 0.1, 0.35
"""The usual share of units with a word of two letters, and its decline with each further one. Set
by eye, near the means that ``tests.bench.word_lengths`` prints."""
_FEW = 500
"""A collection with fewer units says little about how common a word is: most words of any question
occur in it once or never. It is filled up to this many with units of `usual_share`."""
_SMOOTHING = 0.5
"""Added to both counts of a `naming_share`, so that one or two occurrences have little effect."""


class TermStatistics:
    """Statistics of the terms of one collection; ``naming`` is as in `Weighting`. Methods may be
    called from any thread."""

    def __init__(self, collection: Collection, naming: float) -> None:
        self._collection = collection
        self._naming = naming

    def salience(self, term: str) -> float:
        """How informative a term is: its `rarity`, reduced the less is named after it."""
        return self.rarity(term) * self.naming_weight(term)

    def salience_in_code(self, term: str) -> float:
        """`salience` of a term of a text that code is said to have. Such a text has the words of
        the code, not those of usual prose, so one that occurs nowhere is as rare as can be, however
        small the collection."""
        rarity = self.rarity(term) if any(self.spread(term)) else self.greatest_rarity
        return rarity * self.naming_weight(term)

    def rarity(self, term: str) -> float:
        """BM25's inverse document frequency over units, usual ones included; never negative."""
        return self._rarity_of(max(self.spread(term)) + self._filled * usual_share(term))

    @property
    def units(self) -> int:
        """How many units `rarity` is over, usual ones included."""
        return self._collection.units + self._filled

    @property
    def greatest_rarity(self) -> float:
        """The `rarity` of a term that no unit has, not even a usual one."""
        return self._rarity_of(0)

    @property
    def _filled(self) -> int:
        """How many usual units are added to a small collection."""
        return max(_FEW - self._collection.units, 0)

    def _rarity_of(self, containing: float) -> float:
        without = max(self.units - containing, 0)
        return float(np.log1p((without + 0.5) / (containing + 0.5)))

    def background(self, term: str) -> float:
        """The share of a term's entries in all words of the collection; never 0. An entry counts a
        word once per unit and field."""
        words = self._collection.units * float(self._collection.average_lengths[:PATH].sum())
        return max(self._frequency(term), 1) / max(words, 1.0)

    def scarcity(self, term: str) -> float:
        """`rarity` by entries of `Matches` in place of units, which is faster to compute: a unit
        counts once for each field and word that has the term."""
        return self._rarity_of(self._frequency(term) + self._filled * usual_share(term))

    @memoised
    def naming_share(self, term: str) -> float:
        """Of the names, paths and comments that contain a term, the share of names and paths; one
        half if there are none.

        Nothing is named after function words (articles, conjunctions), in any natural language. So
        this separates them from the subject of a question without a stop list.
        """
        matches = self._collection.matches(term)
        return _share_of_names(matches, _IS_NAME[matches.fields])

    def code_naming_share(self, term: str) -> float:
        """`naming_share` without the names in files that hold data or prose rather than a program:
        any word may occur in a heading, or in the key of a translated sentence."""
        matches, collection = self._collection.matches(term), self._collection
        in_program = collection.has_references[collection.file[matches.units]]
        return _share_of_names(matches, _IS_NAME[matches.fields] & in_program)

    def naming_weight(self, term: str) -> float:
        """`naming_share` to the power of `Weighting.naming`."""
        return self.naming_share(term) ** self._naming

    @memoised
    def spread(self, term: str) -> tuple[int, int]:
        """How many files and how many units contain a term. Paths count for files only."""
        matches, collection = self._collection.matches(term), self._collection
        containing, units = np.zeros(len(collection.paths), np.bool_), matches.units
        containing[collection.file[units]] = True
        containing[matches.path_files] = True
        return int(np.count_nonzero(containing)), _count_distinct(units)

    @memoised
    def _frequency(self, term: str) -> int:
        return self._collection.frequency(term)


def usual_share(term: str) -> float:
    """The share of units that usually contain a word as long as this one (its stem, in letters); 0
    for what is no word. A name in camel case counts as a word, but as a long one, so hardly at all.

    Shorter words are more common in any language (Zipf, "The Psycho-Biology of Language", 1935;
    Piantadosi, Tily and Gibson, "Word lengths are optimized for efficient communication", PNAS
    2011).
    """
    if not text.is_word(term):
        return 0.0
    return _SHARE_OF_SHORTEST * math.exp(-_DECLINE * max(len(term) - 2, 0))


def _share_of_names(matches: Matches, is_name: NDArray[np.bool_]) -> float:
    """The number of units with the term in a name (entries marked by ``is_name``) and of paths with
    it, as a share of these plus the units with it in a comment; smoothed by `_SMOOTHING`."""
    names = _count_distinct(matches.units[is_name]) + len(matches.path_files)
    comments = _count_distinct(matches.units[matches.fields == DOC])
    return (names + _SMOOTHING) / (names + comments + 2 * _SMOOTHING)


def _count_distinct(numbers: NDArray[np.integer]) -> int:
    """The number of distinct values; equal ones must be adjacent."""
    return len(numbers) and 1 + int(np.count_nonzero(numbers[1:] != numbers[:-1]))
