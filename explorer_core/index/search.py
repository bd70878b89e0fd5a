"""Full-text search over units: BM25F.

BM25F after Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009):
term frequencies are weighted and normalised per field, added up, and saturated once. Every unit
that has a term is scored, a term at a time, over columns (see `collection`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer_core.index.collection import Collection, Floats, Ints, Matches
from explorer_core.index.units import FIELDS, PATH
from explorer_core.index.view import View

_FILE_B = 0.75


@dataclass(frozen=True, slots=True)
class Weighting:
    """BM25F's parameters; weights and length normalisations in the order of `FIELDS`."""

    k1: float = 1.2
    weights: tuple[float, ...] = (5.0, 2.0, 2.0, 1.5, 1.0, 1.0, 2.5)
    b: tuple[float, ...] = (0.3, 0.3, 0.4, 0.6, 0.75, 0.6, 0.3)


@dataclass(frozen=True, slots=True)
class UnitHit:
    """A unit that matched. ``ordinal`` is that of its definition, -1 for a window; ``unit`` its
    number in the collection that was searched."""

    path: str
    start: int
    end: int
    ordinal: int
    score: float
    unit: int


@dataclass(frozen=True, slots=True)
class FileScores:
    """BM25 of whole files."""

    collection: Collection
    scores: Floats

    def of(self, path: str) -> float:
        """The score of one file, 0 or more."""
        number = self.collection.file_number(path)
        return 0.0 if number is None else float(self.scores[number])

    @property
    def best(self) -> float:
        return float(self.scores.max(initial=0.0))


class Searcher:
    """Searches what a view shows. Methods may be called from any thread."""

    def __init__(self, view: View, weighting: Weighting | None = None) -> None:
        self._view = view
        self._weighting = weighting or Weighting()
        self._lock = threading.Lock()
        self._collection: Collection | None = None

    def now(self) -> Search:
        """A search of the present moment; what changes later does not disturb it."""
        with self._lock:
            held = self._collection
            if held is None or held.generation != self._view.generation:
                held = self._collection = Collection(self._view)
            return Search(self._view, held, self._weighting)


class Search:
    """Questions to one collection."""

    def __init__(self, view: View, collection: Collection, weighting: Weighting) -> None:
        self.collection = collection
        self._view = view
        self._k1 = weighting.k1
        self._weights = np.array(weighting.weights)
        self._flat = 1 - np.array(weighting.b)
        averages = collection.average_lengths
        self._slope = np.divide(
            np.array(weighting.b), averages, out=np.zeros(len(FIELDS)), where=averages > 0
        )

    def spread(self, term: str) -> tuple[int, int]:
        """How many files and how many units have a term (not counting paths for the units)."""
        return self._view.spread(term)

    def units(
        self,
        terms: Mapping[str, float],
        *,
        limit: int = 200,
        allowed: Callable[[str], bool] | None = None,
    ) -> list[UnitHit]:
        """The best units for weighted index terms (as `text.analyse` makes them), best first.

        A file that matches only by its path shows with its first unit. Ties are in the order of
        path and line.
        """
        within = self.collection
        scores = np.zeros(within.units)
        of_paths = np.zeros(len(within.paths))
        for term, weight in terms.items():
            matches = within.matches(term)
            rarity = weight * self._rarity(max(self.spread(term)))
            if weight > 0:
                self._add(matches, rarity, scores, of_paths)
        reached = scores > 0
        totals = np.where(reached, scores + of_paths[within.file], 0.0)
        named_only = of_paths > 0
        named_only[within.file[reached]] = False
        totals[within.first[named_only]] = of_paths[named_only]
        if allowed is not None:
            totals[~within.files_where(allowed)[within.file]] = 0.0
        return [self._hit(unit, totals) for unit in _best(totals, limit)]

    def files(self, terms: Mapping[str, float]) -> FileScores:
        """BM25 of whole files for weighted index terms. A term's frequency is how many entries it
        has in a file, one per unit and field, and a file's length how many units it has."""
        within = self.collection
        count = max(len(within.paths), 1)
        mean = max(within.units / count, 1.0)
        length = 1 - _FILE_B + _FILE_B * within.sizes / mean
        scores = np.zeros(len(within.paths))
        for term, weight in terms.items():
            matches = within.matches(term)
            entries = np.concatenate((within.file[matches.units], matches.path_files))
            frequency = np.bincount(entries, minlength=len(within.paths))
            having = np.count_nonzero(frequency)
            rarity = weight * np.log1p((count - having + 0.5) / (having + 0.5))
            scores += rarity * frequency / (frequency + self._k1 * length)
        return FileScores(within, scores)

    def _rarity(self, frequency: int) -> float:
        without = max(self.collection.units - frequency, 0)
        return float(np.log1p((without + 0.5) / (frequency + 0.5)))

    def _add(self, matches: Matches, rarity: float, scores: Floats, of_paths: Floats) -> None:
        """Add what a term contributes: to a unit's score, what it has beyond its path's."""
        within = self.collection
        in_path = np.zeros(len(within.paths))
        shares = self._weights[PATH] * matches.path_counts
        shares /= self._flat[PATH] + self._slope[PATH] * within.path_lengths[matches.path_files]
        np.add.at(in_path, matches.path_files, shares)
        of_path = in_path / (self._k1 + in_path)
        of_paths += rarity * of_path
        fields = matches.fields.astype(np.int64)
        length = self._flat[fields] + self._slope[fields] * within.lengths(matches.units, fields)
        units, frequency = _summed(matches.units, self._weights[fields] * matches.counts / length)
        files = within.file[units]
        frequency += in_path[files]
        scores[units] += rarity * (frequency / (self._k1 + frequency) - of_path[files])

    def _hit(self, unit: int, totals: Floats) -> UnitHit:
        within = self.collection
        path = within.paths[int(within.file[unit])]
        ordinal, start, end = within.unit(unit)
        return UnitHit(path, start, end, ordinal, float(totals[unit]), unit)


def _summed(units: NDArray[np.int32], values: Floats) -> tuple[Ints, Floats]:
    """The distinct units, which are ascending, and the sum of the values of each."""
    if not len(units):
        return np.empty(0, np.int64), np.empty(0)
    starts = np.flatnonzero(np.diff(units, prepend=-1))
    return units[starts].astype(np.int64), np.add.reduceat(values, starts)


def _best(totals: Floats, limit: int) -> list[int]:
    """The numbers of the largest positive totals, largest first; of equals the first."""
    found = np.flatnonzero(totals > 0)
    if len(found) > limit:
        bar = np.partition(totals[found], -limit)[-limit]
        found = found[totals[found] >= bar]
    order = np.lexsort((found, -totals[found]))
    return found[order][:limit].tolist()
