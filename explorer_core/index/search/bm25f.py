"""Full-text search over units: BM25F.

BM25F follows Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond"
(2009): term frequencies are weighted and normalised per field, summed, and saturated once. Every
unit with a matching term is scored, one term at a time, over columns (see `collection`). The weight
of a term depends on its rarity and on how often names contain it (`TermStatistics.salience`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer_core.index.search.collection import Collection, Floats, Ints, Matches
from explorer_core.index.search.place_table import run_begins
from explorer_core.index.search.term_statistics import TermStatistics
from explorer_core.index.storage.view import View
from explorer_core.index.terms.units import (
    COUNT_MASK,
    FIELD_BITS,
    FIELD_SHIFT,
    FIELDS,
    PATH,
)
from explorer_core.lru_cache import LruCache

_FILE_B = 0.75


@dataclass(frozen=True, slots=True)
class Weighting:
    """BM25F's parameters. ``weights`` and ``b`` (length normalisation) are in the order of
    `FIELDS`. A term's rarity is multiplied by its `TermStatistics.naming_share` to the power of
    ``naming``; 0 turns that off."""

    k1: float = 1.2
    naming: float = 0.5
    weights: tuple[float, ...] = (5.0, 2.0, 2.0, 1.5, 1.0, 1.0, 2.5)
    b: tuple[float, ...] = (0.3, 0.3, 0.4, 0.6, 0.75, 0.6, 0.3)


@dataclass(frozen=True, slots=True)
class UnitHit:
    """A unit that matched. ``ordinal`` is that of its definition, -1 for a window. ``unit`` is its
    number in the collection that was searched, and is meaningless for any other collection."""

    path: str
    start: int
    end: int
    ordinal: int
    score: float
    unit: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class FileScores:
    """BM25 scores of whole files."""

    collection: Collection
    scores: Floats

    def of(self, path: str) -> float:
        """The score of one file; 0 for an unknown one."""
        number = self.collection.file_number(path)
        return 0.0 if number is None else float(self.scores[number])

    @property
    def best(self) -> float:
        return float(self.scores.max(initial=0.0))


class Searcher:
    """Searches the contents of a view. Methods may be called from any thread."""

    def __init__(self, view: View, weighting: Weighting | None = None) -> None:
        self._view = view
        self._weighting = weighting or Weighting()
        self._lock = threading.Lock()
        self._search: Search | None = None

    def now(self) -> Search:
        """A search over the current contents; later changes do not affect it."""
        with self._lock:
            search = self._search
            if search is None or search.collection.generation != self._view.generation:
                search = Search(Collection(self._view), self._weighting)
                self._search = search
            return search


@dataclass(frozen=True, slots=True)
class _Contributions:
    """What a term adds to the scores of units and files, before the factors for its weight and
    salience. ``of_paths`` is for files whose path has the term; ``of_units`` is what units get in
    addition to what their file's path gives them."""

    units: Ints
    of_units: Floats
    files: Ints
    of_paths: Floats

    @property
    def bytes(self) -> int:
        columns = (self.units, self.of_units, self.files, self.of_paths)
        return sum(column.nbytes for column in columns)


@dataclass(frozen=True, slots=True)
class _FileFrequencies:
    """The files that contain a term, and the number of its entries in each."""

    files: Ints
    frequency: Floats

    @property
    def bytes(self) -> int:
        return self.files.nbytes + self.frequency.nbytes


