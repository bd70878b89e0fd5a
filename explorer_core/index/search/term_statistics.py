"""How much a term tells by standing somewhere: how rare it is, and what is named after it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer_core.held import memoised
from explorer_core.index.search.collection import Collection, Matches
from explorer_core.index.terms.units import DOC, FIELDS, NAME, PATH, QUALIFIED

_IS_NAME = np.isin(np.arange(len(FIELDS)), (NAME, QUALIFIED))
_UNSEEN = 0.5
"""Added to each side of a `naming_share`, so that a term seen once or twice says little."""


class TermStatistics:
    """What is known of the terms of one collection; ``naming`` is as in `Weighting`. Methods may be
    called from any thread."""

    def __init__(self, collection: Collection, naming: float) -> None:
        self._collection = collection
        self._naming = naming

    def salience(self, term: str) -> float:
        """How much it tells that a term stands somewhere: its `rarity`, less the fewer things are
        named after it."""
        return self.rarity(term) * self.naming_weight(term)

    def rarity(self, term: str) -> float:
        """BM25's inverse document frequency over units, never negative."""
        return self._rarity_of(max(self.spread(term)))

    @property
    def greatest_rarity(self) -> float:
        """The `rarity` of a term that nothing has."""
        return self._rarity_of(0)

    def _rarity_of(self, having: int) -> float:
        without = max(self._collection.units - having, 0)
        return float(np.log1p((without + 0.5) / (having + 0.5)))

    def background(self, term: str) -> float:
        """The share of a term among all words, each counted once for a unit and field; never 0."""
        words = self._collection.units * float(self._collection.average_lengths[:PATH].sum())
        return max(self._frequency(term), 1) / max(words, 1.0)

    def scarcity(self, term: str) -> float:
        """`rarity` with rows of `Matches` in place of units, which are found sooner: a unit counts
        once for each field and word that has the term."""
        return self._rarity_of(self._frequency(term))

    @memoised
    def naming_share(self, term: str) -> float:
        """Of the names, paths and comments that have a term, the share of names and paths; a half
        where there are none.

        Nothing is named after the words that hold a sentence together, in whatever language it is
        written: this tells them from the subject of a question, and no list of them is needed.
        """
        matches = self._collection.matches(term)
        return _share_of_names(matches, _IS_NAME[matches.fields])

    def code_naming_share(self, term: str) -> float:
        """`naming_share` without the names in files that hold data or prose and no program: any
        word may begin a heading, and be the key of a translated sentence."""
        matches, within = self._collection.matches(term), self._collection
        in_program = within.refers[within.file[matches.units]]
        return _share_of_names(matches, _IS_NAME[matches.fields] & in_program)

    def naming_weight(self, term: str) -> float:
        """`naming_share` to the power that the weighting gives it."""
        return self.naming_share(term) ** self._naming

    @memoised
    def spread(self, term: str) -> tuple[int, int]:
        """How many files and how many units have a term (not counting paths for the units)."""
        matches, within = self._collection.matches(term), self._collection
        having, units = np.zeros(len(within.paths), np.bool_), matches.units
        having[within.file[units]] = True
        having[matches.path_files] = True
        return int(np.count_nonzero(having)), _runs_in(units)

    @memoised
    def _frequency(self, term: str) -> int:
        return self._collection.frequency(term)


def _share_of_names(matches: Matches, is_name: NDArray[np.bool_]) -> float:
    """Of the units that have a term in a comment or, by ``is_name`` of each entry, in a name, and
    of the paths that have it, the share that are no comments."""
    names = _runs_in(matches.units[is_name]) + len(matches.path_files)
    comments = _runs_in(matches.units[matches.fields == DOC])
    return (names + _UNSEEN) / (names + comments + 2 * _UNSEEN)


def _runs_in(numbers: NDArray[np.integer]) -> int:
    """How many different numbers there are, equal ones standing together."""
    return len(numbers) and 1 + int(np.count_nonzero(numbers[1:] != numbers[:-1]))