class Search:
    """Queries over one collection. Results computed for a term are shared by all queries and
    threads: the words that most questions share are also those with the most postings."""

    def __init__(self, collection: Collection, weighting: Weighting) -> None:
        self.collection = collection
        self._k1 = weighting.k1
        self.terms = TermStatistics(collection, weighting.naming)
        self._weights = np.array(weighting.weights)
        self._flat = 1 - np.array(weighting.b)
        averages = collection.average_lengths
        self._slope = np.divide(
            np.array(weighting.b), averages, out=np.zeros(len(FIELDS)), where=averages > 0
        )
        self._contributions: LruCache[str, _Contributions] = LruCache(
            collection.cache_bytes // 2, lambda entry: entry.bytes
        )
        self._file_frequencies: LruCache[str, _FileFrequencies] = LruCache(
            collection.cache_bytes // 4, lambda entry: entry.bytes
        )

    def units(
        self,
        terms: Mapping[str, float],
        *,
        limit: int = 200,
        allowed: Callable[[str], bool] | None = None,
        files: NDArray[np.bool_] | None = None,
    ) -> list[UnitHit]:
        """The best units for weighted index terms (those of `text.analyse`), best first.

        ``files`` (a mask over file numbers) and ``allowed`` (a predicate on paths) restrict the
        files. A file that matches only by its path is represented by its first unit. Ties are
        ordered by path and line.
        """
        collection = self.collection
        scores = np.zeros(collection.units)
        of_paths = np.zeros(len(collection.paths))
        for term, weight in terms.items():
            if weight > 0:
                contributions = self._contributions.get(term, self._compute_contributions)
                worth = weight * self.terms.salience(term)
                scores[contributions.units] += worth * contributions.of_units
                of_paths[contributions.files] += worth * contributions.of_paths
        matched = np.flatnonzero(scores > 0)
        path_only = of_paths > 0
        if files is not None:
            matched = matched[files[collection.file[matched]]]
            path_only &= files
        path_only[collection.file[matched]] = False
        by_path = np.flatnonzero(path_only)
        found = np.concatenate((matched, collection.first[by_path]))
        totals = np.concatenate(
            (scores[matched] + of_paths[collection.file[matched]], of_paths[by_path])
        )
        if allowed is not None:
            kept = collection.where(allowed, collection.file[found])
            found, totals = found[kept], totals[kept]
        return [self._hit(*best) for best in self._largest(found, totals, limit)]

    def units_having(
        self,
        terms: Iterable[str],
        *,
        share: float,
        limit: int,
        files: NDArray[np.bool_],
        allowed: Callable[[str], bool] | None = None,
    ) -> list[UnitHit]:
        """The units of ``files`` (a mask) whose text contains enough of the ``terms``, best first.

        Each distinct term counts once, by its salience. A unit qualifies if its terms add up to
        ``share`` of the total of all terms that occur in any unit.
        """
        collection = self.collection
        sums = np.zeros(collection.units)
        total = 0.0
        for term in terms:
            units = collection.matches(term).units
            if len(units):
                worth = self.terms.salience(term)
                sums[units] += worth  # once per unit, even where `units` repeats it
                total += worth
        matched = np.flatnonzero((sums >= share * total - 1e-9) & (sums > 0))
        matched = matched[files[collection.file[matched]]]
        if allowed is not None:
            matched = matched[collection.where(allowed, collection.file[matched])]
        return [self._hit(*best) for best in self._largest(matched, sums[matched], limit)]

    def files(self, terms: Mapping[str, float]) -> FileScores:
        """BM25 scores of whole files for weighted index terms. A term's frequency is the number of
        its entries in a file, one per word, unit and field. A file's length is its number of
        units."""
        collection = self.collection
        count = max(len(collection.paths), 1)
        mean = max(collection.units / count, 1.0)
        scores = np.zeros(len(collection.paths))
        for term, weight in terms.items():
            found = self._file_frequencies.get(term, self._compute_file_frequencies)
            length = 1 - _FILE_B + _FILE_B * collection.sizes[found.files] / mean
            with_term = len(found.files)
            rarity = np.log1p((count - with_term + 0.5) / (with_term + 0.5))
            worth = weight * rarity * self.terms.naming_weight(term)
            scores[found.files] += worth * found.frequency / (found.frequency + self._k1 * length)
        return FileScores(collection, scores)

    def _compute_file_frequencies(self, term: str) -> _FileFrequencies:
        collection = self.collection
        matches = collection.matches(term)
        entries = np.concatenate((collection.file[matches.units], matches.path_files))
        frequency = np.bincount(entries, minlength=len(collection.paths))
        files = np.flatnonzero(frequency)
        return _FileFrequencies(files, frequency[files].astype(np.float64))

    def _compute_contributions(self, term: str) -> _Contributions:
        collection = self.collection
        matches = collection.matches(term)
        units, frequency = self._unit_frequencies(matches)
        in_path = collection.in_paths(matches) * self._weights[PATH]
        in_path /= self._flat[PATH] + self._slope[PATH] * collection.path_lengths
        by_path = np.flatnonzero(in_path)
        of_path = in_path / (self._k1 + in_path)
        files = collection.file[units]
        frequency += in_path[files]
        of_units = frequency / (self._k1 + frequency) - of_path[files]
        return _Contributions(units, of_units, by_path, of_path[by_path])

    def _unit_frequencies(self, matches: Matches) -> tuple[Ints, Floats]:
        """The units with a term, ascending, and its weighted frequency in each. Integer counts are
        summed per unit and field first, so that the result does not depend on the numbering of
        places."""
        by_field = matches.entries >> FIELD_SHIFT
        begins, times = _sum_runs(by_field, (matches.entries & COUNT_MASK).astype(np.float64))
        by_field = by_field[begins]
        units = by_field >> FIELD_BITS
        first, frequency = _sum_runs(units, self._occurrence_weights[by_field] * times)
        return units[first], frequency

    @cached_property
    def _occurrence_weights(self) -> Floats:
        """What one occurrence adds to a term's frequency, indexed by the unit and field bits of an
        entry: the weight of the field, normalised by the field's length in that unit."""
        worths = np.zeros((self.collection.units, 1 << FIELD_BITS))
        worths[:, :PATH] = self._flat[:PATH] + self._slope[:PATH] * self.collection.lengths
        np.divide(self._weights[:PATH], worths[:, :PATH], out=worths[:, :PATH])
        return worths.ravel()

    def _largest(self, units: Ints, totals: Floats, limit: int) -> list[tuple[int, float]]:
        """The ``limit`` units with the largest totals, with these, largest first. Ties are ordered
        by path and line."""
        collection = self.collection
        if len(units) > limit:
            threshold = np.partition(totals, -limit)[-limit]
            units, totals = units[totals >= threshold], totals[totals >= threshold]
        order = np.lexsort((units, collection.path_order[collection.file[units]], -totals))[:limit]
        return list(zip(units[order].tolist(), totals[order].tolist(), strict=True))

    def _hit(self, unit: int, score: float) -> UnitHit:
        collection = self.collection
        path = collection.paths[int(collection.file[unit])]
        ordinal, start, end = collection.unit(unit)
        return UnitHit(path, start, end, ordinal, score, unit)


def _sum_runs(numbers: NDArray[np.integer], values: Floats) -> tuple[Ints, Floats]:
    """For each distinct one of ascending numbers, where it begins and the sum of its values."""
    begins = run_begins(numbers)
    return begins, values if len(begins) == len(values) else np.add.reduceat(values, begins)
